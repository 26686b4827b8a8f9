import type { ModelFile } from '@countersign/sdk/contract'
import type { HashedModel } from './digest.ts'

/** One chosen file: a registered file with its bytes, one that has its name and other bytes, or neither. */
export type ComparedFile =
  | { name: string; result: 'same'; registered: string }
  | { name: string; result: 'different' | 'unlisted' }

export interface Comparison {
  /** `part`: every chosen file is registered, but others are missing. */
  result: 'same' | 'part' | 'different'
  /** Those that differ first. Empty if the provider listed no files. */
  files: ComparedFile[]
}

const rank = { different: 0, unlisted: 1, same: 2 } as const

const lastOf = (name: string) => name.slice(name.lastIndexOf('/') + 1)

/** Compares hashed files with the digest and the files of a version. */
export const compareDigest = (
  { digest, files }: Pick<HashedModel, 'digest' | 'files'>,
  modelDigest: string,
  registered: readonly ModelFile[],
): Comparison => {
  const bySum = new Map(registered.map(({ sha256, name }) => [sha256, name]))
  const names = new Set(registered.map(({ name }) => lastOf(name)))
  const namesBySum = (sha256: string, name: string) =>
    registered.some((file) => file.sha256 === sha256 && file.name === name) ? name : bySum.get(sha256)
  const compared =
    registered.length === 0
      ? []
      : files.map(({ name, sha256 }): ComparedFile => {
          const found = namesBySum(sha256, name)
          if (found !== undefined) return { name, result: 'same', registered: found }
          return { name, result: names.has(lastOf(name)) ? 'different' : 'unlisted' }
        })
  const isPart = compared.length > 0 && compared.every(({ result }) => result === 'same')
  // A folder around a single file has a different digest from the file’s.
  const isWhole = isPart && registered.every(({ sha256 }) => files.some((file) => file.sha256 === sha256))
  return {
    result: digest === modelDigest || isWhole ? 'same' : isPart ? 'part' : 'different',
    files: compared.toSorted((a, b) => rank[a.result] - rank[b.result]),
  }
}
