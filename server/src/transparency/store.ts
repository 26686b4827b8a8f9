import type { Insertable, Selectable } from 'kysely'
import { type Database, value } from '../db/engine.ts'
import type { Db, LogFactTable, LogPendingTable, Tx } from '../db/schema.ts'

export type LoggedFact = Selectable<LogFactTable>

/* ---- facts ---- */

export const isInLog = async (db: Db, provider_id: string): Promise<boolean> => {
  const row = await db
    .selectFrom('log_facts')
    .select('fact')
    .where('provider_id', '=', provider_id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Zero rows if it is in the log already; waits for another transaction that adds it. */
export const enterLog = (tx: Tx, { owner, subject, fact }: { owner: string; subject: string; fact: string }) =>
  tx
    .insertInto('log_facts')
    .values({ provider_id: owner, subject, fact, revision: 0, type: '', digest: '', is_public: 1, entry_id: null })
    .onConflict((conflict) => conflict.columns(['provider_id', 'subject', 'fact']).doNothing())
    .returning('fact')
    .executeTakeFirst()

const batch = 200

const batchesOf = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / batch) }, (_, index) => all.slice(index * batch, (index + 1) * batch))

export const listLogged = async (db: Db, owner: string, subjects?: readonly string[]): Promise<LoggedFact[]> => {
  const own = db.selectFrom('log_facts').selectAll().where('provider_id', '=', owner)
  if (subjects === undefined) return own.execute()
  const found: LoggedFact[] = []
  for (const some of batchesOf(subjects)) found.push(...(await own.where('subject', 'in', some).execute()))
  return found
}

/** The times of entries, logged or pending, by their IDs. */
export const findTimes = async (db: Db, ids: readonly string[]): Promise<Map<string, number>> => {
  const times = new Map<string, number>()
  for (const some of batchesOf(ids))
    for (const table of ['log_entries', 'log_pending'] as const)
      for (const { id, at } of await db.selectFrom(table).select(['id', 'at']).where('id', 'in', some).execute())
        times.set(id, Number(at))
  return times
}

export const putLogged = async (tx: Tx, rows: readonly Insertable<LogFactTable>[]) => {
  for (const some of batchesOf(rows))
    await tx
      .insertInto('log_facts')
      .values(some)
      .onConflict((conflict) =>
        conflict.columns(['provider_id', 'subject', 'fact']).doUpdateSet(({ ref }) => ({
          revision: ref('excluded.revision'),
          type: ref('excluded.type'),
          digest: ref('excluded.digest'),
          is_public: ref('excluded.is_public'),
          entry_id: ref('excluded.entry_id'),
        })),
      )
      .execute()
}

export const insertPending = async (tx: Tx, rows: readonly Insertable<LogPendingTable>[]) => {
  for (const some of batchesOf(rows)) await tx.insertInto('log_pending').values(some).execute()
}

interface OwnedFact {
  owner: string
  subject: string
  fact: string
}

interface StandingRow extends Pick<LogFactTable, 'provider_id' | 'subject' | 'fact' | 'type' | 'is_public'> {
  position: number | null
  at: number | null
}

/**
 * Where the last entries of facts are: in the tree, or waiting since a time. One query, prepared for each number of facts: compiling it
 * each time takes ten times as long.
 */
export const prepareFindStandings = (database: Database) => {
  const prepare = (count: number) =>
    database.statement<Record<string, string>, StandingRow>((db, parameter) =>
      db
        .selectFrom('log_facts as f')
        .leftJoin('log_entries as e', 'e.id', 'f.entry_id')
        .leftJoin('log_pending as w', (join) =>
          join.onRef('w.revision', '=', 'f.revision').onRef('w.id', '=', 'f.entry_id'),
        )
        .select(['f.provider_id', 'f.subject', 'f.fact', 'f.type', 'f.is_public', 'e.position', 'w.at'])
        .where((where) =>
          where.or(
            Array.from({ length: count }, (_, index) =>
              where.and([
                where('f.provider_id', '=', value(parameter(`owner${index}`))),
                where('f.subject', '=', value(parameter(`subject${index}`))),
                where('f.fact', '=', value(parameter(`fact${index}`))),
              ]),
            ),
          ),
        ),
    )
  const statements = new Map<number, ReturnType<typeof prepare>>()
  return (facts: readonly OwnedFact[]): Promise<StandingRow[]> => {
    const statement = statements.get(facts.length) ?? prepare(facts.length)
    statements.set(facts.length, statement)
    const parameters = facts.flatMap(({ owner, subject, fact }, index) => [
      [`owner${index}`, owner],
      [`subject${index}`, subject],
      [`fact${index}`, fact],
    ])
    return statement(Object.fromEntries(parameters))
  }
}
