import { Refusal } from '@countersign/sdk/contract'
import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'

/** Where a page ended: its last sort value, and the ID that breaks ties. */
interface Position {
  key: string | number
  id: string
}

export const encodeCursor = ({ key, id }: Position) => Buffer.from(JSON.stringify([key, id])).toString('base64url')

/** A cursor comes from the previous page; a cursor of a list with another kind of sort value is rejected. */
const decodeCursor = (cursor: string | undefined, kind: 'string' | 'number'): Position | undefined => {
  if (cursor === undefined) return undefined
  try {
    const [key, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[]
    const isKey = kind === 'string' ? typeof key === 'string' : Number.isSafeInteger(key)
    if (isKey && typeof id === 'string' && !`${key}${id}`.includes('\0')) return { key: key as string | number, id }
  } catch {
    // Answered below.
  }
  throw new Refusal('validation_failed', 'cursor: Pass the next_cursor of the previous page, unchanged', {
    errors: [
      { loc: ['query', 'cursor'], msg: 'Pass the next_cursor of the previous page, unchanged', pointer: '#/cursor' },
    ],
  })
}

/** For a list with stable positions: where a page begins. */
export const readPosition = ({ cursor, skip }: PageQuery): number => {
  const key = decodeCursor(cursor, 'number')?.key ?? skip
  return Math.max(0, Math.min(Number(key), 1e9))
}

export const writePosition = (position: number) => encodeCursor({ key: position, id: '' })

type Direction = 'asc' | 'desc'

interface Order {
  key: Expression<unknown>
  /** Type of the key: the engines compare a number with text in different ways, or not at all. */
  keyType: 'string' | 'number'
  id: Expression<unknown>
  direction: Direction
}

/** Paging parameters: a cursor of the previous page, or a number of items to skip. */
export interface PageQuery {
  limit: number
  skip: number
  cursor?: string | undefined
}

const behind = ({ key, id, direction }: Order, position: Position) => {
  const than = sql.raw(direction === 'asc' ? '>' : '<')
  // Compared as one value, so that an index on both columns can start here.
  return sql<SqlBool>`(${key}, ${id}) ${than} (${position.key}, ${position.id})`
}

/** Reads one page in the order of `(key, id)`, and the cursor of the next page if there is one. */
export const readPage = async <DB, TB extends keyof DB, Row extends { id: string }>(
  select: SelectQueryBuilder<DB, TB, Row>,
  order: Order,
  { limit, skip, cursor }: PageQuery,
) => {
  const position = decodeCursor(cursor, order.keyType)
  const keyed = select.select(sql`${order.key}`.as('sort_key')) as unknown as SelectQueryBuilder<
    DB,
    TB,
    Row & { sort_key: string | number }
  >
  const ordered = keyed
    .orderBy(order.key, order.direction)
    .orderBy(order.id, order.direction)
    .limit(limit + 1)
  const found = await (position ? ordered.where(behind(order, position)) : ordered.offset(skip)).execute()
  const rows = found.slice(0, limit)
  const last = rows.at(-1) as (Position & { sort_key: string | number }) | undefined
  return { rows, next_cursor: found.length > limit && last ? encodeCursor({ key: last.sort_key, id: last.id }) : null }
}
