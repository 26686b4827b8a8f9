import type { RawBuilder } from 'kysely'
import type { Db, Tx } from '../schema.ts'

/** Tables with `place`, `names` and `words`, of which only what everyone may see has rows. */
export type ListedTable = 'listed_providers' | 'listed_models'

export interface Term {
  text: string
  isPrefix: boolean
}

export interface TextQuery {
  terms: readonly Term[]
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
  /** The term that so few rows have that all others are best looked for in these; where the engine does not find that out itself. */
  findRare(db: Db, table: ListedTable, query: TextQuery): Promise<Term | undefined>
  /** Rows with all terms, or with a name that begins with the key, or with the part in a name. */
  matches(table: ListedTable, query: TextQuery, options: { limit: number; rare?: Term | undefined }): Places
  /** Rows with a name that is the key, or begins with it. */
  named(table: ListedTable, key: Term, limit: number): Places
  /** For one long search; the engine gives up after two seconds where it can. */
  reading<T>(work: (db: Db) => Promise<T>): Promise<T>
}
