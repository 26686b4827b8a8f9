import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type Egress, EgressError } from './egress.ts'
import { createReadRoot } from './trusted-root.ts'

const makeFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-root-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const [one, two] = ['{"tlogs":[1]}', '{"certificateAuthorities":[2]}']

/** A host with a settable response that counts requests. */
const createHost = () => {
  const host = { requests: 0, answer: one as string | 503 }
  const egress: Egress = {
    perHost: 1,
    fetch: async (url) => {
      host.requests++
      if (host.answer === 'down') throw new EgressError('unreachable')
      const [status, body] = typeof host.answer === 'number' ? [host.answer, ''] : [200, host.answer]
      return { status, headers: {}, body: Buffer.from(body), url }
    },
    close: async () => {},
  }
  return { host, egress }
}

const url = 'https://roots.acme.example/trusted_root.json'
const hour = 3_600_000

it('uses the built-in root without a source', async () => {
  const { egress, host } = createHost()
  expect(await createReadRoot({ egress, source: null, folder: '/nonexistent', now: () => 0 })()).toEqual({
    id: 'built-in',
    json: undefined,
  })
  expect(host.requests).toBe(0)
})

it('reads a file again when it changes, and reports a missing one', async () => {
  const folder = await makeFolder()
  const source = join(folder, 'root.json')
  await writeFile(source, 'one')
  const read = createReadRoot({ egress: createHost().egress, source, folder, now: () => 0 })
  const first = await read()
  expect(first.json).toBe('one')
  expect(await read()).toBe(first)
  await writeFile(source, 'two')
  await utimes(source, 1, 1)
  const second = await read()
  expect(second.json).toBe('two')
  expect(second.id).not.toBe(first.id)
  await rm(source)
  await expect(read()).rejects.toMatchObject({ code: 'ENOENT' })
})

it('fetches an address every hour, and keeps the last response while it is down, even after a restart', async () => {
  const folder = await makeFolder()
  const { egress, host } = createHost()
  let time = 0
  const start = () => createReadRoot({ egress, source: url, folder, now: () => time })
  const read = start()
  expect((await read()).json).toBe(one)
  time += hour - 1
  await read()
  expect(host.requests).toBe(1)
  host.answer = two
  time += 1
  expect((await read()).json).toBe(two)
  for (const bad of ['down', 503, '<h1>no</h1>', '{}', '[]', 'null', '{"tlogs":[]}'] as const) {
    host.answer = bad
    time += hour
    expect((await read()).json, `${bad}`).toBe(two)
    expect((await start()()).json, `${bad}`).toBe(two)
  }
  const before = host.requests
  await read()
  expect(host.requests).toBe(before)
  const elsewhere = await makeFolder()
  await expect(createReadRoot({ egress, source: url, folder: elsewhere, now: () => time })()).rejects.toThrow()
})
