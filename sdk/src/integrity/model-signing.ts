import { z } from 'zod'
import { isInside } from '../contract/file-name.ts'
import { rootDigest } from './file-list.ts'
import { inJson } from './in-json.ts'

export const modelSigningType = 'https://model_signing/signature/v1.0'

/** Lengths of the digests in hex. */
export const hexLengths: Record<string, number> = { sha256: 64, sha384: 96, sha512: 128, blake2b: 128, blake3: 64 }

/** One file, or one piece of a file (`name:start:end`), as it was signed. */
export interface ModelResource {
  /** Path of the file. */
  name: string
  /** Algorithm of the digest. */
  algorithm: string
  /** The digest, hex. */
  digest: string
}

/** The content of an OMS statement (OpenSSF Model Signing v1.0) about a model. */
export interface ModelStatement {
  /** The model's name, which affects no decision. */
  name: string
  /** `sha256:` and the SHA-256 of all digests in listed order. */
  root_digest: string
  /** In the order of the statement, which determines the root digest. */
  resources: ModelResource[]
  /** How the files were serialised. */
  method: 'files' | 'shards'
  /** Length of the pieces, if the files were hashed in pieces. */
  shard_size: number | null
  /** Algorithm of the digests. */
  hash_type: string
  /** Paths that were ignored. */
  ignore_paths: string[]
  /** Whether symbolic links were followed. */
  allow_symlinks: boolean
}

const Resource = z.object({
  name: z.string().min(1).max(4_096),
  algorithm: z.string(),
  digest: z.string().regex(/^[0-9a-f]+$/),
})
const Path = z.string()
const Statement = z.object({
  subject: z.tuple([
    z.object({ name: z.string().default(''), digest: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }) }),
  ]),
  predicate: z.object({
    resources: z.array(z.unknown()).min(1),
    serialization: z.object({
      method: z.enum(['files', 'shards']),
      hash_type: z.string(),
      shard_size: z.number().int().positive().optional(),
      allow_symlinks: z.boolean().default(false),
      ignore_paths: z.array(z.unknown()).default([]),
    }),
  }),
})

const malformed = (place: string) => `The statement of OpenSSF Model Signing is malformed at ${place || 'its top'}`

/** The statement of a signed model, checked by itself; a string says what is wrong with it. */
export const parseModelStatement = (statement: unknown): ModelStatement | string => {
  const { data, error } = Statement.safeParse(statement)
  if (error) return malformed(error.issues[0]?.path.join('.') ?? '')
  const { resources: listed, serialization } = data.predicate
  const resources = readEach(listed, Resource)
  if (typeof resources === 'number') return malformed(`predicate.resources.${resources}`)
  const ignore_paths = readEach(serialization.ignore_paths, Path)
  if (typeof ignore_paths === 'number') return malformed(`predicate.serialization.ignore_paths.${ignore_paths}`)
  const [{ name, digest }] = data.subject
  const fault = faultOf(resources)
  if (fault) return fault
  const root_digest = rootDigest(resources)
  if (root_digest !== `sha256:${digest.sha256}`) return 'The signed root digest does not match the signed files'
  const { method, hash_type, shard_size = null, allow_symlinks } = serialization
  return { name, root_digest, resources, method, hash_type, shard_size, ignore_paths, allow_symlinks }
}

/** Stops at the first invalid item and reports its position: a million messages would fill the memory. */
const readEach = <T>(list: readonly unknown[], schema: z.ZodType<T>): T[] | number => {
  const read: T[] = []
  for (const [index, each] of list.entries()) {
    const { success, data } = schema.safeParse(each)
    if (!success) return index
    read.push(data)
  }
  return read
}

const faultOf = (resources: readonly ModelResource[]): string | undefined => {
  const names = new Set<string>()
  for (const { name, algorithm, digest } of resources) {
    if (hexLengths[algorithm.replace(/-sharded-\d+$/, '')] !== digest.length)
      return `The digest of ${inJson(name)} is not ${inJson(algorithm)}`
    if (names.has(name)) return `${inJson(name)} is listed twice`
    names.add(name)
    // The reference implementation's name for a single file.
    if (!isInside(name) && !(name === '.' && resources.length === 1))
      return `${inJson(name)} is not a path inside the model`
  }
  return undefined
}
