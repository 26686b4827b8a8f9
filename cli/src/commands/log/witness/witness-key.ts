import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatVkey, type NoteSigner, noteKey, parseVkey, signatureTypes } from '@countersign/sdk/log'
import { Failure, usage } from '../../../failure.ts'
import { writeDurably } from '../durable-file.ts'

const encodedKey = (pem: string) => {
  const { x = '' } = createPublicKey(pem).export({ format: 'jwk' })
  return Buffer.from(x, 'base64url')
}

/** The witness's key from its folder; a new one if the folder has none. */
export const openWitnessKey = (folder: string, name: string | undefined): NoteSigner => {
  const keyFile = join(folder, 'key.pem')
  const vkeyFile = join(folder, 'key.vkey')
  if (!existsSync(keyFile)) {
    if (name === undefined)
      throw usage('Missing: --name', 'The state folder has no key yet. Name the new one: --name witness.acme.example')
    const { privateKey } = generateKeyPairSync('ed25519')
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const vkey = formatVkey(keyNamed(name, encodedKey(pem)))
    // The name first: a key without one would be unusable, a name without a key is overwritten.
    writeDurably(vkeyFile, `${vkey}\n`)
    writeDurably(keyFile, pem)
  }
  const pem = readFileSync(keyFile, 'utf8')
  const key = parseVkey(readFileSync(vkeyFile, 'utf8').trim())
  if (!encodedKey(pem).equals(key.publicKey) || key.type !== signatureTypes.cosignature)
    throw new Failure('witness_key', 2, `${keyFile} and ${vkeyFile} do not belong together`)
  if (name !== undefined && name !== key.name)
    throw usage(
      `The key in ${folder} is named ${key.name}`,
      'A key cannot be renamed. For another name, use another folder',
    )
  const privateKey = createPrivateKey(pem)
  return { key, sign: (message) => sign(null, message, privateKey) }
}

const keyNamed = (name: string, publicKey: Uint8Array) => {
  try {
    return noteKey(name, signatureTypes.cosignature, publicKey)
  } catch {
    throw usage(`${JSON.stringify(name)} cannot name a key`, 'Use a name without spaces and plus signs')
  }
}
