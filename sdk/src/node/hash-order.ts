import { availableParallelism } from 'node:os'
import type { HashOptions } from './hash-model.ts'
import type { ListedFile } from './list-model-files.ts'

const maxThreads = 8

export const threadsOf = ({ concurrency }: HashOptions): number =>
  concurrency ?? Math.min(availableParallelism(), maxThreads)

/** So that the largest file is not started last. */
export const largestFirst = (files: readonly ListedFile[]): number[] =>
  files
    .map((_, index) => index)
    .sort((left, right) => Number((files[right]?.stats.size ?? 0n) - (files[left]?.stats.size ?? 0n)))

/** A file that is not hashed counts as read. */
export const createProgress = (
  files: readonly ListedFile[],
  isToRead: (index: number) => boolean,
  onProgress: HashOptions['onProgress'],
) => {
  const sizeOf = (index: number) => Number(files[index]?.stats.size ?? 0n)
  const done = files.map((_, index) => (isToRead(index) ? 0 : sizeOf(index)))
  const total = files.reduce((sum, _, index) => sum + sizeOf(index), 0)
  let bytes = done.reduce((sum, each) => sum + each, 0)
  return {
    total,
    report: (index: number, read: number) => {
      // A file that grows while it is read fails at its end; until then its listed size counts.
      const now = Math.min(read, sizeOf(index))
      bytes += now - (done[index] ?? 0)
      done[index] = now
      onProgress?.({ bytes, total, file: files[index]?.name ?? '' })
    },
  }
}
