import type { ModelFile } from '@countersign/sdk/contract'

/** A file that was hashed locally. */
interface FoundFile {
  name: string
  size: number
  digest: string
}

type FileState = { size: number; sha256: string }

export interface FileDifferences {
  changed: { name: string; registered: FileState; found: FileState }[]
  /** Registered but not present. */
  missing: string[]
  /** Present but not registered. */
  extra: string[]
}

/** Compare names as well as content: a folder's digest doesn't cover names. */
export const compareFiles = (registered: readonly ModelFile[], found: readonly FoundFile[]): FileDifferences => {
  const here = new Map(found.map(({ name, size, digest }) => [name, { size, sha256: digest.slice(-64) }]))
  const listed = new Set(registered.map(({ name }) => name))
  return {
    changed: registered.flatMap(({ name, size, sha256 }) => {
      const file = here.get(name)
      const isSame = file === undefined || (file.sha256 === sha256 && file.size === size)
      return isSame ? [] : [{ name, registered: { size, sha256 }, found: file }]
    }),
    missing: registered.filter(({ name }) => !here.has(name)).map(({ name }) => name),
    extra: found.filter(({ name }) => !listed.has(name)).map(({ name }) => name),
  }
}

export const hasDifferences = ({ changed, missing, extra }: Record<keyof FileDifferences, readonly unknown[]>) =>
  changed.length + missing.length + extra.length > 0
