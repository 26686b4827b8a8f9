import { sql } from 'kysely'
import type { Database } from '../engine.ts'
import type { Tx } from '../schema.ts'
import type { FullText, ListedTable, Places, TextQuery } from './engine.ts'

/**
 * Two FTS5 tables beside each listed one, with its places as their rowids, so that matches come in the order of places
 * without sorting. They keep no text. Words are folded before they arrive: the tokenizers only split.
 */
export const createSqliteTextIndex = async (tx: Tx, table: ListedTable) => {
  await sql
    .raw(
      `create virtual table ${table}_words using fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii', prefix='2 3 4 5 6 7 8 9 10 11 12 13 14 15 16')`,
    )
    .execute(tx)
  await sql
    .raw(`create virtual table ${table}_parts using fts5(names, content='', contentless_delete=1, tokenize='trigram case_sensitive 1')`)
    .execute(tx)
}

/** In quotes everything is text, and words have no quotes. */
const quoted = ({ text, isPrefix }: { text: string; isPrefix: boolean }) => `"${text}"${isPrefix ? '*' : ''}`

const wordsWanted = ({ terms, key }: TextQuery): string => {
  const all = terms.map(quoted).join(' AND ')
  return key === null ? all : `(${all}) OR ${quoted({ text: key, isPrefix: true })}`
}

const words = (table: ListedTable) => sql.raw(`${table}_words`)
const parts = (table: ListedTable) => sql.raw(`${table}_parts`)

export const sqliteFullText = ({ read }: Pick<Database, 'read'>): FullText => ({
  columnsOf: () => ({}),

  add: async (tx, table, row) => {
    await sql`insert into ${words(table)} (rowid, words) values (${row.place}, ${row.words})`.execute(tx)
    await sql`insert into ${parts(table)} (rowid, names) values (${row.place}, ${row.names})`.execute(tx)
  },

  remove: async (tx, table, place) => {
    await sql`delete from ${words(table)} where rowid = ${place}`.execute(tx)
    await sql`delete from ${parts(table)} where rowid = ${place}`.execute(tx)
  },

  matches: (table, query, limit): Places => {
    const ofWords = sql`select rowid as place from ${words(table)} where ${words(table)} match ${wordsWanted(query)}`
    if (query.part === null) return sql`${ofWords} order by place limit ${limit}`
    const part = `"${query.part}"`
    return sql`${ofWords} union select rowid as place from ${parts(table)} where ${parts(table)} match ${part} order by place limit ${limit}`
  },

  named: (table, key, limit): Places =>
    sql`select rowid as place from ${words(table)} where ${words(table)} match ${quoted(key)} order by place limit ${limit}`,

  reading: (work) => work(read),
})
