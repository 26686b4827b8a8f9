// Without zod or the other limits, because the client imports it.

/** Files of one version of a model. */
export const maxModelFiles = 10_000

/** Page size of the list of a version’s files. */
export const maxFilePageSize = 1_000

/**
 * Whether a file of that many bytes could be the digests of a folder's files one after the other. Its SHA-256 is then the folder's root
 * digest, so a digest alone does not show which of the two it is.
 */
export const mayBeDigests = (bytes: number): boolean => bytes >= 64 && bytes % 32 === 0 && bytes <= 32 * maxModelFiles

interface File {
  name: string
  size: number
  sha256: string
}

/** The 64 hex digits of a digest. */
export const hexOf = (digest: string | null | undefined): string => `${digest}`.slice(-64).toLowerCase()

/**
 * Whether a version with this digest was registered with the same files; null if it has no list to compare. Folders that differ
 * only in file names have the same digest, and a file can consist of the digests of a folder's files.
 *
 * @returns True, false or null.
 * @example
 * ```ts
 * const isSame = haveSameFiles(await client.models.files(id).toArray(), files, model_digest)
 * ```
 */
export const haveSameFiles = (
  registered: readonly File[],
  wanted: readonly File[],
  digest: string | null | undefined,
): boolean | null => {
  const [first, second] = wanted
  const file = !second && hexOf(first?.sha256) === hexOf(digest) && first
  if (!registered[0]) return (file && !mayBeDigests(file.size)) || null
  // A single file may have another name.
  const listOf = (files: readonly File[]) =>
    JSON.stringify(files.map(({ name, size, sha256 }) => [file || [name, size], hexOf(sha256)]).sort())
  return listOf(registered) === listOf(wanted)
}
