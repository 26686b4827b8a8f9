import { invalidField, Refusal } from '@countersign/sdk/contract'
import type { Sharp } from 'sharp'

/** Makes a small WebP of the given image and drops everything else in the file. */
export type EncodeLogo = (bytes: Buffer, field: 'file' | 'logo_url') => Promise<Buffer>

const maxPixels = 16e6
const maxEdge = 512
const maxWaiting = 20

const signatures: readonly ((bytes: Buffer) => boolean)[] = [
  (bytes) => bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
  (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  (bytes) => bytes.subarray(0, 4).toString('latin1') === 'RIFF' && bytes.subarray(8, 12).toString('latin1') === 'WEBP',
]

const notAnImage = 'Please select an image file'

const tooManyPixels = `Image must have at most ${maxPixels / 1e6} megapixels`

/** The library reads dozens of formats, some with external programs; only three are allowed. */
const loadSharp = async () => {
  const { default: sharp } = await import('sharp')
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'] })
  sharp.cache(false)
  sharp.concurrency(1)
  return (bytes: Buffer): Sharp => sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' })
}

/** Errors of the image use the words of the form. */
const encodeWith = async (open: (bytes: Buffer) => Sharp, bytes: Buffer): Promise<Buffer | string> => {
  try {
    return await open(bytes)
      .timeout({ seconds: 10 })
      .autoOrient()
      .resize({ width: maxEdge, height: maxEdge, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 85 })
      .toBuffer()
  } catch (error) {
    return error instanceof Error && /pixel limit/i.test(error.message) ? tooManyPixels : notAnImage
  }
}

/** One image at a time, so that image processing leaves the processors to visitors. */
export const createEncodeLogo = (): EncodeLogo => {
  let loading: ReturnType<typeof loadSharp> | undefined
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  return async (bytes, field) => {
    if (!signatures.some((matches) => matches(bytes))) throw invalidField(field, notAnImage)
    if (waiting >= maxWaiting)
      throw new Refusal('unavailable', 'Too many images are being read. Try again in a moment.')
    waiting++
    try {
      loading ??= loadSharp()
      const open = await loading
      const turn = last.then(() => encodeWith(open, bytes))
      last = turn
      const made = await turn
      if (typeof made === 'string') throw invalidField(field, made)
      return made
    } finally {
      waiting--
    }
  }
}
