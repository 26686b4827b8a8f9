import { LogError } from '../bytes.ts'

/** A value that JSON can express. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [name: string]: JsonValue }

/** The canonical JSON of a value (RFC 8785). Throws a {@link LogError} for what has none: lone surrogates, NaN and infinities. */
export const canonicalJson = (value: JsonValue): string => {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new LogError('Text with a lone surrogate has no canonical JSON')
    return JSON.stringify(value)
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw new LogError(`${value} has no canonical JSON`)
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`
  // RFC 8785 §3.2.3 sorts by UTF-16 code units, as sort() does.
  const members = Object.keys(value)
    .sort()
    .map((name) => `${canonicalJson(name)}:${canonicalJson(value[name] ?? null)}`)
  return `{${members.join(',')}}`
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value)

/** Reads canonical JSON. Throws a {@link LogError} for any other spelling, so that one value has one. */
export const parseCanonicalJson = (text: string): JsonValue => {
  let value: JsonValue
  try {
    value = JSON.parse(text) as JsonValue
  } catch {
    throw new LogError('Not JSON')
  }
  if (canonicalJson(value) !== text) throw new LogError('Not canonical JSON')
  return value
}
