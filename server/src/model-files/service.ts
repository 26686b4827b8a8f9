import { type ModelFile, Refusal } from '@countersign/sdk/contract'
import { inOrderOf } from '@countersign/sdk/node'
import type { Database } from '../db/engine.ts'
import type { PageQuery } from '../db/paging.ts'
import type { Tx } from '../db/schema.ts'
import { deleteFiles, insertFiles, listFiles } from './store.ts'

interface Deps {
  database: Database
}

interface Version {
  provider_id: string
  model_id: string
}

export const createModelFileService = ({ database }: Deps) => ({
  /** The list in the order that gives the digest. A list that gives another digest is not about this version. */
  ordered(files: readonly ModelFile[] | undefined, model_digest: string | null | undefined): ModelFile[] | undefined {
    if (files === undefined) return undefined
    const found = model_digest
      ? inOrderOf(
          files.map((file) => ({ ...file, digest: file.sha256 })),
          model_digest,
        )
      : undefined
    if (found) return found
    throw new Refusal(
      'files_digest_mismatch',
      model_digest
        ? `model_files do not match ${model_digest}. Hash the model again and send the digest and all files of the same run.`
        : 'This version has no digest for model_files. Send model_digest with them.',
    )
  },

  /** Replaces the previous list. */
  async replace(tx: Tx, version: Version, files: readonly ModelFile[] | undefined) {
    await deleteFiles(tx, version)
    if (files) await insertFiles(tx, version, files)
  },

  add: (tx: Tx, version: Version, files: readonly ModelFile[]) => insertFiles(tx, version, files),

  list: (version: Version, query: PageQuery) => listFiles(database.read, version, query),
})

export type ModelFileService = ReturnType<typeof createModelFileService>
