import { createPrivateKey } from 'node:crypto'
import { Failure } from '../failure.ts'

/** Reads the private key in the file that was given with an option. OpenSSL's own errors name neither. */
export const readPrivateKey = (pem: Buffer, option: string, file: string) => {
  try {
    return createPrivateKey(pem)
  } catch (error) {
    const isEncrypted = error instanceof Error && 'code' in error && error.code === 'ERR_MISSING_PASSPHRASE'
    throw new Failure(
      'not_a_key',
      2,
      `${option}: ${file} is ${isEncrypted ? 'encrypted' : 'not a PEM private key'}`,
      `It must be PEM and not encrypted${option === '--sign-key' ? '. Make one with: countersign deployments keygen' : ''}`,
      { cause: error },
    )
  }
}
