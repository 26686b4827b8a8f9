import { createPrivateKey, type KeyObject } from 'node:crypto'
import type { Context } from '../../context.ts'
import { Failure, usage } from '../../failure.ts'

export const keyHint = 'Make a key with: openssl ecparam -name prime256v1 -genkey -noout -out key.pem'

/** The private key in a file, which never leaves this machine; asks for its passphrase where there is one. */
export const readSigningKey = async (context: Context, name: string): Promise<KeyObject> => {
  const pem = Buffer.from(await context.files.read(name)).toString('utf8')
  const isLocked = /ENCRYPTED/.test(pem)
  const given = context.env.COUNTERSIGN_KEY_PASSPHRASE
  if (isLocked && given === undefined && !context.isInteractive)
    throw usage(`${name} is locked with a passphrase`, 'Set COUNTERSIGN_KEY_PASSPHRASE')
  const passphrase = isLocked ? (given ?? (await context.prompts().secret(`Passphrase of ${name}`))) : undefined
  try {
    return createPrivateKey({ key: pem, passphrase })
  } catch (cause) {
    if (isLocked) throw new Failure('usage', 2, `The passphrase does not open ${name}`, null, { cause })
    const isPublic = /PUBLIC KEY/.test(pem)
    throw new Failure(
      'usage',
      2,
      isPublic ? `${name} is a public key; the private one signs` : `${name} holds no private key that can be read`,
      keyHint,
      { cause },
    )
  }
}
