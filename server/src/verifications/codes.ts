import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto'
import { formatLinkCode } from '@countersign/sdk/verify'
import { createLinkCode } from '@countersign/sdk/verify/link-codes'
import type { RequestSignature } from '../http/signature.ts'
import type { SigningService } from '../signing/service.ts'

export const sha256 = (text: string, encoding: 'hex' | 'base64url') => hash('sha256', text, encoding)

/** In base64url. A key object, because Node takes eight times as long when the secret is bytes; text, because a buffer takes 3 µs longer. */
export const hmac = (secret: KeyObject, text: string) => createHmac('sha256', secret).update(text).digest('base64url')

const bytesOf = (base64url: string) => Buffer.from(base64url, 'base64url')

const maxUserSecrets = 10_000

/** The time bucket comes first, so that neighbours in time are neighbours in the index. */
export const codeKeyOf = (code: string) => code.slice(0, 2) + sha256(code, 'base64url').slice(0, 30)

const nonceBucketMs = 3_600_000

/**
 * What is unique for a signed request. The hour in which it expires comes first, as above; a repeated request has the same, because its
 * signature covers `expires`. Then come the first characters of the nonce: the SDK begins it with the time. If each link changes another
 * page of the index, it costs 20 µs more CPU.
 */
export const nonceKeyOf = (provider_id: string, { fingerprint, nonce, expiresAt }: RequestSignature) =>
  Math.floor(expiresAt / nonceBucketMs).toString(36) +
  nonce.slice(0, 8) +
  sha256(`${provider_id} ${fingerprint} ${nonce}`, 'base64url').slice(0, 22)

/** The codes of links, and the fingerprint that identifies a user to one provider only. */
export const createCodes = ({
  signing,
  publicUrl,
}: {
  signing: Pick<SigningService, 'deriveSecret'>
  publicUrl: string
}) => {
  const linkSecret = signing.deriveSecret('link codes')
  const userSecret = signing.deriveSecret('user fingerprints')
  const userSecrets = new Map<string, KeyObject>()

  const userSecretOf = (provider_id: string): KeyObject => {
    const known = userSecrets.get(provider_id)
    if (known) return known
    if (userSecrets.size >= maxUserSecrets) userSecrets.clear()
    const secret = createSecretKey(bytesOf(hmac(userSecret, provider_id)))
    userSecrets.set(provider_id, secret)
    return secret
  }

  /** Derived from the ID of the verification, so it can be shown again without being stored. */
  const codeOf = (id: string, issued_at: number) => createLinkCode(issued_at, bytesOf(hmac(linkSecret, id)))

  return {
    codeOf,
    urlOf: (id: string, issued_at: number) => `${publicUrl}/v/${formatLinkCode(codeOf(id, issued_at))}`,
    /** Keyed per provider, so that two providers cannot recognise the same user. */
    userFingerprintOf: (provider_id: string, user: string) => hmac(userSecretOf(provider_id), user),
  }
}

export type Codes = ReturnType<typeof createCodes>
