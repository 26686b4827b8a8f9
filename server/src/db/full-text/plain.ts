import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { FullText, ListedTable, Places, Term, TextQuery } from './engine.ts'

/** A word of the row begins with the text. Words are letters and digits, so `like` needs no escaping. */
export const hasWord = ({ text, isPrefix }: Term) =>
  sql<SqlBool>`' ' || l.words || ' ' like ${isPrefix ? `% ${text}%` : `% ${text} %`}`

/** The same condition on a listed row `l`, for a few rows or for an engine without full-text search. */
export const matchesWords = ({ terms, key, part }: TextQuery): RawBuilder<SqlBool> => {
  const every = sql.join(terms.map(hasWord), sql` and `)
  const ways = [
    sql`(${every})`,
    ...(key === null ? [] : [hasWord({ text: key, isPrefix: true })]),
    ...(part === null ? [] : [sql`l.names like ${`%${part}%`}`]),
  ]
  return sql<SqlBool>`(${sql.join(ways, sql` or `)})`
}

const select = (table: ListedTable, condition: RawBuilder<SqlBool>, limit: number): Places =>
  sql`select l.place from ${sql.table(table)} as l where ${condition} order by l.place limit ${limit}`

/** For engines that speak the PostgreSQL protocol but have neither tsvector nor pg_trgm. Rare words cost a scan there. */
export const plainFullText = (reading: FullText['reading']): FullText => ({
  columnsOf: () => ({}),
  add: async () => {},
  remove: async () => {},
  findRare: async () => undefined,
  matches: (table, query, { limit }) => select(table, matchesWords(query), limit),
  named: (table, key, limit) => select(table, hasWord(key), limit),
  reading,
})

export const plainReading: FullText['reading'] = (db, work) => work(db)
