import type { ModelFile } from '@countersign/sdk/contract'
import type { HashedModel } from './digest.ts'

/** One chosen file: a registered file with its bytes, one that has its name and other bytes, or neither. */
export type ComparedFile =
  | { name: string; result: 'same'; registered: string }
  | { name: string; result: 'different' | 'unlisted' }

export interface Comparison {
  /**
   * `part`: every chosen file is registered, but others are missing. `renamed`: the bytes are registered, but under other names, and
   * `unnamed`: it is unknown under which names. A digest covers no names, and another name can turn a text into code.
   */
  result: 'same' | 'part' | 'renamed' | 'unnamed' | 'different'
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
  const namesBySum = Map.groupBy(registered, ({ sha256 }) => sha256)
  const names = new Set(registered.map(({ name }) => lastOf(name)))
  // A file chosen alone comes without its folders.
  const isName = (listed: string, chosen: string) => (files.length === 1 ? lastOf(listed) : listed) === chosen
  const findRegistered = ({ sha256, name }: ModelFile): string | undefined => {
    const listed = namesBySum.get(sha256)?.map((file) => file.name)
    return listed?.find((each) => isName(each, name)) ?? listed?.[0]
  }
  const compared =
    registered.length === 0
      ? []
      : files.map((file): ComparedFile => {
          const { name } = file
          const found = findRegistered(file)
          if (found !== undefined) return { name, result: 'same', registered: found }
          return { name, result: names.has(lastOf(name)) ? 'different' : 'unlisted' }
        })
  const isPart = compared.length > 0 && compared.every(({ result }) => result === 'same')
  // A folder around a single file has a different digest from the file’s.
  const isWhole = isPart && registered.every(({ sha256 }) => files.some((file) => file.sha256 === sha256))
  const bytes = digest === modelDigest || isWhole ? 'same' : isPart ? 'part' : 'different'
  const isRenamed =
    registered.length > 1 && compared.some((file) => file.result === 'same' && !isName(file.registered, file.name))
  const isUnnamed = registered.length === 0 && files.length > 1
  return {
    result: bytes === 'different' ? bytes : isRenamed ? 'renamed' : isUnnamed ? 'unnamed' : bytes,
    files: compared.toSorted((a, b) => rank[a.result] - rank[b.result]),
  }
}
