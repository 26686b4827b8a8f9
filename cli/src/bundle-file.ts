import { limits, UploadedBundle } from '@countersign/sdk/contract'
import type { Context } from './context.ts'
import { usage } from './failure.ts'

/** A bundle as the registry takes it; what is none is refused before anything is sent. */
export const readBundleFile = async (context: Context, file: string): Promise<UploadedBundle> => {
  const bytes = await context.files.read(file)
  if (bytes.byteLength > limits.bundleBytes)
    throw usage(`${file} is larger than ${limits.bundleBytes} bytes: a bundle holds signatures, not the model`)
  const { data, error } = UploadedBundle.safeParse(parsed(bytes))
  if (data) return data
  const [issue] = error.issues
  throw usage(
    `${file} is no Sigstore bundle (${issue?.path.join('.') || 'its top'}: ${issue?.message ?? 'not valid'})`,
    'Sign the model with: countersign bundles sign',
  )
}

const parsed = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return undefined
  }
}
