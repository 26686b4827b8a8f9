import { isUtf8 } from 'node:buffer'

/** A parsed body, or what is wrong with it. */
export type Parsed = { value: unknown } | { fault: string }

/** More values than this would take longer to copy and to check than any honest body needs. */
const maxValues = 250_000

const [quote, backslash, comma, bracket, brace] = [...'"\\,[{'].map((char) => char.charCodeAt(0))

/** Counts values by their separators, without building them: 5 MB of `[],[],…` would become 200 MB of objects. */
const hasTooManyValues = (bytes: Uint8Array): boolean => {
  let values = 0
  let isText = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (isText) {
      if (byte === backslash) at++
      else if (byte === quote) isText = false
    } else if (byte === quote) isText = true
    else if (byte === comma || byte === bracket || byte === brace) values++
  }
  return values > maxValues
}

/** Reads a JSON text. */
export const parseJson = (bytes: Uint8Array): Parsed => {
  if (!isUtf8(bytes)) return { fault: 'The body is not valid UTF-8.' }
  if (hasTooManyValues(bytes)) return { fault: `The body has more than ${maxValues} values.` }
  try {
    return { value: JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()) }
  } catch {
    return { fault: 'The body is not valid JSON.' }
  }
}
