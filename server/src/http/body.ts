import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { errors, Refusal } from '@countersign/sdk/contract'

const jsonType = /^application\/json *(?:; *(.*))?$/i
const utf8 = /^charset="?utf-?8"?$/i

const unsupported = (detail: string) => new Refusal('unsupported_media_type', detail)
const tooLarge = () => new Refusal('body_too_large', errors.body_too_large.title)

const lengthOf = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined

const checkHeaders = ({ headers }: IncomingMessage) => {
  const [type, parameter] = jsonType.exec(headers['content-type'] ?? '') ?? []
  if (type === undefined) throw unsupported('Send the body as JSON, with Content-Type: application/json.')
  if (parameter && !utf8.test(parameter)) throw unsupported('The body must be UTF-8.')
  // A few compressed bytes could become gigabytes.
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw unsupported('Compressed bodies are not accepted.')
}

const collect = (request: IncomingMessage, maxBytes: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      // Drain what exceeds the limit, so that the client receives the error.
      if (bytes <= maxBytes) chunks.push(chunk)
      else reject(tooLarge())
    })
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    request.on('error', (cause) => reject(new Refusal('bad_request', 'The request was cut off.', {}, { cause })))
  })

const parse = (bytes: Buffer): unknown => {
  if (!isUtf8(bytes)) throw new Refusal('bad_request', 'The body is not valid UTF-8.')
  try {
    return JSON.parse(bytes.toString())
  } catch (cause) {
    throw new Refusal('bad_request', 'The body is not valid JSON.', {}, { cause })
  }
}

/** Reads a JSON body, or `{}` if there is none. Rejects a large body before it is held in memory. */
export const readJson = async (request: IncomingMessage, maxBytes: number): Promise<unknown> => {
  const length = lengthOf(request)
  if (length === 0) return {}
  checkHeaders(request)
  if (length !== undefined && length > maxBytes) throw tooLarge()
  const bytes = await collect(request, maxBytes)
  return bytes.length === 0 ? {} : parse(bytes)
}
