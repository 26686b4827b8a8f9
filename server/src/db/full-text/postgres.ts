import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../engine.ts'
import type { Db, Tx } from '../schema.ts'
import type { FullText, ListedTable, Places, Term, TextQuery } from './engine.ts'
import { plainFullText } from './plain.ts'

const timeLimitMs = 2_000

/** What an engine behind the PostgreSQL protocol supports. */
export interface PostgresAbilities {
  hasLexemes: boolean
  hasTrigrams: boolean
}

/** SQLSTATEs of an engine that lacks a feature: not supported, undefined, not permitted, syntax error, no such file. */
const lacking = new Set(['0A000', '42704', '42883', '42501', '42601', '42P01', '58P01'])

/** Tries in a savepoint: an unsupported feature or a missing permission must not abort the migration. */
const attempt = async (tx: Tx, statements: readonly string[]): Promise<void> => {
  await sql`savepoint full_text`.execute(tx)
  try {
    for (const statement of statements) await sql.raw(statement).execute(tx)
    await sql`release savepoint full_text`.execute(tx)
  } catch (error) {
    if (!lacking.has(String((error as { code?: unknown }).code))) throw error
    await sql`rollback to savepoint full_text`.execute(tx)
  }
}

export const createPostgresTextIndex = async (tx: Tx, table: ListedTable) => {
  await attempt(tx, [
    `alter table ${table} add column lexemes tsvector`,
    `create index ${table}_lexemes on ${table} using gin (lexemes)`,
  ])
  await attempt(tx, [
    'create extension if not exists pg_trgm',
    `create index ${table}_parts on ${table} using gin (names gin_trgm_ops)`,
  ])
}

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )

export const findAbilities = async (db: Db): Promise<PostgresAbilities> => ({
  hasLexemes: await succeeds(sql`select lexemes from listed_models limit 0`.execute(db)),
  hasTrigrams: await sql`select 1 from pg_indexes where indexname = 'listed_models_parts'`.execute(db).then(
    ({ rows }) => rows.length > 0,
    () => false,
  ),
})

/** Lexemes are passed as they are, because PostgreSQL's own parser would split names differently. */
const lexemesOf = (words: string) =>
  words
    .split(' ')
    .map((word) => `'${word}'`)
    .join(' ')

const wanted = ({ text, isPrefix }: Term) => `'${text}'${isPrefix ? ':*' : ''}`

const wordsWanted = ({ terms, key }: TextQuery): string => {
  const all = terms.map(wanted).join(' & ')
  return key === null ? all : `(${all}) | ${wanted({ text: key, isPrefix: true })}`
}

const hasWords = (query: string) => sql<SqlBool>`l.lexemes @@ cast(${query} as tsquery)`

const select = (table: ListedTable, condition: RawBuilder<SqlBool>, limit: number): Places =>
  sql`select l.place from ${sql.table(table)} as l where ${condition} order by l.place limit ${limit}`

export const postgresFullText = (
  { read }: Pick<Database, 'read'>,
  { hasLexemes, hasTrigrams }: PostgresAbilities,
): FullText => {
  const reading: FullText['reading'] = (work) =>
    read.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = ${sql.lit(timeLimitMs)}`.execute(tx)
      return work(tx)
    })
  if (!hasLexemes) return plainFullText(reading)
  return {
    columnsOf: (words) => ({ lexemes: sql<string>`cast(${lexemesOf(words)} as tsvector)` }),
    add: async () => {},
    remove: async () => {},

    findRare: async () => undefined,

    matches: (table, query, { limit }) => {
      const words = hasWords(wordsWanted(query))
      // Without its index, finding a part of a name would scan all names.
      if (query.part === null || !hasTrigrams) return select(table, words, limit)
      return select(table, sql<SqlBool>`(${words} or l.names like ${`%${query.part}%`})`, limit)
    },

    named: (table, key, limit) => select(table, hasWords(wanted(key)), limit),
    reading,
  }
}
