import type { Insertable, Selectable } from 'kysely'
import type {
  Db,
  LogCheckpointTable,
  LogEntryTable,
  LogKeyTable,
  LogPendingTable,
  LogStateTable,
  LogTileTable,
  LogWitnessTable,
  Tx,
} from '../db/schema.ts'

export type LogState = Selectable<LogStateTable>
export type LogKey = Selectable<LogKeyTable>
export type Pending = Selectable<LogPendingTable>
export type LogEntryRow = Selectable<LogEntryTable>

const batch = 200

/* ---- the log ---- */

export const findState = (db: Db): Promise<LogState | undefined> =>
  db.selectFrom('log_state').selectAll().executeTakeFirst()

/** Zero rows if there is a log already. */
export const insertState = (tx: Tx, { origin, at }: { origin: string; at: number }) =>
  tx
    .insertInto('log_state')
    .values({
      name: 'log',
      origin,
      size: 0,
      fence: 0,
      holder: null,
      leased_until: null,
      created_at: at,
      opened_at: null,
      halted: null,
    })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('name')
    .executeTakeFirst()

interface Turn {
  /** The value that was read with the state. */
  fence: number
  holder: string
  until: number
}

/**
 * The right to write to the tree for the rest of the transaction. Zero rows if another process wrote since the state was read: it
 * waits for that process's commit, so two can never append to one tree.
 */
export const takeTurn = (tx: Tx, { fence, holder, until }: Turn) =>
  tx
    .updateTable('log_state')
    .set({ fence: fence + 1, holder, leased_until: until })
    .where('name', '=', 'log')
    .where('fence', '=', fence)
    .where('halted', 'is', null)
    .returning(['size', 'fence'])
    .executeTakeFirst()

export const setSize = (tx: Tx, size: number) =>
  tx.updateTable('log_state').set({ size }).where('name', '=', 'log').execute()

/** Zero rows if it was opened already. */
export const markOpened = (tx: Tx, at: number) =>
  tx
    .updateTable('log_state')
    .set({ opened_at: at })
    .where('name', '=', 'log')
    .where('opened_at', 'is', null)
    .returning('origin')
    .executeTakeFirst()

export const setHalted = (tx: Tx, halted: LogState['halted']) =>
  tx.updateTable('log_state').set({ halted }).where('name', '=', 'log').execute()

/** Providers with a proven domain that are not in the log yet. */
export const listUnlogged = async (db: Db, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('provider_domains as d')
    .select('d.provider_id')
    .distinct()
    .where('d.verified_at', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('log_facts as f').select('f.fact').whereRef('f.provider_id', '=', 'd.provider_id'))),
    )
    .orderBy('d.provider_id')
    .limit(limit)
    .execute()
  return rows.map(({ provider_id }) => provider_id)
}

/** Providers in the log with a third party's signature that has no entry: earlier versions of the registry wrote none. */
export const listWithUnloggedSignatures = async (db: Db): Promise<string[]> => {
  const rows = await db
    .selectFrom('models as m')
    .select('m.provider_id')
    .distinct()
    .where('m.bundle_status', '=', 'unknown')
    .where('m.bundle_verification_details', 'like', '%"reason":"signer_not_tied"%')
    .where('m.deleted_at', 'is', null)
    .where(({ and, exists, not, selectFrom }) => {
      const logged = selectFrom('log_facts as f').select('f.fact').whereRef('f.provider_id', '=', 'm.provider_id')
      return and([
        exists(logged),
        not(exists(logged.whereRef('f.subject', '=', 'm.id').where('f.fact', '=', 'bundle').where('f.type', '<>', ''))),
      ])
    })
    .execute()
  return rows.map(({ provider_id }) => provider_id)
}

/* ---- keys ---- */

export const listLogKeys = (db: Db): Promise<LogKey[]> =>
  db.selectFrom('log_keys').selectAll().orderBy('created_at').orderBy('key_id').execute()

export const insertLogKey = (tx: Tx, key: Insertable<LogKeyTable>) => tx.insertInto('log_keys').values(key).execute()

/** Zero rows if it signs already. The others stop at `othersUntil`. */
export const startSigning = async (
  tx: Tx,
  key_id: string,
  { at, othersUntil }: { at: number; othersUntil: number },
): Promise<void> => {
  const started = await tx
    .updateTable('log_keys')
    .set({ signs_from: at })
    .where('key_id', '=', key_id)
    .where('signs_from', 'is', null)
    .returning('key_id')
    .executeTakeFirst()
  if (!started) return
  await tx
    .updateTable('log_keys')
    .set({ signs_until: othersUntil })
    .where('key_id', '<>', key_id)
    .where('signs_from', 'is not', null)
    .where('signs_until', 'is', null)
    .execute()
}

export const replaceLogKey = (tx: Tx, key_id: string, private_encrypted: string) =>
  tx.updateTable('log_keys').set({ private_encrypted }).where('key_id', '=', key_id).execute()

/* ---- entries and tiles ---- */

export const hasPending = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('log_pending').select('id').limit(1).executeTakeFirst()) !== undefined

/** The first place that is decided and not signed yet. */
export const findFirstPlace = async (db: Db): Promise<number | undefined> => {
  const row = await db
    .selectFrom('log_pending')
    .select('position')
    .where('position', 'is not', null)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? undefined : Number(row.position)
}

/**
 * Gives pending entries their places in the tree: by time, however long they waited, because monitors report a fact that is logged late.
 * Entries of one fact have times and revisions in the order of its changes. Returns how many have one.
 */
export const placePending = async (tx: Tx, { first, limit }: { first: number; limit: number }): Promise<number> => {
  const placed = await tx
    .updateTable('log_pending')
    .from((from) =>
      from
        .selectFrom('log_pending')
        .select(({ fn }) => [
          'revision',
          'id',
          fn
            .agg<number>('row_number')
            .over((over) => over.orderBy('at').orderBy('revision').orderBy('id'))
            .as('place'),
        ])
        .orderBy('at')
        .orderBy('revision')
        .orderBy('id')
        .limit(limit)
        .as('next'),
    )
    .set(({ eb, ref, val }) => ({ position: eb(ref('next.place'), '+', val(first - 1)) }))
    .whereRef('log_pending.revision', '=', 'next.revision')
    .whereRef('log_pending.id', '=', 'next.id')
    .executeTakeFirst()
  return Number(placed.numUpdatedRows)
}

export const clearPlaces = (tx: Tx) =>
  tx.updateTable('log_pending').set({ position: null }).where('position', 'is not', null).execute()

export const listPlaced = (db: Db): Promise<Pick<LogEntryRow, 'position' | 'leaf'>[]> =>
  db
    .selectFrom('log_pending')
    .select(['position', 'leaf'])
    .where('position', 'is not', null)
    .orderBy('position')
    .$narrowType<{ position: number }>()
    .execute()

export const findOldestPending = (db: Db) =>
  db.selectFrom('log_pending').select('at').orderBy('at').limit(1).executeTakeFirst()

/** Entries that wait to be logged with one of these contents. */
export const listPendingLike = async (db: Db, leaves: readonly string[]): Promise<Pending[]> => {
  const wanted = new Set(leaves)
  return (await db.selectFrom('log_pending').selectAll().execute()).filter(({ leaf }) => wanted.has(leaf))
}

export const removePending = async (tx: Tx, ids: readonly string[]) => {
  for (let start = 0; start < ids.length; start += batch)
    await tx
      .deleteFrom('log_pending')
      .where('id', 'in', ids.slice(start, start + batch))
      .execute()
}

/** Violates the key if a position is taken. */
export const insertEntries = async (tx: Tx, entries: readonly Insertable<LogEntryTable>[]) => {
  for (let start = 0; start < entries.length; start += batch)
    await tx
      .insertInto('log_entries')
      .values(entries.slice(start, start + batch))
      .execute()
}

/** Logged entries with their position, and pending ones without. */
export const findEntries = async (
  db: Db,
  ids: readonly string[],
): Promise<(Omit<LogEntryRow, 'position'> & { position: number | null })[]> => {
  const found: (Omit<LogEntryRow, 'position'> & { position: number | null })[] = []
  for (let start = 0; start < ids.length; start += batch) {
    const some = ids.slice(start, start + batch)
    found.push(...(await db.selectFrom('log_entries').selectAll().where('id', 'in', some).execute()))
    const pending = await db.selectFrom('log_pending').selectAll().where('id', 'in', some).execute()
    found.push(...pending.map(({ revision: _, ...entry }) => ({ ...entry, position: null })))
  }
  return found
}

/** The provider that has a subject in the log. */
export const findOwner = async (db: Db, subject: string): Promise<string | undefined> => {
  const logged = await db
    .selectFrom('log_entries')
    .select('owner')
    .where('subject', '=', subject)
    .limit(1)
    .executeTakeFirst()
  if (logged) return logged.owner
  const pending = await db
    .selectFrom('log_pending')
    .select('owner')
    .where('subject', '=', subject)
    .limit(1)
    .executeTakeFirst()
  return pending?.owner
}

/** Moves the entries whose places are decided into the tree. Violates the key if a position is taken. */
export const movePlaced = async (tx: Tx) => {
  const columns = [
    'position',
    'id',
    'owner',
    'subject',
    'type',
    'is_public',
    'at',
    'leaf',
    'revealed',
    'domain',
  ] as const
  await tx
    .insertInto('log_entries')
    .columns(columns)
    .expression((from) => from.selectFrom('log_pending').select(columns).where('position', 'is not', null))
    .execute()
  await tx.deleteFrom('log_pending').where('position', 'is not', null).execute()
}

/** Logged or pending. */
export const countEntries = async (db: Db): Promise<number> => {
  const count = async (table: 'log_entries' | 'log_pending') => {
    const row = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(row.count)
  }
  return (await count('log_entries')) + (await count('log_pending'))
}

export const listEntries = (db: Db, { first, end }: { first: number; end: number }): Promise<LogEntryRow[]> =>
  db
    .selectFrom('log_entries')
    .selectAll()
    .where('position', '>=', first)
    .where('position', '<', end)
    .orderBy('position')
    .execute()

/** The entries of a type about an owner, oldest first. */
export const listEntriesOfType = (
  db: Db,
  { owner, type }: { owner: string; type: string },
): Promise<Pick<LogEntryRow, 'position' | 'leaf'>[]> =>
  db
    .selectFrom('log_entries')
    .select(['position', 'leaf'])
    .where('owner', '=', owner)
    .where('type', '=', type)
    .orderBy('position')
    .execute()

export const findTile = (db: Db, { level, tile }: { level: number; tile: number }) =>
  db.selectFrom('log_tiles').select('hashes').where('level', '=', level).where('tile', '=', tile).executeTakeFirst()

/** A tile that grew replaces itself; its first hashes stay. */
export const putTiles = async (tx: Tx, tiles: readonly Insertable<LogTileTable>[]) => {
  for (let start = 0; start < tiles.length; start += batch)
    await tx
      .insertInto('log_tiles')
      .values(tiles.slice(start, start + batch))
      .onConflict((conflict) =>
        conflict.columns(['level', 'tile']).doUpdateSet(({ ref }) => ({ hashes: ref('excluded.hashes') })),
      )
      .execute()
}

/* ---- checkpoints ---- */

export interface CheckpointRow extends Selectable<LogCheckpointTable> {
  /** The witnesses’ signature lines. */
  cosignatures: { witness: string; line: string }[]
}

/** Violates the key if that size was signed. */
export const insertCheckpoint = (tx: Tx, row: Insertable<LogCheckpointTable>) =>
  tx.insertInto('log_checkpoints').values(row).execute()

const withCosignatures = async (
  db: Db,
  row: Selectable<LogCheckpointTable> | undefined,
): Promise<CheckpointRow | undefined> => {
  if (!row) return undefined
  const cosignatures = await db
    .selectFrom('log_cosignatures')
    .select(['witness', 'line'])
    .where('size', '=', row.size)
    .orderBy('witness')
    .execute()
  return { ...row, cosignatures }
}

export const findLatestCheckpoint = async (db: Db): Promise<CheckpointRow | undefined> =>
  withCosignatures(
    db,
    await db.selectFrom('log_checkpoints').selectAll().orderBy('size', 'desc').limit(1).executeTakeFirst(),
  )

export const findCheckpoint = async (db: Db, size: number): Promise<CheckpointRow | undefined> =>
  withCosignatures(db, await db.selectFrom('log_checkpoints').selectAll().where('size', '=', size).executeTakeFirst())

/** The first checkpoints that have an entry. */
export const listCheckpointsWith = async (db: Db, position: number, limit: number): Promise<CheckpointRow[]> => {
  const rows = await db
    .selectFrom('log_checkpoints')
    .selectAll()
    .where('size', '>', position)
    .orderBy('size')
    .limit(limit)
    .execute()
  const found = await Promise.all(rows.map((row) => withCosignatures(db, row)))
  return found.filter((row) => row !== undefined)
}

/** Changes nothing if another process added signatures since `before` was read. */
export const addSignatures = (tx: Tx, { size, before, note }: { size: number; before: string; note: string }) =>
  tx.updateTable('log_checkpoints').set({ note }).where('size', '=', size).where('note', '=', before).execute()

/** Sizes that at least one witness has cosigned, largest first. */
export const listCosignedSizes = async (db: Db, limit: number): Promise<number[]> => {
  const rows = await db
    .selectFrom('log_cosignatures')
    .select('size')
    .distinct()
    .orderBy('size', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ size }) => Number(size))
}

/* ---- witnesses ---- */

export const listWitnesses = (db: Db): Promise<Selectable<LogWitnessTable>[]> =>
  db.selectFrom('log_witnesses').selectAll().orderBy('name').execute()

export const putWitness = (tx: Tx, row: Insertable<LogWitnessTable>) =>
  tx
    .insertInto('log_witnesses')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet(({ ref }) => ({
        size: ref('excluded.size'),
        answered_at: ref('excluded.answered_at'),
        trouble: ref('excluded.trouble'),
      })),
    )
    .execute()

export const insertCosignature = (tx: Tx, row: { size: number; witness: string; line: string; at: number }) =>
  tx
    .insertInto('log_cosignatures')
    .values(row)
    .onConflict((conflict) => conflict.columns(['size', 'witness']).doUpdateSet({ line: row.line, at: row.at }))
    .execute()
