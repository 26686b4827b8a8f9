import { existsSync, readFileSync } from 'node:fs'
import { readProtectedNames } from '../names/rules.ts'
import { count, oneOf, setting } from './setting.ts'

/** What providers and visitors may do. */
export const limits = {
  LINKS_PER_DAY: setting({
    expected: 'a number from 1 to 1000000000',
    means: 'Links that a provider with a proven domain may mint per day (UTC)',
    default: '1000000',
    parse: count(1_000_000_000),
  }),
  LINKS_PER_DAY_UNPROVEN: setting({
    expected: 'a number from 1 to 1000000000',
    means: 'Links that a provider without a proven domain may mint per day (UTC)',
    default: '1000',
    parse: count(1_000_000_000),
  }),
  MODELS_PER_DAY: setting({
    expected: 'a number from 1 to 1000000000',
    means: 'Versions of models that a provider with a proven domain may register per day (UTC)',
    default: '10000',
    parse: count(1_000_000_000),
  }),
  MODELS_PER_DAY_UNPROVEN: setting({
    expected: 'a number from 1 to 1000000000',
    means: 'Versions of models that a provider without a proven domain may register per day (UTC)',
    default: '1000',
    parse: count(1_000_000_000),
  }),
  MODELS_TOTAL: setting({
    expected: 'a number from 1 to 1000000000',
    means: 'Versions of models that a provider with a proven domain may have, archived ones included',
    default: '100000',
    parse: count(1_000_000_000),
  }),
  MODELS_TOTAL_UNPROVEN: setting({
    expected: 'a number from 1 to 1000000000',
    means: 'Versions of models that a provider without a proven domain may have, archived ones included',
    default: '2000',
    parse: count(1_000_000_000),
  }),
  RATE_LIMITS: setting({
    expected: 'on or off',
    means: 'Off only for load tests, while PUBLIC_URL is a loopback address',
    default: 'on',
    parse: oneOf('on', 'off'),
  }),
  PROTECTED_NAMES: setting({
    expected: 'a file whose lines contain a name and its domain, such as: Acme Labs acme.example',
    means:
      'Company names reserved for their domains, look-alikes included. Other providers that request such a name are rejected; those that already have it are not listed',
    default: '',
    parse: (text) => (text === '' ? [] : existsSync(text) ? readProtectedNames(readFileSync(text, 'utf8')) : undefined),
  }),
} as const
