import { collected } from './batched.ts'
import type { PostgresQuery } from './postgres-pool.ts'

type Row = Record<string, unknown>
/** Texts and whole numbers, and never null: the types of a statement's first values are those of all. */
type Values = readonly (string | number)[]

const mostTogether = 100
/** The number of the call that a row is for. No table has a column of this name. */
const callNumber = 'shared_call'

/**
 * The statement once for each list of values. `offset 0` keeps the planner from merging the statement with the lists, so that each run has
 * the plan of a single one.
 */
const sharedTextOf = (text: string, values: Values): string => {
  const arrays = values.map((value, index) => `$${index + 1}::${typeof value === 'number' ? 'bigint' : 'text'}[]`)
  const names = values.map((_, index) => `p${index + 1}`)
  return `select shared.${callNumber}, found.*
    from unnest(${arrays.join(', ')}) with ordinality as shared(${names.join(', ')}, ${callNumber})
    cross join lateral (${text.replace(/\$(\d+)/g, 'shared.p$1')} offset 0) as found`
}

const stateOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')
/** One value that the database rejects fails all calls of its query. */
const isValueRejected = (error: unknown) => stateOf(error).startsWith('22')
/** Databases that speak PostgreSQL's protocol may lack a part of the query above. */
const mayBeUnsupported = (error: unknown) => /^(42|0A)/.test(stateOf(error))
/** Also sent for a prepared statement whose columns another replica's migration changed. */
const isOutdated = (error: unknown) => stateOf(error) === '0A000'

/** Runs a statement. Calls of one turn of the event loop share one query (docs/decisions/reads-share-a-query.md). */
export const createSharedReads = (
  query: (query: PostgresQuery) => Promise<{ rows: Row[] }>,
  { name, text }: { name: string; text: string },
) => {
  let version = 1
  /** An outdated statement is prepared again, under a new name. */
  const ask = async (kind: 'one' | 'many', text: string, values: unknown[]) => {
    const known = version
    const askAs = (version: number) => query({ name: `${name}_${kind}_${version}`, text, values })
    try {
      return (await askAs(known)).rows
    } catch (error) {
      if (!isOutdated(error)) throw error
      version = known + 1
      return (await askAs(version)).rows
    }
  }

  const readOne = (values: Values) => ask('one', text, [...values])

  let sharedText: string | undefined
  const readMany = async (calls: readonly Values[]): Promise<Row[][]> => {
    const [first = []] = calls
    sharedText ??= sharedTextOf(text, first)
    const arrays = first.map((_, index) => calls.map((values) => values[index]))
    const found: Row[][] = calls.map(() => [])
    for (const row of await ask('many', sharedText, arrays)) {
      const rows = found[Number(row[callNumber]) - 1]
      if (rows === undefined) throw new Error(`A row is for call ${row[callNumber]} of ${calls.length}`)
      // Not part of the row. Copying the rest of a row with 80 columns takes 33 µs.
      row[callNumber] = undefined
      rows.push(row)
    }
    return found
  }

  const read = collected(mostTogether, async (calls: readonly Values[]) => {
    const [only] = calls
    return calls.length === 1 && only ? [await readOne(only)] : readMany(calls)
  })

  let isShared = true
  return async (values: Values): Promise<Row[]> => {
    if (!isShared) return readOne(values)
    try {
      return await read(values)
    } catch (error) {
      if (!isValueRejected(error) && !mayBeUnsupported(error)) throw error
      const rows = await readOne(values)
      if (mayBeUnsupported(error)) isShared = false
      return rows
    }
  }
}
