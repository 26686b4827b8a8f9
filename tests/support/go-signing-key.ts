import { generateKeyPairSync } from 'node:crypto'
import { formatVkey, noteKey } from '@countersign/sdk/log'

/** A new key of a log: as Go's `note.NewSigner` reads it, and its verifier key. */
export const createGoSigningKey = (name: string) => {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const vkey = formatVkey(noteKey(name, 1, Buffer.from(x, 'base64url')))
  const seed = Buffer.concat([Buffer.of(1), Buffer.from(d, 'base64url')]).toString('base64')
  // The public key after the ID can have a plus as well.
  const [, id = ''] = vkey.split('+')
  return { vkey, signingKey: `PRIVATE+KEY+${name}+${id}+${seed}` }
}
