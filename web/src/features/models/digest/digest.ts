import { byCodePoints, gitPaths, isInside, isPrintable, limits, type ModelFile } from '@countersign/sdk/contract'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { DigestAnswer, DigestOrder } from './digest-worker.ts'

/** A file of a model, with its path in the model. */
export interface ChosenFile {
  name: string
  file: File
}

/** The chosen or dropped file, or the files of a folder. */
export interface Chosen {
  /** The name of the file or folder. */
  name: string
  kind: 'file' | 'directory'
  files: readonly ChosenFile[]
}

export interface HashedModel {
  /** `sha256:` and 64 hex characters: a file's SHA-256, or for a folder the root digest of OpenSSF Model Signing v1.0. */
  digest: string
  bytes: number
  name: string
  kind: Chosen['kind']
  /** In the order that the digest depends on. */
  files: ModelFile[]
  leftOut: string[]
}

/** Why these files cannot be hashed as a model. */
export type DigestRefusal =
  | { reason: 'empty' | 'tooMany' | 'worker' }
  | { reason: 'badName' | 'sameName' | 'unreadable'; name: string }

export interface DigestProgress {
  file: string
  bytes: number
  total: number
}

interface Options {
  signal: AbortSignal
  onProgress: (progress: DigestProgress) => void
}

/** The default file name of an OpenSSF Model Signing signature. */
const signatureFile = 'model.sig'

const topOf = (name: string) => name.split('/')[0] ?? name

const isBundle = async (file: File): Promise<boolean> => {
  try {
    return file.size <= limits.bundleBytes && 'mediaType' in JSON.parse(await file.text())
  } catch {
    return false
  }
}

/** The model files of a choice, as the command line selects them: a folder without git's own files and its signature bundle. */
export const modelFilesOf = async ({ kind, files }: Chosen) => {
  const signature = files.find(({ name }) => name === signatureFile)
  const isSigned = signature !== undefined && (await isBundle(signature.file))
  const leftOutAtTop: readonly string[] = [...gitPaths, ...(isSigned ? [signatureFile] : [])]
  const isLeftOut = ({ name }: ChosenFile) => kind === 'directory' && leftOutAtTop.includes(topOf(name))
  return {
    files: files.filter((file) => !isLeftOut(file)).toSorted(byCodePoints),
    // Browsers list a folder in any order.
    leftOut: [...new Set(files.filter(isLeftOut).map(({ name }) => topOf(name)))].sort(),
  }
}

/** Why these cannot be the files of a model. */
export const digestRefusal = (files: readonly ChosenFile[]): DigestRefusal | undefined => {
  if (files.length === 0) return { reason: 'empty' }
  if (files.length > limits.modelFiles) return { reason: 'tooMany' }
  const bad = files.find(({ name }) => !isInside(name) || !isPrintable(name))
  if (bad) return { reason: 'badName', name: bad.name }
  const same = files.find(({ name }, index) => name === files[index + 1]?.name)
  return same && { reason: 'sameName', name: same.name }
}

/** OMS v1.0: SHA-256 over the raw digests in the given order. */
export const rootDigestOf = (digests: readonly string[]) => {
  const sum = sha256.create()
  for (const digest of digests) sum.update(hexToBytes(digest))
  return `sha256:${bytesToHex(sum.digest())}`
}

/** The digest of a model, as `countersign models digest` computes it. Undefined if cancelled. */
export const hashModel = async (
  chosen: Chosen,
  { signal, onProgress }: Options,
): Promise<HashedModel | DigestRefusal | undefined> => {
  const { files, leftOut } = await modelFilesOf(chosen)
  const refusal = digestRefusal(files)
  if (refusal) return refusal
  const total = files.reduce((sum, { file }) => sum + file.size, 0)
  const answer = await askWorker(files, { signal, onProgress: (file, bytes) => onProgress({ file, bytes, total }) })
  if (answer === undefined || 'reason' in answer) return answer
  const [only = ''] = answer.digests
  return {
    digest: chosen.kind === 'file' ? `sha256:${only}` : rootDigestOf(answer.digests),
    bytes: total,
    name: chosen.name,
    kind: chosen.kind,
    files: files.map(({ name, file }, index) => ({ name, size: file.size, sha256: answer.digests[index] ?? '' })),
    leftOut,
  }
}

interface Asking {
  signal: AbortSignal
  onProgress: (file: string, bytes: number) => void
}

const askWorker = (
  files: readonly ChosenFile[],
  { signal, onProgress }: Asking,
): Promise<{ digests: string[] } | DigestRefusal | undefined> =>
  new Promise((resolve) => {
    const worker = new Worker(new URL('./digest-worker.ts', import.meta.url), { type: 'module' })
    const end = (answer: { digests: string[] } | DigestRefusal | undefined) => {
      signal.removeEventListener('abort', stop)
      worker.terminate()
      resolve(answer)
    }
    const stop = () => end(undefined)
    signal.addEventListener('abort', stop)
    const nameOf = (index: number) => files[index]?.name ?? ''
    worker.addEventListener('error', () => end({ reason: 'worker' }))
    worker.addEventListener('message', ({ data }: MessageEvent<DigestAnswer>) => {
      if (data.kind === 'progress') onProgress(nameOf(data.index), data.bytes)
      else if (data.kind === 'failed') end({ reason: 'unreadable', name: nameOf(data.index) })
      else end(data)
    })
    worker.postMessage({ files: files.map(({ file }) => file) } satisfies DigestOrder)
  })
