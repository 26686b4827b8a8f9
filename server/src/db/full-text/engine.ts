import type { RawBuilder } from 'kysely'
import type { Db, Tx } from '../schema.ts'

/** Tables with `place`, `names` and `words`, containing only public rows. */
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

/** A row with one column, `place`, for each match, best place first. The cost depends on its limit. */
export type Places = RawBuilder<{ place: number }>

/** What is written beside a row of a listed table, and how matching places are found. */
export interface FullText {
  /** Columns of the row itself. */
  columnsOf(words: string): { lexemes?: RawBuilder<string> }
  add(tx: Tx, table: ListedTable, row: { place: number; names: string; words: string }): Promise<void>
  remove(tx: Tx, table: ListedTable, place: number): Promise<void>
  /** A term so rare that the others are best checked in its rows, if the engine does not find that out itself. */
  findRare(db: Db, table: ListedTable, query: TextQuery): Promise<Term | undefined>
  /** Rows with all terms, with a name that begins with the key, or with the part in a name. */
  matches(table: ListedTable, query: TextQuery, options: { limit: number; rare?: Term | undefined }): Places
  /** Rows with a name that is the key, or begins with it. */
  named(table: ListedTable, key: Term, limit: number): Places
  /** For one long search in `db`; the engine gives up after two seconds if it can. */
  reading<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T>
}
