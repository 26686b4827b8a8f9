import { createHash, createPublicKey } from 'node:crypto'
import { type NewWorkload, workloadPlatforms } from '@countersign/sdk/contract'

/** What an identity is matched by, as it is stored. */
export interface TrustedIdentity {
  subject: string
  claims: string
  audience: string
}

/** Whether keys of this issuer may be fetched. */
export const isAcceptedIssuer = (issuer: string, listed: readonly { issuer: string }[]): boolean =>
  workloadPlatforms.some((platform) => platform.issuer.test(issuer)) || listed.some((one) => one.issuer === issuer)

/** Claims in a fixed order. */
export const sortedClaims = (claims: NewWorkload['claims']): string =>
  JSON.stringify(Object.fromEntries(Object.entries(claims).sort(([a], [b]) => (a < b ? -1 : 1))))

/** Equal for the same identity. */
export const identityOf = (issuer: string, { subject, claims, audience }: TrustedIdentity): string =>
  createHash('sha256')
    .update(JSON.stringify([issuer, subject, claims, audience]))
    .digest('base64url')

/** The claim that differs, or undefined if the token has this identity. Every claim must be equal, and a text. */
const differingClaim = (
  { subject, claims, audience }: TrustedIdentity,
  token: Readonly<Record<string, unknown>>,
): string | undefined => {
  if (token.sub !== subject) return 'sub'
  const [only, ...others] = Array.isArray(token.aud) ? token.aud : [token.aud]
  if (only !== audience || others.length > 0) return 'aud'
  const wanted: Record<string, string> = JSON.parse(claims)
  return Object.keys(wanted).find((name) => !Object.hasOwn(token, name) || token[name] !== wanted[name])
}

/** The identity that a token has, or the claim by which it misses the nearest one. */
export const matchIdentity = <T extends TrustedIdentity>(
  trusted: readonly T[],
  token: Readonly<Record<string, unknown>>,
): { identity: T } | { claim: string } => {
  const differing = trusted.map((identity) => ({ identity, claim: differingClaim(identity, token) }))
  const found = differing.find(({ claim }) => claim === undefined)
  if (found) return { identity: found.identity }
  return { claim: differing.find(({ claim }) => claim !== 'sub')?.claim ?? 'sub' }
}

const curves = ['prime256v1', 'secp384r1']

/** The fingerprint of a key that can sign requests; undefined for others. */
export const fingerprintOf = (base64: string): string | undefined => {
  const der = Buffer.from(base64, 'base64')
  try {
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
    const { asymmetricKeyType, asymmetricKeyDetails } = key
    const isUsable =
      asymmetricKeyType === 'ed25519' ||
      (asymmetricKeyType === 'ec' && curves.includes(asymmetricKeyDetails?.namedCurve ?? '')) ||
      (asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2_048)
    const isExact = der.toString('base64') === base64 && key.export({ format: 'der', type: 'spki' }).equals(der)
    return isUsable && isExact ? createHash('sha256').update(der).digest('hex') : undefined
  } catch {
    return undefined
  }
}
