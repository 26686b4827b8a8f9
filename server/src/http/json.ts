import { isUtf8 } from 'node:buffer'

export interface ToParse {
  bytes: Uint8Array
  maxValues: number
}

/** A parsed body, or what is wrong with it. */
export type Parsed = { value: unknown } | { fault: string }

const [quote, backslash, comma, bracket, brace] = [...'"\\,[{'].map((char) => char.charCodeAt(0))

/** Counts values by their separators, without building them: 5 MB of `[],[],…` would become 200 MB of objects. */
const hasMoreValues = (bytes: Uint8Array, maxValues: number): boolean => {
  let values = 0
  let isText = false
  for (let at = 0; at < bytes.length && values <= maxValues; at++) {
    const byte = bytes[at]
    if (isText) {
      if (byte === backslash) at++
      else if (byte === quote) isText = false
    } else if (byte === quote) isText = true
    else if (byte === comma || byte === bracket || byte === brace) values++
  }
  return values > maxValues
}

/** Reads a JSON text of at most `maxValues` values. */
export const parseJson = (bytes: Uint8Array, maxValues: number): Parsed => {
  if (!isUtf8(bytes)) return { fault: 'The body is not valid UTF-8.' }
  if (bytes.length > maxValues && hasMoreValues(bytes, maxValues))
    return { fault: `The body has more than ${maxValues} values.` }
  try {
    return { value: JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()) }
  } catch {
    return { fault: 'The body is not valid JSON.' }
  }
}
