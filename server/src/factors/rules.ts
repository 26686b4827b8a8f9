import { createHash, randomBytes } from 'node:crypto'
import { type Act, Refusal } from '@countersign/sdk/contract'

const minute = 60_000
export const dayMs = 24 * 3_600_000
export const challengeMs = 5 * minute
export const codeMs = 15 * minute
export const maxTries = 5
/** Wrong codes of an authenticator app in a day: together they guess right once in 30,000 days. */
export const maxGuesses = 10
export const recoveryCodes = 10
/** In place of a factor’s ID, for presence that was proven with a recovery code. */
export const recoveryId = 'recovery'
/** A session that began longer ago cannot add a first factor. */
const freshMs = 15 * minute

/**
 * Further factors count at once, because an old one approved them. The first of an account older than a day waits, and one that was begun
 * as the first but is no longer the only one.
 */
export const effectiveAt = (of: { isFirst: boolean; isAlone: boolean; personSince: number; at: number }) =>
  of.isFirst && (!of.isAlone || of.at - of.personSince > dayMs) ? of.at + dayMs : of.at

export const isFresh = ({ began_at, at }: { began_at: number; at: number }) => at - began_at <= freshMs

/** Someone who has just added a factor of their own must not lock the others out. */
export const removalRefusal = (of: {
  target: string
  proof: { id: string; created_at: number }
  at: number
}): Refusal | undefined =>
  of.proof.id !== of.target && of.at - of.proof.created_at < dayMs
    ? new Refusal(
        'factor_too_new',
        'Confirm with a passkey or authenticator that you added more than 24 hours ago, or wait.',
      )
    : undefined

/**
 * Whether a person still has a factor that counts once the target is removed. One added today does not replace an older
 * one: it may be a thief’s.
 */
export const isKept = (
  other: { id: string; created_at: number; effective_at: number; removes_at: number | null },
  { target, at }: { target: { id: string; created_at: number }; at: number },
): boolean =>
  other.id !== target.id &&
  other.effective_at <= at &&
  other.removes_at === null &&
  (at - other.created_at >= dayMs || at - target.created_at < dayMs)

/** Random bytes and a digest of the call that is approved, so that the passkey signs both. */
export const newChallenge = (act: Act | undefined): string => {
  const random = randomBytes(32)
  if (!act) return random.toString('base64url')
  const digest = createHash('sha256')
    .update(JSON.stringify([act.method, act.path, act.body_digest]))
    .digest()
  return Buffer.concat([random, digest]).toString('base64url')
}

/** The challenge that a browser says it answered; undefined if it cannot be read. The signature covers it. */
export const challengeIn = (client_data: string): string | undefined => {
  try {
    const { challenge } = JSON.parse(Buffer.from(client_data, 'base64url').toString())
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}
