import { limits } from '../contract/limits.ts'
import type { Jwks } from '../contract/signing.ts'
import type { Claims } from '../contract/verifications.ts'
import { tokenTypes } from '../verify/token.ts'

export const testIssuer = 'https://registry.test'

/** A signing key like a registry's, created for a test. */
export interface TestKey {
  /** The public key. */
  jwks: Jwks
  /**
   * Signs bytes with the private key.
   *
   * @returns The signature, 64 bytes.
   * @example
   * ```ts
   * const signature = await key.sign(new TextEncoder().encode('signed'))
   * ```
   */
  sign(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array>
}

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const encoder = new TextEncoder()

/**
 * An Ed25519 key; `kid` is its thumbprint (RFC 7638).
 *
 * @returns The {@link TestKey}.
 * @example
 * ```ts
 * const key = await createTestKey()
 * ```
 */
export const createTestKey = async (): Promise<TestKey> => {
  const pair = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair
  const { x = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey)
  const members = encoder.encode(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
  const kid = base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', members)))
  return {
    jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' }] },
    sign: async (bytes) => new Uint8Array(await crypto.subtle.sign('Ed25519', pair.privateKey, bytes)),
  }
}

const idSymbols = '0123456789abcdefghjkmnpqrstvwxyz'

/** A random ID in the registry's format. */
export const createTestId = (prefix: string) =>
  `${prefix}_0${Array.from(crypto.getRandomValues(new Uint8Array(25)), (byte) => idSymbols[byte % 32]).join('')}`

/** Options of `issueTestToken`. */
export interface TestTokenOptions {
  /** By default a new one for each token. */
  key?: TestKey | undefined
  /** Milliseconds since 1970; `Date.now` by default. */
  now?: (() => number) | undefined
}

/** A token for tests, with the keys that verify it. */
export interface TestToken {
  /** The token. */
  token: string
  /** Its claims. */
  claims: Claims
  /** Its issuer. */
  issuer: string
  /** The key set that verifies the token. */
  jwks: Jwks
}

/**
 * Creates a token as a registry would sign it: valid for 15 minutes, from the proven domain `acme.example`, unless `claims` override
 * that. An undefined claim is omitted. With `response_hash` it is a `bound+jwt`. Nothing is validated, so that tests can make expired or
 * impossible tokens.
 *
 * @returns The token, its claims, its issuer and the keys that verify it.
 * @example
 * ```ts
 * const { token, issuer, jwks } = await issueTestToken({ model_identifier: 'tiny' })
 * ```
 */
export const issueTestToken = async (
  claims: Partial<Claims> = {},
  options: TestTokenOptions = {},
): Promise<TestToken> => {
  const { now = Date.now, key = await createTestKey() } = options
  const iat = Math.floor(now() / 1_000)
  const isBound = claims.response_hash !== undefined
  const all: Claims = {
    iss: testIssuer,
    jti: createTestId('vrf'),
    iat,
    exp: (claims.iat ?? iat) + limits.tokenLifetimeSeconds,
    model_id: createTestId('mdl'),
    provider_id: createTestId('prv'),
    provider_domain: 'acme.example',
    model_identifier: 'tiny',
    version: '1.0.0',
    bound_to_response: isBound,
    ...(isBound && { bound_by: 'provider' as const }),
    ...claims,
  }
  const encode = (value: unknown) => base64url(encoder.encode(JSON.stringify(value)))
  const header = { alg: 'EdDSA', typ: isBound ? tokenTypes.bound : tokenTypes.plain, kid: key.jwks.keys[0]?.kid }
  const content = `${encode(header)}.${encode(all)}`
  const signature = base64url(await key.sign(encoder.encode(content)))
  return { token: `${content}.${signature}`, claims: all, issuer: all.iss, jwks: key.jwks }
}
