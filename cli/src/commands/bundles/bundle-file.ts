import { limits, UploadedBundle } from '@countersign/sdk/contract'
import type { Context } from '../../context.ts'
import { usage } from '../../failure.ts'

/** A bundle as the registry takes it; what is none is refused before anything is sent. */
export const readBundleFile = async (context: Context, file: string): Promise<UploadedBundle> => {
  const bytes = await context.files.read(file)
  if (bytes.byteLength > limits.bundleBytes)
    throw usage(`${file} is larger than ${limits.bundleBytes} bytes: a bundle holds signatures, not the model`)
  const json = parsed(bytes)
  if (typeof json !== 'object') throw noBundle(file, 'it is not JSON')
  const { data, error } = UploadedBundle.safeParse(json)
  if (data) return data
  const [issue] = error.issues
  const field = issue?.path.join('.')
  throw noBundle(file, field === undefined || field === '' ? 'its fields are others' : `${field} is missing or not as it must be`)
}

const noBundle = (file: string, why: string) =>
  usage(
    `${file === '-' ? 'What came from stdin' : file} is no Sigstore bundle: ${why}`,
    'Make one with: countersign bundles sign PATH --key key.pem',
  )

const parsed = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return undefined
  }
}
