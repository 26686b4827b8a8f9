import type { Jwks } from '../contract/signing.ts'
import type { Reason } from '../contract/verifications.ts'
import linkCodes from './vectors/link-codes.json' with { type: 'json' }
import tokens from './vectors/tokens.json' with { type: 'json' }

/** Tokens with their verdicts, judged offline at `now`, by the keys of `jwks`. */
export interface TokenVectors {
  about: string
  issuer: string
  now: string
  clock_tolerance_seconds: number
  jwks: Jwks
  good: { name: string; token: string }[]
  bad: { name: string; token: string; reason: Reason }[]
}

/** Link codes: how they are made and read, and what is none. */
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

/** For testing another verifier against this one; also as JSON in `@countersign/sdk/testing/vectors/*.json`. */
export const vectors = { tokens: tokens as TokenVectors, linkCodes: linkCodes as LinkCodeVectors }
