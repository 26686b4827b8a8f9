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

/**
 * Whether tokens for this audience count: for the registry, or for another service if the platform cannot name the registry or the
 * operator lists the issuer. Otherwise a service could use the tokens of people and servers that sign in to it.
 */
export const isAcceptedAudience = (
  { issuer, audience }: { issuer: string; audience: string },
  publicUrl: string,
): boolean => {
  const platform = workloadPlatforms.find((each) => each.issuer.test(issuer))
  return audience === publicUrl || platform === undefined || platform.hasOwnAudience === true
}

/** The claim that must be trusted as well, because others can register the names in the subject later. */
export const missingClaim = ({ issuer, claims }: Pick<NewWorkload, 'issuer' | 'claims'>): string | undefined => {
  const name = workloadPlatforms.find((platform) => platform.issuer.test(issuer))?.permanentClaim
  return name === undefined || Object.hasOwn(claims, name) ? undefined : name
}

/** Claims in a fixed order. */
export const sortedClaims = (claims: NewWorkload['claims']): string =>
  JSON.stringify(Object.fromEntries(Object.entries(claims).sort(([a], [b]) => (a < b ? -1 : 1))))

/** Equal for the same identity. */
export const identityOf = (issuer: string, { subject, claims, audience }: TrustedIdentity): string =>
  createHash('sha256')
    .update(JSON.stringify([issuer, subject, claims, audience]))
    .digest('base64url')

/** A platform's token, and the fingerprint of the key that is sent with it. */
interface Presented {
  token: Readonly<Record<string, unknown>>
  fingerprint: string
}

/** The claim that differs, or undefined if the token has this identity. Every claim must be equal, and a text. */
const differingClaim = (
  { subject, claims, audience }: TrustedIdentity,
  { token, fingerprint }: Presented,
): string | undefined => {
  if (token.sub !== subject) return 'sub'
  const [only, ...others] = Array.isArray(token.aud) ? token.aud : [token.aud]
  // An audience may name the key: then the token is useless with any other.
  if ((only !== audience && only !== `${audience}/keys/${fingerprint}`) || others.length > 0) return 'aud'
  const wanted: Record<string, string> = JSON.parse(claims)
  if ('email' in wanted && Object.hasOwn(token, 'email_verified') && token.email_verified !== true)
    return 'email_verified'
  return Object.keys(wanted).find((name) => !Object.hasOwn(token, name) || token[name] !== wanted[name])
}

/** The identity that a token has, or the claim by which it misses the nearest one. */
export const matchIdentity = <T extends TrustedIdentity>(
  trusted: readonly T[],
  presented: Presented,
): { identity: T } | { claim: string } => {
  const differing = trusted.map((identity) => ({ identity, claim: differingClaim(identity, presented) }))
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
