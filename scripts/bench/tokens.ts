import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { Claims } from '@countersign/sdk/contract'
import { createNewId } from '../../server/src/ids.ts'
import { jwkOf } from '../../server/src/signing/rules.ts'
import { thumbprintOf } from '../../server/src/signing/thumbprint.ts'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A registry's key, and different tokens as it issues them. */
export const issueTokens = (issuer: string, count: number) => {
  const { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const kid = thumbprintOf(x)
  const newId = createNewId(Date.now)
  const iat = Math.floor(Date.now() / 1_000)
  const header = encode({ alg: 'EdDSA', typ: 'vt+jwt', kid })
  const tokens = Array.from({ length: count }, (_, number) => {
    const claims: Claims = {
      iss: issuer,
      jti: newId('vrf'),
      iat,
      exp: iat + 900,
      model_id: newId('mdl'),
      provider_id: newId('prv'),
      provider_domain: 'acme.example',
      model_identifier: 'atlas-chat',
      version: '1.0.0',
      model_digest: `sha256:${'9f2c41d7'.repeat(8)}`,
      deployment_id: newId('dep'),
      deployment_binding: 'mtls',
      spki_fingerprint: '64fe2b81'.repeat(8),
      challenge: `blue heron ${number}`,
      bound_to_response: false,
    }
    const signed = `${header}.${encode(claims)}`
    return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`
  })
  return { publicKey, jwks: { keys: [jwkOf({ kid, public_x: x })] }, tokens }
}
