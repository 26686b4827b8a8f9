import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@countersign/sdk'
import { expect, it, onTestFinished } from 'vitest'
import { runServer, startServer } from '../support/server-process.ts'

it('sample data is created once, is marked as such, and is found and never verified', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-demo-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const environment = { DATA_DIR: folder }
  const first = await runServer(['demo'], environment)
  const second = await runServer(['demo'], environment)
  expect([first.code, first.stdout, second.code, second.stdout]).toEqual([
    0,
    'Added 2 sample models, marked as such.\n',
    0,
    'The sample data already exists.\n',
  ])

  const registry = await startServer(environment)
  onTestFinished(async () => void (await registry.end('SIGTERM')))
  const client = createClient({ baseURL: registry.url })
  const { models } = await client.models.list({})
  expect(models.map(({ is_demo, provider_domain_verified }) => ({ is_demo, provider_domain_verified }))).toEqual([
    { is_demo: true, provider_domain_verified: false },
    { is_demo: true, provider_domain_verified: false },
  ])
  const found = await client.search.find({ q: 'example chat' })
  expect(found.models).toHaveLength(1)
  const provider = await client.providers.get(models[0]?.provider_id ?? '')
  expect(provider).toMatchObject({ domain: null, domain_verified: false })
})
