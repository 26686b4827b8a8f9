import type { IncomingMessage } from 'node:http'
import { errors, Refusal } from '@countersign/sdk/contract'
import { createThread } from '../thread.ts'
import { type Parsed, parseJson, type ToParse } from './json.ts'

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

/** Bodies up to this size are parsed at once; larger ones in a thread, so that they delay no other request. */
export const largeBytes = 64_000

/** Reads the bytes of a JSON body. Rejects a large body before it is held in memory. Undefined if there is none. */
export const readBytes = async (request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> => {
  const length = lengthOf(request)
  if (length === 0) return undefined
  checkHeaders(request)
  if (length !== undefined && length > maxBytes) throw tooLarge()
  const bytes = await collect(request, maxBytes)
  return bytes.length === 0 ? undefined : bytes
}

/** The most bytes that the body can have, as its headers say. */
export const expectedBytes = (request: IncomingMessage, maxBytes: number): number =>
  Math.min(lengthOf(request) ?? maxBytes, maxBytes)

/** How many large bodies may wait for the thread. */
const maxWaiting = 32

const isSource = import.meta.url.endsWith('.ts')
const program = new URL(isSource ? './json-thread.ts' : './json-thread.js', import.meta.url)

/** Parses bodies. */
export const createBodyParser = () => {
  const thread = createThread<ToParse, Parsed>({ program })

  const parse = async (toParse: ToParse): Promise<Parsed> => {
    if (toParse.bytes.length <= largeBytes) return parseJson(toParse.bytes, toParse.maxValues)
    if (thread.waiting() >= maxWaiting)
      throw new Refusal('unavailable', 'Too many large requests at once. Try again in a moment.')
    return (await thread.ask(toParse)) ?? { fault: 'The body could not be read.' }
  }

  return {
    /** `{}` if there is no body. */
    parse: async (bytes: Buffer | undefined, maxValues: number): Promise<unknown> => {
      const parsed = bytes === undefined ? { value: {} } : await parse({ bytes, maxValues })
      if ('fault' in parsed) throw new Refusal('bad_request', parsed.fault)
      return parsed.value
    },
    /** Starts the thread for large bodies and keeps it. */
    start: thread.start,
    close: thread.close,
  }
}

export type BodyParser = ReturnType<typeof createBodyParser>
