import type { Jwks } from '../contract/signing.ts'
import { isObject } from './values.ts'

export const maxJwksLength = 64_000

/** Validates a key set (RFC 7517 §5). Throws for anything else. */
export const readJwks = (given: unknown): Jwks => {
  if (!isObject(given) || !Array.isArray(given.keys)) throw new Error('The keys are not a JWKS')
  return { keys: given.keys.filter(isObject) as Jwks['keys'] }
}
