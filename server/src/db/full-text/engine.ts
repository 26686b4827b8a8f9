import type { RawBuilder } from 'kysely'
import type { Db, Tx } from '../schema.ts'

/** Tables with `place`, `names` and `words`, of which only what everyone may see has rows. */
export type ListedTable = 'listed_providers' | 'listed_models'

export interface TextQuery {
  terms: readonly { text: string; isPrefix: boolean }[]
  key: string | null
  part: string | null
}

/** A row of one column, `place`, for each match, best place first. Reading it costs what its limit allows. */
export type Places = RawBuilder<{ place: number }>

/** What is written beside a row of a listed table, and how its places are found again. */
export interface FullText {
  /** Columns of the row itself. */
  columnsOf(words: string): { lexemes?: RawBuilder<string> }
  add(tx: Tx, table: ListedTable, row: { place: number; names: string; words: string }): Promise<void>
  remove(tx: Tx, table: ListedTable, place: number): Promise<void>
  /** Rows with all terms, or with a name that begins with the key, or with the part in a name. */
  matches(table: ListedTable, query: TextQuery, limit: number): Places
  /** Rows with a name that is the key, or begins with it. */
  named(table: ListedTable, key: { text: string; isPrefix: boolean }, limit: number): Places
  /** For one long search; the engine gives up after two seconds where it can. */
  reading<T>(work: (db: Db) => Promise<T>): Promise<T>
}
