import type { ModelFile } from '@countersign/sdk/contract'
import { type PageQuery, readPosition, writePosition } from '../db/paging.ts'
import type { Db, Tx } from '../db/schema.ts'

interface Version {
  provider_id: string
  model_id: string
}

/** Files are always written and read many at once: a row for each would take a tenth of a second for a large registration. */
const filesPerRow = 250

export const insertFiles = async (tx: Tx, { provider_id, model_id }: Version, files: readonly ModelFile[]) => {
  const rows = Array.from({ length: Math.ceil(files.length / filesPerRow) }, (_, index) => ({
    provider_id,
    model_id,
    first_position: index * filesPerRow,
    files: JSON.stringify(
      files.slice(index * filesPerRow, (index + 1) * filesPerRow).map(({ name, size, sha256 }) => [name, size, sha256]),
    ),
  }))
  await tx.insertInto('model_files').values(rows).execute()
}

export const deleteFiles = (tx: Tx, { provider_id, model_id }: Version) =>
  tx.deleteFrom('model_files').where('provider_id', '=', provider_id).where('model_id', '=', model_id).execute()

/** In the order that the digest depends on. A stored list never changes, so a page begins at a position. */
export const listFiles = async (db: Db, { provider_id, model_id }: Version, query: PageQuery) => {
  const start = readPosition(query)
  const end = start + query.limit
  const rows = await db
    .selectFrom('model_files')
    .select(['first_position', 'files'])
    .where('provider_id', '=', provider_id)
    .where('model_id', '=', model_id)
    .where('first_position', '>', start - filesPerRow)
    // One more than the page, to know whether there is another.
    .where('first_position', '<=', end)
    .orderBy('first_position')
    .execute()
  const found = rows.flatMap(({ files }) => JSON.parse(files) as [string, number, string][])
  const from = start - (rows[0]?.first_position ?? start)
  const files = found.slice(from, from + query.limit).map(([name, size, sha256]): ModelFile => ({ name, size, sha256 }))
  return { files, next_cursor: found.length > from + query.limit ? writePosition(end) : null }
}
