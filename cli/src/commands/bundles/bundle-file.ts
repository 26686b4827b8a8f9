import { limits, UploadedBundle } from '@countersign/sdk/contract'
import type { Context } from '../../context.ts'
import { usage } from '../../failure.ts'

/** Parses a bundle as the registry accepts it; rejects anything else before sending. */
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
  throw noBundle(
    file,
    field === undefined || field === '' ? 'it has unexpected fields' : `${field} is missing or not valid`,
  )
}

const noBundle = (file: string, why: string) =>
  usage(
    `${file === '-' ? 'The input from stdin' : file} is not a Sigstore bundle: ${why}`,
    'Create one with: countersign bundles sign PATH --key key.pem',
  )

const parsed = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return undefined
  }
}
