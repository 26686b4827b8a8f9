import { readFileSync } from 'node:fs'
import parsePrometheusTextFormat from 'parse-prometheus-text-format'
import { expect, it, onTestFinished } from 'vitest'
import { portOf } from '../../server/src/http/listen.ts'
import { ask } from '../support/ask.ts'
import { describeEachEngine } from '../support/databases.ts'
import { root } from '../support/imports.ts'
import { createWorld, type World } from '../support/world.ts'

/** Returns a function that scrapes the metrics. */
const serveMetrics = async ({ registry }: Pick<World, 'registry'>) => {
  const server = await registry.listenForMetrics({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return async () => {
    const { status, text, headers } = await ask(`http://127.0.0.1:${portOf(server)}/metrics`)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
    const families = parsePrometheusTextFormat(text)
    /** The value of a metric without labels. */
    const read = (name: string) => {
      const value = families.find((family) => family.name === name)?.metrics[0]?.value
      return value === undefined ? undefined : Number(value)
    }
    return { text, families, read }
  }
}
const scrapeOnce = async (world: World) => (await serveMetrics(world))()

describeEachEngine('metrics', (engine) => {
  it('exports queues, the pool or the write-ahead log, the disk and the email backlog', async () => {
    const world = await createWorld({ engine })
    await world.provider('acme')
    const scrape = await serveMetrics(world)
    await world.jobs.run('mails')
    await world.database.transaction((tx) => tx.deleteFrom('mails').execute())
    expect((await scrape()).read('countersign_mails_waiting')).toBe(0)
    const mail = { recipient: 'hello@acme.example', subject: '', body_text: '', body_html: '', cap: null, attempts: 0 }
    const created_at = world.clock.now() - 90_000
    await world.database.transaction((tx) =>
      tx
        .insertInto('mails')
        .values({ id: 'mal_1', ...mail, due_at: created_at, created_at, sent_at: null })
        .execute(),
    )
    const { read, families } = await scrape()
    expect(read('countersign_mails_waiting')).toBe(1)
    expect(read('countersign_mail_oldest_age_seconds')).toBe(90)
    expect(read('countersign_database_up')).toBe(1)
    expect(read('countersign_write_queue_length')).toBe(0)
    expect(read('countersign_jobs_due')).toBe(0)
    await world.clock.advance('1d')
    expect((await scrape()).read('countersign_jobs_due')).toBe(1)
    expect(read('countersign_data_free_bytes')).toBeGreaterThan(1_000_000)
    const states = families.find(({ name }) => name === 'countersign_database_pool_connections')
    if (engine === 'sqlite') {
      expect(read('countersign_sqlite_wal_bytes')).toBeGreaterThan(0)
      expect(read('countersign_database_pool_waiting')).toBeUndefined()
      expect(states?.metrics).toEqual([])
    } else {
      expect(read('countersign_sqlite_wal_bytes')).toBeUndefined()
      expect(read('countersign_database_pool_waiting')).toBe(0)
      expect(states?.metrics.map(({ labels }) => labels?.state).sort()).toEqual(['busy', 'idle'])
    }
  })
})

it('counts requests, rejections, links and verdicts, without identities', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const { verification_url } = await acme.client.verifications.create({ model_id: await acme.registerModel() })
  await world.anyone.verifications.get(verification_url)
  await ask(`${world.address}/api/v1/providers/me`)
  const { text, read, families } = await scrapeOnce(world)
  expect(read('countersign_links_minted_total')).toBe(1)
  expect(text).toContain('countersign_verdicts_total{result="verified",reason="none"} 1')
  expect(text).toContain('countersign_http_rejections_total{route="GET /api/v1/providers/me",code="unauthorized"} 1')
  expect(text).toContain('route="GET /api/v1/verify/:token"')
  for (const secret of [acme.id, acme.apiKey, verification_url.slice(-19)]) expect(text).not.toContain(secret)
  expect((await ask(`${world.address}/metrics`)).text).not.toContain('countersign_')

  for (const { name, type, help } of families) {
    expect(help, name).not.toBe('')
    expect(name.endsWith('_total'), `${name} is a ${type}`).toBe(type === 'COUNTER')
  }
})

it('still answers when the database does not', async () => {
  const world = await createWorld()
  await world.database.close()
  const { read } = await scrapeOnce(world)
  expect(read('countersign_database_up')).toBe(0)
  expect(read('countersign_mails_waiting')).toBeUndefined()
})

it('lists every metric in docs/operating.md', async () => {
  const { families } = await scrapeOnce(await createWorld())
  const own = families.filter(({ name }) => name.startsWith('countersign_'))
  const rows = own.map(({ name, type, help }) => `| \`${name}\` | ${type.toLowerCase()} | ${help} |`)
  const documented = readFileSync(`${root}/docs/operating.md`, 'utf8').match(/^\| `countersign_.*$/gm)
  expect(documented?.toSorted()).toEqual(rows.toSorted())
})
