import type { Jwks } from '../contract/signing.ts'
import type { Change, Reason, Result, Strength } from '../contract/verifications.ts'
import type { Doubt, Outcome, Step, Steps } from '../verify/verdict.ts'
import linkCodes from './vectors/link-codes.json' with { type: 'json' }
import log from './vectors/log.json' with { type: 'json' }
import tokens from './vectors/tokens.json' with { type: 'json' }
import verdicts from './vectors/verdicts.json' with { type: 'json' }

/** Tokens with their verdicts, verified offline at `now` with the keys of `jwks`. */
export interface TokenVectors {
  /** What the vectors are for. */
  about: string
  /** The issuer to verify with. */
  issuer: string
  /** The time of the check: ISO 8601. */
  now: string
  /** The tolerated clock difference. */
  clock_tolerance_seconds: number
  /** The keys to verify with. */
  jwks: Jwks
  /** Valid tokens. */
  good: { name: string; token: string }[]
  /** Invalid tokens with their reasons. */
  bad: { name: string; token: string; reason: Reason }[]
}

/** Link codes: how they are made and read, and what is not a code. */
export interface LinkCodeVectors {
  /** What the vectors are for. */
  about: string
  /** A valid code. */
  code: string
  /** Codes made from a time and random bits. */
  good: { at: string; random: string; code: string }[]
  /** Other spellings of valid codes. */
  spellings: { name: string; input: string; code: string; origin: string | null }[]
  /** By the number of wrong characters. */
  mistyped: Record<string, string[]>
  /** Texts that are not links. */
  malformed: { name: string; input: string }[]
  /** Links of other registries. */
  foreign: { name: string; input: string; origin: string }[]
}

/**
 * A registry's answers about a link, and how a reader that trusts `issuer` and asked about `link` reads each,
 * `elapsed_ms` after the check.
 */
export interface VerdictVectors {
  /** What the vectors are for. */
  about: string
  /** The registry. */
  issuer: string
  /** The link that was checked. */
  link: string
  /** Answers with the verdict on each. */
  cases: { name: string; answer: unknown; elapsed_ms: number; expect: ExpectedVerdict }[]
}

/** A transparency log with the entries `entry 0`, `entry 1` …, made by Go's implementations. Hashes are in base64. */
export interface LogVectors {
  /** What made the vectors. */
  about: string
  /** The log's name. */
  origin: string
  /** The log's verifier key. */
  log: string
  /** Signed checkpoints of the log. */
  trees: { size: number; root: string; checkpoint: string }[]
  /** Inclusion proofs. */
  inclusion: { size: number; index: number; proof: string[] }[]
  /** Consistency proofs. */
  consistency: { old: number; size: number; proof: string[] }[]
  /** The tiles of two sizes, with the SHA-256 of their hashes. */
  tiles: { size: number; path: string; sha256: string }[]
  /** Policies, by the name of their quorum. */
  policies: Record<string, string>
  /** Checkpoints with cosignatures, and by policy whether these are a quorum. */
  cosigned: { checkpoint: string; is_witnessed: Record<string, boolean> }[]
  /** A proof for `entry 123`. */
  proof: string
}

/** What a verdict must be. */
export interface ExpectedVerdict {
  /** The verdict. */
  result: Result
  /** Why it is not verified. */
  reason: Reason | null
  /** What ended the link. */
  change: Change | null
  /** What to show. */
  outcome: Outcome
  /** What is proven. */
  strength: Strength
  /** The proven domain. */
  domain: string | null
  /** The state of each step. */
  steps: Record<keyof Steps, Step['state']>
  /** Why the answer is not believed. */
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
  log: log as LogVectors,
}
