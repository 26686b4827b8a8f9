import { Refusal } from '@countersign/sdk/contract'
import { type Expression, type SqlBool, sql } from 'kysely'

/** Where a page ended: the value it was sorted by, and the id that breaks ties. */
export interface Position {
  key: string | number
  id: string
}

export const encodeCursor = ({ key, id }: Position) => Buffer.from(JSON.stringify([key, id])).toString('base64url')

/** A cursor is what the page before gave; one of a list that is sorted by another kind of value is refused. */
export const decodeCursor = (cursor: string | undefined, kind: 'string' | 'number'): Position | undefined => {
  if (cursor === undefined) return undefined
  try {
    const [key, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[]
    const isKey = kind === 'string' ? typeof key === 'string' : Number.isSafeInteger(key)
    if (isKey && typeof id === 'string' && !`${key}${id}`.includes('\0')) return { key: key as string | number, id }
  } catch {
    // Answered below.
  }
  throw new Refusal('validation_failed', 'cursor: Use the next_cursor of the page before, unchanged', {
    errors: [{ loc: ['query', 'cursor'], msg: 'Use the next_cursor of the page before, unchanged', pointer: '#/cursor' }],
  })
}

/** Rows behind a position, in ascending or descending order of `(key, id)`. */
export const behind = (
  key: Expression<unknown>,
  id: Expression<unknown>,
  position: Position,
  direction: 'asc' | 'desc',
): Expression<SqlBool> =>
  direction === 'asc'
    ? sql<SqlBool>`(${key} > ${position.key} or (${key} = ${position.key} and ${id} > ${position.id}))`
    : sql<SqlBool>`(${key} < ${position.key} or (${key} = ${position.key} and ${id} < ${position.id}))`

/** One page of rows that were read one longer than asked, and the cursor to the next. */
export const pageOf = <Row extends { sort_key: string | number; id: string }>(rows: Row[], limit: number) => {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { rows: page, next_cursor: rows.length > limit && last ? encodeCursor({ key: last.sort_key, id: last.id }) : null }
}
