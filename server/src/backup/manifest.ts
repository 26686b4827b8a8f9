import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '@countersign/sdk/contract'
import { z } from 'zod'
import { replaceFileDurably } from '../durable-file.ts'
import type { Tallies } from './tables.ts'

const Manifest = z.strictObject({
  format: z.literal(1),
  created_at: z.string(),
  server_version: z.string(),
  /** The last migration. */
  schema: z.string(),
  engine: z.enum(['sqlite', 'postgres']),
  file: z.strictObject({ bytes: z.number(), sha256: z.string() }),
  tables: z.record(z.string(), z.strictObject({ rows: z.number(), sha256: z.string() })),
})
export type Manifest = z.infer<typeof Manifest>

export const manifestFileOf = (file: string) => `${file}.manifest.json`

export const fingerprintOf = async (file: string): Promise<Manifest['file']> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return { bytes: (await stat(file)).size, sha256: hash.digest('hex') }
}

export const writeManifest = (
  file: string,
  of: Omit<Manifest, 'format' | 'created_at'> & { at: number; tables: Tallies },
) => {
  const { at, ...rest } = of
  const manifest: Manifest = { format: 1, created_at: new Date(at).toISOString(), ...rest }
  replaceFileDurably(manifestFileOf(file), `${JSON.stringify(manifest, null, 2)}\n`)
  return manifest
}

export const readManifest = (file: string): Manifest => {
  const path = manifestFileOf(file)
  if (!existsSync(path)) throw new Refusal('not_found', `${path} is missing. It is written next to each backup.`)
  const { data } = Manifest.safeParse(JSON.parse(readFileSync(path, 'utf8')))
  if (!data) throw new Refusal('bad_request', `${path} is not a backup manifest that this version can read.`)
  return data
}
