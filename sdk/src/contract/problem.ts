import type { z } from 'zod'
import { errors, type FieldError, type Problem, Refusal } from './errors.ts'

type Source = 'body' | 'query'

const pointerOf = (path: readonly PropertyKey[]) =>
  `#${path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')}`

const fieldErrorsOf = (source: Source, issue: z.core.$ZodIssue): FieldError[] => {
  const at = (path: readonly PropertyKey[], msg: string): FieldError => ({
    loc: [source, ...path.map((step) => (typeof step === 'number' ? step : String(step)))],
    msg,
    pointer: pointerOf(path),
  })
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => at([...issue.path, key], `Unknown field "${key.slice(0, 100)}"`))
  return [at(issue.path, issue.message)]
}

/** Lists every invalid field. */
export const invalidInput = (source: Source, error: z.core.$ZodError): Refusal => {
  const fields = error.issues.flatMap((issue) => fieldErrorsOf(source, issue)).slice(0, 50)
  const detail = fields
    .slice(0, 3)
    .map(({ loc, msg }) => (loc.length > 1 ? `${loc.slice(1).join('.')}: ${msg}` : msg))
    .join('; ')
  return new Refusal('validation_failed', detail, { errors: fields })
}

/** The problem document (RFC 9457) of a refusal. */
export const problemOf = (refusal: Refusal, requestId: string): Problem => {
  const { status, title } = errors[refusal.code]
  return {
    type: `urn:countersign:error:${refusal.code}`,
    title,
    status,
    detail: refusal.message,
    code: refusal.code,
    request_id: requestId,
    ...refusal.extensions,
  }
}
