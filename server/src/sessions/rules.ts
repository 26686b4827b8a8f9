import { createHmac, type KeyObject } from 'node:crypto'
import { idBody } from '@countersign/sdk/contract'
import { hashSecret, newSecret } from '../secrets.ts'

export const idleMs = 12 * 3_600_000
export const absoluteMs = 7 * 24 * 3_600_000

/*
 * css_<26 of the session's ID>_<43 secret> for the session, csc_<the same 26>_<43 derived> for its console key. The ID finds the row;
 * only a hash of the secret is stored.
 */
const pattern = new RegExp(`^cs([sc])_(${idBody})_([A-Za-z0-9_-]{43})$`)

export const createSessionToken = (id: string) => {
  const token = `css_${id.slice(4)}_${newSecret()}`
  return { token, token_hash: hashSecret(token) }
}

/**
 * For one provider of the session's person. Derived from the session, so that showing it creates nothing, and from a secret that is not in
 * the database.
 */
export const consoleKeyOf = (
  secret: KeyObject,
  { id, token_hash, provider_id }: { id: string; token_hash: string; provider_id: string },
) =>
  `csc_${id.slice(4)}_${createHmac('sha256', secret).update(`${id} ${token_hash} ${provider_id}`).digest('base64url')}`

export const readSessionCredential = (
  credential: string,
): { id: string; kind: 'token' | 'console key' } | undefined => {
  const [, letter, tail] = pattern.exec(credential) ?? []
  return tail === undefined ? undefined : { id: `ses_${tail}`, kind: letter === 's' ? 'token' : 'console key' }
}

/** When an unused session expires. */
export const endOf = ({ last_used_at, expires_at }: { last_used_at: number; expires_at: number }) =>
  Math.min(expires_at, last_used_at + idleMs)
