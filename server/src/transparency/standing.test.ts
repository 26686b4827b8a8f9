import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { migrate } from '../db/migrate.ts'
import { openSqlite } from '../db/sqlite.ts'
import type { Basis } from '../verifications/service.ts'
import { createStanding } from './standing.ts'

const registered = ['version.registered']
const archived = ['version.archived']
const proven = ['domain.proven']

const key = { subject: 'kid_1', fact: 'key', types: ['registry_key.added'] }

const basisOf = (domain: string, versionTypes: readonly string[]): Basis => ({
  provider_id: 'prv_1',
  key,
  facts: [
    { subject: 'prv_1', fact: `domain ${domain}`, types: proven },
    { subject: 'mdl_1', fact: 'version', types: versionTypes },
  ],
})
const owned = [...basisOf('acme.example', registered).facts, ...basisOf('other.example', registered).facts.slice(0, 1)]

/** A registry whose log has all these facts, the version as registered. */
const open = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-standing-'))
  let queries = 0
  let time = 0
  const isQuery = (text: string) => text.includes('from "log_facts" as "f"')
  const database = openSqlite({ file: join(folder, 'test.db'), listen: (text) => (queries += Number(isQuery(text))) })
  onTestFinished(async () => {
    await database.close()
    rmSync(folder, { recursive: true })
  })
  await migrate(database, Date.now)
  const entries = [...owned.map((fact) => ({ owner: 'prv_1', ...fact })), { owner: 'registry', ...key }]
  await database.transaction(async (tx) => {
    for (const [position, { owner, subject, fact, types = [] }] of entries.entries()) {
      const [type = ''] = types
      const entry = { id: `${position}`, owner, subject, type, is_public: 1, at: 0, leaf: '', revealed: null } as const
      await tx
        .insertInto('log_entries')
        .values({ ...entry, domain: null, position })
        .execute()
      const state = { provider_id: owner, subject, fact, revision: 1, type, digest: '' }
      await tx
        .insertInto('log_facts')
        .values({ ...state, is_public: 1, entry_id: entry.id })
        .execute()
    }
  })
  const standing = createStanding({
    database,
    checkpoint: async () => ({ size: entries.length, isWitnessed: false }),
    hasWitnesses: false,
    now: () => time,
  })
  return { standing, queries: () => queries, wait: (ms: number) => (time += ms) }
}

describe('the state of the facts behind a link', () => {
  it('is read once in 30 seconds for the same facts', async () => {
    const { standing, queries, wait } = await open()
    const first = await standing(basisOf('acme.example', registered))
    expect(first.state).toBe('logged')
    expect(await standing(basisOf('acme.example', registered))).toBe(first)
    expect(queries()).toBe(1)
    wait(30_000)
    await standing(basisOf('acme.example', registered))
    expect(queries()).toBe(2)
  })

  it('is read again if the verdict rests on another entry of the same fact', async () => {
    const { standing, queries } = await open()
    await standing(basisOf('acme.example', registered))
    expect((await standing(basisOf('acme.example', archived))).state).toBe('not_logged')
    expect(queries()).toBe(2)
  })

  it('is read again if a fact ended and began again', async () => {
    const { standing, queries } = await open()
    const since = (time: number): Basis => {
      const { facts, ...basis } = basisOf('acme.example', registered)
      return { ...basis, facts: facts.map((fact) => ({ ...fact, since: time })) }
    }
    for (const time of [1, 1, 2]) await standing(since(time))
    expect(queries()).toBe(2)
  })

  it('is kept separately for the domains of a provider', async () => {
    const { standing, queries } = await open()
    for (const domain of ['acme.example', 'other.example', 'acme.example', 'other.example'])
      expect((await standing(basisOf(domain, registered))).facts[0]?.fact).toBe(`domain ${domain}`)
    expect(queries()).toBe(2)
  })
})
