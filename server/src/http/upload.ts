import type { IncomingMessage } from 'node:http'
import { Refusal } from '@countersign/sdk/contract'
import busboy from 'busboy'

/** One file, kept in memory: uploads are small, and bounded before they are read. */
export interface Upload {
  name: string
  /** The type the sender claims. Don't rely on it. */
  mediaType: string
  bytes: Buffer
}

const unsupported = () =>
  new Refusal('unsupported_media_type', 'Send one file as multipart/form-data, in the field "file".')

/** Reads the one file of a multipart body. Rejects one larger than `maxBytes`, and any other field. */
export const readUpload = (request: IncomingMessage, maxBytes: number): Promise<Upload> =>
  new Promise((resolve, reject) => {
    const refuse = (refusal: Refusal) => {
      request.unpipe()
      // Drain the rest, so that the client receives the error.
      request.resume()
      reject(refusal)
    }
    let parser: ReturnType<typeof busboy>
    try {
      parser = busboy({
        headers: request.headers,
        limits: { files: 1, fields: 0, fileSize: maxBytes, headerPairs: 20 },
      })
    } catch {
      return refuse(unsupported())
    }
    let upload: Upload | undefined
    parser.on('file', (field, stream, { filename, mimeType }) => {
      if (field !== 'file') {
        stream.resume()
        return refuse(unsupported())
      }
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      // A body that ends in the middle of the file destroys it with an error, which would crash the process without a listener.
      stream.on('error', (cause) => refuse(new Refusal('bad_request', 'The upload ended too early.', {}, { cause })))
      stream.on('limit', () =>
        refuse(new Refusal('body_too_large', `Image must be smaller than ${maxBytes / 2 ** 20}MB`)),
      )
      stream.on('end', () => {
        upload = { name: filename ?? '', mediaType: mimeType, bytes: Buffer.concat(chunks) }
      })
    })
    for (const event of ['filesLimit', 'fieldsLimit'] as const) parser.on(event, () => refuse(unsupported()))
    parser.on('error', () => refuse(new Refusal('bad_request', 'The upload could not be read.')))
    parser.on('close', () => (upload ? resolve(upload) : reject(unsupported())))
    request.on('error', (cause) => reject(new Refusal('bad_request', 'The request was cut off.', {}, { cause })))
    request.pipe(parser)
  })
