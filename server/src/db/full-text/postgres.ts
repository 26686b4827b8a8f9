import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db, Tx } from '../schema.ts'
import type { FullText, ListedTable, Places, Term, TextQuery } from './engine.ts'
import { plainFullText } from './plain.ts'

const timeLimitMs = 2_000

/** What an engine behind the PostgreSQL protocol supports. */
export interface PostgresAbilities {
  hasLexemes: boolean
  hasTrigrams: boolean
}

const exists = async (tx: Tx, condition: string): Promise<boolean> => {
  const { rows } = await sql<{ found: number }>`select 1 as found where exists (${sql.raw(condition)})`.execute(tx)
  return rows.length > 0
}

const hasTrigramIndex = (tx: Tx) => exists(tx, "select 1 from pg_opclass where opcname = 'gin_trgm_ops'")

/** A trusted extension needs only the right to create in the database; others need a superuser. */
const mayCreateTrigrams = (tx: Tx) =>
  exists(
    tx,
    `select 1 from pg_available_extension_versions e where e.name = 'pg_trgm'
      and (e.trusted and has_database_privilege(current_database(), 'CREATE')
        or exists (select 1 from pg_roles where rolname = current_user and rolsuper))`,
  )

/** Asks the catalog before it uses a feature: a failed statement would abort the migration, and not every engine has savepoints. */
export const createPostgresTextIndex = async (tx: Tx, table: ListedTable) => {
  const run = (statement: string) => sql.raw(statement).execute(tx)
  if (!(await exists(tx, "select 1 from pg_am where amname = 'gin'"))) return
  if (await exists(tx, "select 1 from pg_type where typname = 'tsvector'")) {
    await run(`alter table ${table} add column lexemes tsvector`)
    await run(`create index ${table}_lexemes on ${table} using gin (lexemes)`)
  }
  if (!(await hasTrigramIndex(tx)) && (await mayCreateTrigrams(tx))) await run('create extension if not exists pg_trgm')
  if (await hasTrigramIndex(tx)) await run(`create index ${table}_parts on ${table} using gin (names gin_trgm_ops)`)
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

const reading: FullText['reading'] = (db, work) =>
  db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = ${sql.lit(timeLimitMs)}`.execute(tx)
    return work(tx)
  })

export const postgresFullText = ({ hasLexemes, hasTrigrams }: PostgresAbilities): FullText => {
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
