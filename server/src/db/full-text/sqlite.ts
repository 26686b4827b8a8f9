import { sql } from 'kysely'
import type { Tx } from '../schema.ts'
import type { FullText, ListedTable, Places, Term } from './engine.ts'
import { hasWord, plainReading } from './plain.ts'

/**
 * Two FTS5 tables beside each listed one, with its places as their rowids, so that matches come in the order of places without sorting.
 * They store no text. Words are folded before they are inserted: the tokenizers only split.
 */
export const createSqliteTextIndex = async (tx: Tx, table: ListedTable) => {
  await sql
    .raw(
      `create virtual table ${table}_words using fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii', prefix='2 3 4 5 6 7 8 9 10 11 12 13 14 15 16')`,
    )
    .execute(tx)
  await sql
    .raw(
      `create virtual table ${table}_parts using fts5(names, content='', contentless_delete=1, tokenize='trigram case_sensitive 1')`,
    )
    .execute(tx)
}

/** In quotes everything is text, and words contain no quotes. */
const quoteTerm = ({ text, isPrefix }: Term) => `"${text}"${isPrefix ? '*' : ''}`

const words = (table: ListedTable) => sql.raw(`${table}_words`)
const parts = (table: ListedTable) => sql.raw(`${table}_parts`)

interface Place {
  place: number
}

const having = (table: ListedTable, match: string): Places =>
  sql<Place>`select rowid as place from ${words(table)} where ${words(table)} match ${match}`

/** FTS5 scans all rows that have the frequent words; checking the rows of the rare word for them is less work. */
const fewRows = 1_000

const havingRare = (table: ListedTable, rare: Term, terms: readonly Term[]): Places => {
  const others = terms.filter((term) => term !== rare).map(hasWord)
  return sql<Place>`select l.place from ${sql.table(table)} as l where l.place in (${having(table, quoteTerm(rare))}) and ${sql.join(others, sql` and `)}`
}

export const sqliteFullText: FullText = {
  columnsOf: () => ({}),

  add: async (tx, table, row) => {
    await sql`insert into ${words(table)} (rowid, words) values (${row.place}, ${row.words})`.execute(tx)
    await sql`insert into ${parts(table)} (rowid, names) values (${row.place}, ${row.names})`.execute(tx)
  },

  remove: async (tx, table, place) => {
    await sql`delete from ${words(table)} where rowid = ${place}`.execute(tx)
    await sql`delete from ${parts(table)} where rowid = ${place}`.execute(tx)
  },

  findRare: async (db, table, { terms }) => {
    if (terms.length < 2) return undefined
    for (const term of terms) {
      const { rows } = await sql<{
        found: number
      }>`select count(*) as found from (${having(table, quoteTerm(term))} limit ${fewRows})`.execute(db)
      if ((rows[0]?.found ?? 0) < fewRows) return term
    }
    return undefined
  },

  matches: (table, { terms, key, part }, { limit, rare }) => {
    const ways = [
      rare ? havingRare(table, rare, terms) : having(table, terms.map(quoteTerm).join(' AND ')),
      ...(key === null ? [] : [having(table, quoteTerm({ text: key, isPrefix: true }))]),
      ...(part === null
        ? []
        : [sql<Place>`select rowid as place from ${parts(table)} where ${parts(table)} match ${`"${part}"`}`]),
    ]
    return sql`${sql.join(ways, sql` union `)} order by place limit ${limit}`
  },

  named: (table, key, limit) => sql`${having(table, quoteTerm(key))} order by place limit ${limit}`,

  reading: plainReading,
}
