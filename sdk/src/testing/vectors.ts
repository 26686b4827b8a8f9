import type { Jwks } from '../contract/signing.ts'
import type { Change, Reason, Result, Strength } from '../contract/verifications.ts'
import type { Doubt, Outcome, Step, Steps } from '../verify/verdict.ts'
import linkCodes from './vectors/link-codes.json' with { type: 'json' }
import tokens from './vectors/tokens.json' with { type: 'json' }
import verdicts from './vectors/verdicts.json' with { type: 'json' }

/** Tokens with their verdicts, verified offline at `now` with the keys of `jwks`. */
export interface TokenVectors {
  about: string
  issuer: string
  now: string
  clock_tolerance_seconds: number
  jwks: Jwks
  good: { name: string; token: string }[]
  bad: { name: string; token: string; reason: Reason }[]
}

/** Link codes: how they are made and read, and what is not a code. */
export interface LinkCodeVectors {
  about: string
  code: string
  good: { at: string; random: string; code: string }[]
  spellings: { name: string; input: string; code: string; origin: string | null }[]
  /** By the number of wrong characters. */
  mistyped: Record<string, string[]>
  malformed: { name: string; input: string }[]
  foreign: { name: string; input: string; origin: string }[]
}

/**
 * A registry's answers about a link, and how a reader that trusts `issuer` and asked about `link` reads each,
 * `elapsed_ms` after the check.
 */
export interface VerdictVectors {
  about: string
  issuer: string
  link: string
  cases: { name: string; answer: unknown; elapsed_ms: number; expect: ExpectedVerdict }[]
}

export interface ExpectedVerdict {
  result: Result
  reason: Reason | null
  change: Change | null
  outcome: Outcome
  strength: Strength
  domain: string | null
  steps: Record<keyof Steps, Step['state']>
  doubt: Doubt | null
}

type Fields = Record<string, unknown>

interface VerdictCase {
  name: string
  answer?: unknown
  of?: string
  set?: Fields
  remove?: string[]
  elapsed_ms?: number
  expect: unknown
}

/** The answer of a case: a copy of the record or problem with the case's changes. */
const answerOf = ({ answer, of, set = {}, remove = [] }: VerdictCase): unknown => {
  if (of === undefined) return answer
  const changed: Fields = structuredClone(of === 'record' ? verdicts.record : verdicts.refusal)
  for (const [path, value] of Object.entries(set)) setAt(changed, path.split('.'), value)
  for (const name of remove) delete changed[name]
  return changed
}

const setAt = (fields: Fields, [name = '', ...rest]: string[], value: unknown) => {
  const inner = fields[name]
  if (rest.length === 0) fields[name] = value
  else if (!Array.isArray(inner)) setAt((inner ?? {}) as Fields, rest, value)
  else if (rest.length === 1) inner.push(value)
  else
    setAt(
      inner.find(({ check }) => check === rest[0]),
      rest.slice(1),
      value,
    )
}

const verdictVectors: VerdictVectors = {
  about: verdicts.about,
  issuer: verdicts.issuer,
  link: verdicts.link,
  cases: (verdicts.cases as VerdictCase[]).map((vector) => ({
    name: vector.name,
    answer: answerOf(vector),
    elapsed_ms: vector.elapsed_ms ?? 0,
    expect: vector.expect as ExpectedVerdict,
  })),
}

/** For testing another verifier against this one; also as JSON in `@countersign/sdk/testing/vectors/*.json`. */
export const vectors = {
  tokens: tokens as TokenVectors,
  linkCodes: linkCodes as LinkCodeVectors,
  verdicts: verdictVectors,
}
