import { createPrivateKey, type KeyObject } from 'node:crypto'
import type { Context } from '../../context.ts'
import { Failure, usage } from '../../failure.ts'

export const keyHint = 'Create a key with: openssl ecparam -name prime256v1 -genkey -noout -out key.pem'

/** Reads the private key from a file, which never leaves this machine; asks for its passphrase if it has one. */
export const readSigningKey = async (context: Context, name: string): Promise<KeyObject> => {
  const pem = Buffer.from(await context.files.read(name)).toString('utf8')
  const isLocked = /ENCRYPTED/.test(pem)
  const given = context.env.COUNTERSIGN_KEY_PASSPHRASE
  if (isLocked && given === undefined && !context.isInteractive)
    throw usage(`${name} is protected by a passphrase`, 'Set COUNTERSIGN_KEY_PASSPHRASE')
  const passphrase = isLocked ? (given ?? (await context.prompts().secret(`Passphrase of ${name}`))) : undefined
  try {
    return createPrivateKey({ key: pem, passphrase })
  } catch (cause) {
    if (isLocked) throw new Failure('usage', 2, `The passphrase for ${name} is wrong`, null, { cause })
    const isPublic = /PUBLIC KEY/.test(pem)
    throw new Failure(
      'usage',
      2,
      isPublic
        ? `${name} is a public key; signing requires the private key`
        : `${name} does not contain a readable private key`,
      keyHint,
      { cause },
    )
  }
}
