import Sqlite from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import type { Database, StatementBuilder } from '../../server/src/db/engine.ts'
import { compileStatement } from '../../server/src/db/engine.ts'
import { prepareFindVisibleModel } from '../../server/src/models/store.ts'
import { prepareFindProvider } from '../../server/src/providers/store.ts'
import { prepareMintFacts } from '../../server/src/verifications/mint-store.ts'
import { prepareFindByCode, prepareFindById } from '../../server/src/verifications/store.ts'
import { askShared, openTestDatabase } from '../support/databases.ts'

/** Prepares a statement as a service does, and returns its SQL. */
const sqlOf = (database: Database, prepare: (database: Database) => unknown): string => {
  let text = ''
  const statement = <Parameters extends object, Row>(build: StatementBuilder<Parameters, Row>) => {
    text = compileStatement(database.read, build).sql
    return async () => []
  }
  prepare({ ...database, statement })
  return text
}

it.each([
  { what: 'a link by its code', prepare: prepareFindByCode },
  { what: 'a link by its ID', prepare: prepareFindById },
  { what: 'what a link is minted from', prepare: prepareMintFacts },
  { what: 'a provider', prepare: prepareFindProvider },
  { what: 'a model', prepare: prepareFindVisibleModel },
])('reads $what by index only, so that it takes as long among a million providers', async ({ prepare }) => {
  const text = sqlOf(await openTestDatabase('sqlite'), prepare)
  const raw = new Sqlite(await askShared('sqlite'), { readonly: true })
  onTestFinished(() => void raw.close())
  const names = Array.from(text.matchAll(/\?/g), () => null)
  const plan = raw.prepare(`explain query plan ${text}`).all(...names) as { detail: string }[]
  const tables = raw.prepare("select name from sqlite_master where type = 'table'").pluck().all() as string[]
  expect(plan.length).toBeGreaterThan(1)
  const aliases = new Map(
    Array.from(text.matchAll(/(?:from|join) "?(\w+)"?(?: as)? "?(\w+)"?/g), ([, table = '', alias = '']) => [
      alias,
      table,
    ]),
  )
  const scanned = plan
    .map(({ detail }) => /^SCAN (\w+)/.exec(detail)?.[1] ?? '')
    .filter((name) => tables.includes(aliases.get(name) ?? name))
  // A single row: the current signing key.
  expect(scanned.filter((name) => aliases.get(name) !== 'signing_keys')).toEqual([])
})
