import type { ModelHash } from '@countersign/sdk/node'

/**
 * A folder's hash in the order of a signed list of the same names, as the signed digest was made: signers do not agree on an
 * order (the reference implementation goes folder by folder). As it is where the names are not the same.
 */
export const inSignedOrder = async (hash: ModelHash, signed: readonly { name: string }[]): Promise<ModelHash> => {
  const found = new Map(hash.files.map((file) => [file.name, file]))
  const files = signed.flatMap(({ name }) => found.get(name) ?? [])
  if (hash.kind === 'file' || files.length !== hash.files.length || signed.length !== files.length) return hash
  const { rootDigest } = await import('@countersign/sdk/node')
  return { ...hash, files, digest: rootDigest(files) }
}
