import { type ModelFile, Refusal } from '@countersign/sdk/contract'
import { inOrderOf } from '@countersign/sdk/node'
import type { Database } from '../db/engine.ts'
import type { PageQuery } from '../db/paging.ts'
import type { Tx } from '../db/schema.ts'
import { deleteFiles, insertFiles, listFiles } from './store.ts'

interface Needs {
  database: Database
}

interface Version {
  provider_id: string
  model_id: string
}

export const createModelFileService = ({ database }: Needs) => ({
  /** The list in the order that gives the digest. What does not give it says nothing of this version. */
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
        ? `model_files do not give ${model_digest}. Hash the model again and send the digest and the files of one run, all of them.`
        : 'The version has no digest that model_files could give. Send model_digest with them.',
    )
  },

  /** Instead of what was listed before. */
  async replace(tx: Tx, version: Version, files: readonly ModelFile[] | undefined) {
    await deleteFiles(tx, version)
    if (files) await insertFiles(tx, version, files)
  },

  add: (tx: Tx, version: Version, files: readonly ModelFile[]) => insertFiles(tx, version, files),

  list: (version: Version, query: PageQuery) => listFiles(database.read, version, query),
})

export type ModelFileService = ReturnType<typeof createModelFileService>
