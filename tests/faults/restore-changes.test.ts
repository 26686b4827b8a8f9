import { copyFile } from 'node:fs/promises'
import Sqlite from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { hasNoLaterChange } from '../../server/src/backup/restore.ts'
import { createTestDatabase } from '../support/databases.ts'

const at = 1_800_000_000_000
const later = at + 3_600_000

const [of, alive, over] = [{ provider_id: 'prv_a' }, { expires_at: later }, { expires_at: at - 1 }]
const rows: [table: string, values: Record<string, string | number>][] = [
  ['providers', { id: 'prv_a' }],
  ['sessions', { ...of, ...alive, id: 'ses_a' }],
  ['sessions', { ...of, ...over, id: 'ses_old' }],
  ['one_time_tokens', { ...of, ...alive, hash: 'token' }],
  ['one_time_tokens', { ...of, ...over, hash: 'old' }],
  ['api_keys', { ...of, id: 'key_a', lookup: 'key' }],
  ['passwords', { person_id: 'per_a', set_at: 0 }],
  ['deployments', { ...of, id: 'dep_a', status: 'enabled' }],
  ['provider_domains', { ...of, domain: 'acme.example', verified_at: 1 }],
]

/** Columns that must have a value and are not given get an empty one. */
const insertRow = (database: Sqlite.Database, [table, given]: (typeof rows)[number]) => {
  const columns = database.pragma(`table_info(${table})`) as { name: string; notnull: number; dflt_value: unknown }[]
  const empty = columns.filter(({ notnull, dflt_value }) => notnull === 1 && dflt_value === null)
  const values = { ...Object.fromEntries(empty.map(({ name }) => [name, ''])), ...given }
  const names = Object.keys(values)
  database.prepare(`insert into ${table} (${names}) values (${names.map((name) => `@${name}`)})`).run(values)
}

/** A backup with credentials, and the database that it would replace. */
const prepare = async (change: string) => {
  const { url, remove } = await createTestDatabase('sqlite')
  onTestFinished(remove)
  const file = url.slice('sqlite:'.length)
  const backup = `${file}.backup`
  const write = (work: (database: Sqlite.Database) => unknown) => {
    const database = new Sqlite(file)
    database.pragma('foreign_keys = off')
    work(database)
    database.close()
  }
  write((database) => {
    for (const row of rows) insertRow(database, row)
  })
  await copyFile(file, backup)
  write((database) => database.exec(change))
  return { backup, file }
}

it.each([
  ['nothing', 'select 1'],
  ['a key was used', 'update api_keys set last_used_at = 1'],
  ['a session was used', 'update sessions set last_used_at = 1'],
  [
    'a session began',
    "insert into sessions select provider_id, 'ses_b', token_hash, user_agent, 0, 0, expires_at, null, person_id, null from sessions where id = 'ses_a'",
  ],
  [
    'what has expired was deleted',
    `delete from sessions where expires_at < ${at}; delete from one_time_tokens where expires_at < ${at}`,
  ],
])('finds no later change if %s', async (_, change) => {
  const { backup, file } = await prepare(change)
  expect(hasNoLaterChange(backup, file, at)).toBe(true)
})

it.each([
  ['a session was ended', 'update sessions set revoked_at = 1'],
  ['a session was deleted', 'delete from sessions'],
  ['a token was used', 'update one_time_tokens set used_at = 1'],
  ['a token was displaced', "delete from one_time_tokens where hash = 'token'"],
  ['a key was revoked', 'update api_keys set revoked_at = 1'],
  ['a key expires earlier', `update api_keys set expires_at = ${at - 1}`],
  ['a password was replaced', 'update passwords set set_at = 1'],
  ['a deployment was disabled', "update deployments set status = 'disabled'"],
  ['the proof of a domain ended', 'update provider_domains set verified_at = null'],
  ['a provider was deactivated', 'update providers set deactivated_at = 1'],
])('finds a later change without an event if %s', async (_, change) => {
  const { backup, file } = await prepare(change)
  expect(hasNoLaterChange(backup, file, at)).toBe(false)
})
