import type { Jwks } from '../contract/signing.ts'
import { isObject } from './values.ts'

export const maxJwksBytes = 64_000

/** A key set as somebody else told it (RFC 7517 §5). Throws for anything that is not one. */
export const readJwks = (told: unknown): Jwks => {
  if (!isObject(told) || !Array.isArray(told.keys)) throw new Error('The answer is not a JWKS')
  return { keys: told.keys.filter(isObject) as Jwks['keys'] }
}
