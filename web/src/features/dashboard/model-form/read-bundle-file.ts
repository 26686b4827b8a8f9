import { limits, UploadedBundle } from '@countersign/sdk/contract'

export type ReadBundle =
  | { bundle: UploadedBundle }
  | { refused: 'too-large' | 'not-json' }
  | { refused: 'no-bundle'; why: string }

/** Parses a bundle as the registry expects it, so that an invalid file is reported before anything is sent. */
export const readBundleFile = async (file: File): Promise<ReadBundle> => {
  if (file.size > limits.bundleBytes) return { refused: 'too-large' }
  const json = parse(await file.text())
  if (typeof json !== 'object' || json === null) return { refused: 'not-json' }
  const { data, error } = UploadedBundle.safeParse(json)
  return data ? { bundle: data } : { refused: 'no-bundle', why: error.issues[0]?.message ?? '' }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
