import type { Check } from '../contract/verifications.ts'
import { must, refuseUnknown } from './refuse-unknown.ts'
import { isText } from './values.ts'

/**
 * Exact values that a token or link must have. A value missing from it does not match. An expectation of `undefined` throws
 * `TypeError`, because it would always match.
 */
export interface Expectation {
  /** The proven domain, such as `acme.example`. */
  provider_domain?: string
  /** ID of the provider (`prv_…`). */
  provider_id?: string
  /** ID of the model version (`mdl_…`). */
  model_id?: string
  /** `sha256:` and 64 hex characters. */
  model_digest?: string
  /** SHA-256 of the server's public key (SPKI), 64 hex characters. Only a proven one matches. */
  spki_fingerprint?: string
  /** The phrase that the visitor gave. */
  challenge?: string
  /** The https origin of the chat. */
  origin?: string
}

const names = {
  provider_domain: true,
  provider_id: true,
  model_id: true,
  model_digest: true,
  spki_fingerprint: true,
  challenge: true,
  origin: true,
} satisfies Record<keyof Expectation, true>

/** Throws TypeError for an unknown name or a missing value, which would always match. */
export const checkExpectation = (call: string, expect: Expectation) => {
  refuseUnknown(call, 'expectation', expect, names)
  for (const [name, value] of Object.entries(expect)) must(isText(value), call, `expect.${name}`, 'a string')
}

type Facts = { readonly [Name in keyof Expectation]?: string | null | undefined }

/** The names of expectations that are not met. */
const unmet = (expect: Expectation, facts: Facts): (keyof Expectation)[] =>
  (Object.keys(names) as (keyof Expectation)[]).filter(
    (name) => expect[name] !== undefined && expect[name] !== facts[name],
  )

/** The check of all expectations, listing those that are not met. An unproven domain may be the right one, so it is described as such. */
export const expectationCheck = (expect: Expectation, facts: Facts, checked_at: string | null): Check => {
  const missed = unmet(expect, facts)
  const reasons = missed.map(
    (name) => `${name} should be ${expect[name]}, but ${facts[name] ? `it is ${facts[name]}` : absent(name)}`,
  )
  const passed = missed.length === 0
  return {
    check: 'expectation',
    passed,
    detail: passed ? 'As expected' : `Not as expected: ${reasons.join('; ')}`,
    checked_at,
  }
}

const absent = (name: keyof Expectation) => (name === 'provider_domain' ? 'the domain is not verified' : 'not proven')
