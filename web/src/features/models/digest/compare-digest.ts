import { type ModelFile, mayBeDigests } from '@countersign/sdk/contract'
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
  { digest, kind, bytes, files }: Pick<HashedModel, 'digest' | 'kind' | 'bytes' | 'files'>,
  modelDigest: string,
  registered: readonly ModelFile[],
): Comparison => {
  // A digest alone covers no names.
  if (registered.length === 0)
    return {
      result: digest !== modelDigest ? 'different' : kind === 'file' && !mayBeDigests(bytes) ? 'same' : 'unnamed',
      files: [],
    }
  const namesBySum = Map.groupBy(registered, ({ sha256 }) => sha256)
  const names = new Set(registered.map(({ name }) => lastOf(name)))
  // A file chosen alone comes without its folders.
  const isName = (listed: string, chosen: string) => (kind === 'file' ? lastOf(listed) : listed) === chosen
  const compared = files.map(({ name, sha256 }): ComparedFile => {
    const [first, ...others] = namesBySum.get(sha256)?.map((file) => file.name) ?? []
    if (first === undefined) return { name, result: names.has(lastOf(name)) ? 'different' : 'unlisted' }
    return { name, result: 'same', registered: [first, ...others].find((listed) => isName(listed, name)) ?? first }
  })
  const same = compared.filter((file) => file.result === 'same')
  const found = new Set(same.map((file) => file.registered))
  // A model of one file may have another name.
  const mayRename = kind === 'file' && registered.length === 1
  const isRenamed = !mayRename && same.some((file) => !isName(file.registered, file.name))
  const isWhole = registered.every(({ name }) => found.has(name))
  return {
    result: same.length < compared.length ? 'different' : isRenamed ? 'renamed' : isWhole ? 'same' : 'part',
    files: compared.toSorted((a, b) => rank[a.result] - rank[b.result]),
  }
}
