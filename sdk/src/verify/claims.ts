import { idPattern } from '../contract/ids.ts'
import type { Claims } from '../contract/verifications.ts'
import { isText, matches } from './values.ts'

type Test = (value: unknown) => boolean

const isSeconds: Test = (value) => Number.isSafeInteger(value) && Number(value) >= 0

const required = Object.entries({
  iss: isText,
  jti: matches(idPattern('vrf')),
  iat: isSeconds,
  exp: isSeconds,
  model_id: matches(idPattern('mdl')),
  provider_id: matches(idPattern('prv')),
  model_identifier: isText,
  version: isText,
  bound_to_response: (value) => typeof value === 'boolean',
} satisfies Partial<Record<keyof Claims, Test>>)

const optional = Object.entries({
  provider_domain: isText,
  model_digest: isText,
  deployment_id: matches(idPattern('dep')),
  // A later registry may know other bindings. They prove nothing here.
  deployment_binding: isText,
  spki_fingerprint: isText,
  user_fp: isText,
  challenge: isText,
  origin: isText,
  response_hash: matches(/^[0-9a-f]{64}$/),
  bound_by: matches(/^(provider|bearer)$/),
} satisfies Partial<Record<keyof Claims, Test>>)

// Without zod, which is larger than the whole verifier. A test compares it with the contract's schema.
/** Whether an object has the claims of a token, in the right form. Additional claims are allowed. */
export const isClaims = (value: Record<string, unknown>): value is Claims =>
  required.every(([name, test]) => test(value[name])) &&
  optional.every(([name, test]) => value[name] === undefined || test(value[name]))
