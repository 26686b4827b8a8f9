import { z } from 'zod'
import { type Endpoints, endpoint } from './endpoint.ts'
import { jwksMaxAgeSeconds } from './limits.ts'
import { routes } from './routes.ts'

/** A public key of the registry (RFC 7517, RFC 8037 §2); `kid` is its RFC 7638 thumbprint. */
export const Jwk = z.strictObject({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  kid: z.string(),
  alg: z.literal('EdDSA'),
  use: z.literal('sig'),
})
export type Jwk = z.infer<typeof Jwk>

/** The registry’s public keys (RFC 7517 §5). */
export const Jwks = z.strictObject({ keys: z.array(Jwk) })
export type Jwks = z.infer<typeof Jwks>

/** The endpoint of the registry’s public keys. */
export const signing = {
  jwks: endpoint(routes.signing.jwks, {
    summary: 'The registry’s public keys (RFC 7517 §5)',
    caller: 'public',
    response: Jwks,
    maxAgeSeconds: jwksMaxAgeSeconds,
  }),
} satisfies Endpoints<typeof routes.signing>
