import type { Check } from '../contract/verifications.ts'
import { refuseUnknown } from './refuse-unknown.ts'
import { isText } from './values.ts'

/** What a token or link must say; exact strings only, and what it does not say does not match. */
export interface Expectation {
  provider_domain?: string
  provider_id?: string
  model_id?: string
  model_digest?: string
  spki_fingerprint?: string
  challenge?: string
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

/** Refuses what nobody compares, a misspelled name and a value that is not there: it would always be met. Throws TypeError. */
export const checkExpectation = (expect: Expectation) => {
  refuseUnknown('expectation', expect, names)
  const empty = Object.entries(expect).find(([, value]) => !isText(value))
  if (empty !== undefined) throw new TypeError(`The expectation ${empty[0]} must be a string, not ${String(empty[1])}`)
}

type Facts = { readonly [Name in keyof Expectation]?: string | null | undefined }

/** The names of what was expected and is not so. */
export const unmet = (expect: Expectation, facts: Facts): (keyof Expectation)[] =>
  (Object.keys(names) as (keyof Expectation)[]).filter((name) => expect[name] !== undefined && expect[name] !== facts[name])

/** Tells what was expected and what is so instead. Of a domain also why: it may be the right one, and nobody has checked it. */
export const expectationCheck = (expect: Expectation, facts: Facts, checked_at: string | null): Check => {
  const missed = unmet(expect, facts)
  const told = missed.map((name) => `${name} should be ${expect[name]}, but ${facts[name] ? `it is ${facts[name]}` : absent(name)}`)
  return {
    check: 'expectation',
    passed: missed.length === 0,
    detail: missed.length === 0 ? 'As expected' : `Not as expected: ${told.join('; ')}`,
    checked_at,
  }
}

const absent = (name: keyof Expectation) => (name === 'provider_domain' ? 'the domain is not verified' : 'not proven')
