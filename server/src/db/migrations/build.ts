import { type ColumnDefinitionBuilder, type CreateTableBuilder, sql } from 'kysely'
import type { Tx } from '../schema.ts'

type Columns = Record<string, string>
type ColumnKind = 'text' | 'bigint' | 'integer' | 'bytea'

const kindOf = (spec: string) => spec.replace(/[! ].*$/, '') as ColumnKind

const constrain = (spec: string) => (definition: ColumnDefinitionBuilder) => {
  const [, value] = /! default (\d+)$/.exec(spec) ?? []
  if (value !== undefined) return definition.notNull().defaultTo(Number(value))
  return spec.endsWith('!') ? definition.notNull() : definition
}

/** `'text'` may be null, `'text!'` may not, `'integer! default 0'` may be left out. */
export const table = (tx: Tx, name: string, columns: Columns, key: readonly string[]) => {
  let builder: CreateTableBuilder<string, string> = tx.schema.createTable(name)
  for (const [column, spec] of Object.entries(columns)) {
    builder = builder.addColumn(column, kindOf(spec), constrain(spec))
  }
  return builder.addPrimaryKeyConstraint(`${name}_key`, key as string[]).execute()
}

/** Columns of a table that has rows: one that may not be null needs a default, `'integer! default 1'`. */
export const addColumns = async (tx: Tx, name: string, columns: Columns) => {
  for (const [column, spec] of Object.entries(columns)) {
    await tx.schema.alterTable(name).addColumn(column, kindOf(spec), constrain(spec)).execute()
  }
}

export const index = (
  tx: Tx,
  on: string,
  columns: readonly string[],
  options: { unique?: boolean; where?: string; name?: string } = {},
) => {
  const name = options.name ?? `${on}_${columns.join('_')}`
  return sql
    .raw(
      `create ${options.unique ? 'unique ' : ''}index ${name} on ${on} (${columns.join(', ')})${options.where ? ` where ${options.where}` : ''}`,
    )
    .execute(tx)
}
