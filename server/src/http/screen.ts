import { limits, Refusal } from '@countersign/sdk/contract'

/** The last two make comparisons of the value throw: schemas compare the `length` even of values that are not text. */
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype', 'toString', 'valueOf'])

const refuse = (detail: string): never => {
  throw new Refusal('bad_request', detail)
}

const screenText = (text: string) => {
  // PostgreSQL rejects NUL and silently replaces lone surrogates; SQLite stores both.
  if (text.includes('\0')) refuse('Text must not contain NUL characters.')
  if (!text.isWellFormed()) refuse('Text must be well-formed Unicode.')
}

/**
 * Makes parsed JSON safe to work with: bounded nesting, no keys of prototypes, no NUL or lone surrogates. Members that are null are removed,
 * because null in input means absent.
 */
export const screenJson = (value: unknown, depth = 1): unknown => {
  if (typeof value === 'string') screenText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > limits.nesting) refuse(`JSON must not be nested deeper than ${limits.nesting} levels.`)
  if (Array.isArray(value)) return value.map((item) => screenJson(item, depth + 1))
  const record = value as Record<string, unknown>
  for (const key of Object.keys(record)) {
    if (forbiddenKeys.has(key)) refuse(`A field must not be called ${key}.`)
    screenText(key)
    if (record[key] === null) delete record[key]
    else record[key] = screenJson(record[key], depth + 1)
  }
  return record
}
