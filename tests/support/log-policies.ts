import { generateKeyPairSync } from 'node:crypto'
import { formatVkey, noteKey, signatureTypes } from '@countersign/sdk/log'
import type { World } from './world.ts'

/** The lines of a policy that name the registry’s log. */
export const logPolicyOf = async ({ registry }: Pick<World, 'registry'>) => {
  const { vkeys = [] } = (await registry.transparency.describe()) ?? {}
  return vkeys.map((key) => `log ${key}\n`).join('')
}

/** The key of a witness that does not run. */
export const absentWitness = () => {
  const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  return formatVkey(noteKey('witness.example', signatureTypes.cosignature, Buffer.from(x, 'base64url')))
}
