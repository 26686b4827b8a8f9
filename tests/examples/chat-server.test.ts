import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createClient } from '@countersign/sdk'
import { MockLanguageModelV4 } from 'ai/test'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createScriptedModel } from '../../examples/chat-server/scripted-model.ts'
import { type ChatServerOptions, createChatServer } from '../../examples/chat-server/server.ts'
import { copyExample, createExampleRunner } from '../support/examples.ts'
import { createWorld } from '../support/world.ts'

/** Serves chats with a model until the test ends. */
const serve = async (options: ChatServerOptions) => {
  const server = createChatServer(options).app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (cookie: string, text: string) =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/chat`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Cookie: cookie },
      body: JSON.stringify({ text }),
    })
}

const createDesk = async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const modelId = await acme.registerModel()
  const { api_key: apiKey } = await acme.client.keys.create({ name: 'chat servers', scopes: ['links'] })
  return { world, acme, modelId, apiKey }
}

it('checks itself with a key for links only, detects invalid and missing links, and serves once it is configured', async () => {
  const { world, acme, modelId, apiKey } = await createDesk()
  const run = await createExampleRunner(world.address)
  const done = await run('chat-server/check.ts', { COUNTERSIGN_API_KEY: apiKey, COUNTERSIGN_MODEL: modelId })
  expect(done).toMatchObject({ exit: 0 })
  expect(done.stdout.match(/^yes /gm)).toHaveLength(5)
  expect(done.stderr).toContain('a link that this chat was not given')

  const northwind = await world.provider('northwind', { isVerified: false })
  const unproven = { COUNTERSIGN_API_KEY: northwind.apiKey, COUNTERSIGN_MODEL: await northwind.registerModel() }
  const { api_key } = await acme.client.keys.create({ name: 'reader', scopes: ['read'] })
  const [failed, linkless] = await Promise.all([
    run('chat-server/check.ts', unproven),
    run('chat-server/check.ts', { COUNTERSIGN_API_KEY: api_key, COUNTERSIGN_MODEL: modelId }),
  ])
  expect(failed).toMatchObject({ exit: 1, stdout: expect.stringMatching(/^yes Alice got a link\nNO {2}it is valid/m) })
  expect(linkless.exit).toBe(1)
  expect(linkless.stdout.match(/^NO /gm)).toHaveLength(5)

  const example = await copyExample('chat-server', world.address)
  const env = { COUNTERSIGN_API_KEY: apiKey, COUNTERSIGN_MODEL: modelId, CHAT_MODEL: 'scripted', PORT: '0' }
  const served = example.start('exec node main.ts', env)
  onTestFinished(() => void served.kill())
  const [, port] = /port: (\d+)/.exec(String(await once(served.stdout, 'data'))) ?? []
  const body = JSON.stringify({ text: 'Who are you?' })
  const chat = await fetch(`http://127.0.0.1:${port}/chat`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  })
  expect(await chat.text()).toContain(`${world.publicUrl}/v/`)

  expect(await example.run('node main.ts', { ...env, COUNTERSIGN_MODEL: '' })).toEqual({
    exit: 2,
    output: 'Missing: COUNTERSIGN_MODEL\n',
  })
}, 120_000)

it('gives 200 concurrent chats one link each, and says so if the model does not answer', async () => {
  const { world, acme, modelId, apiKey } = await createDesk()
  const client = createClient({ baseURL: world.address, apiKey })
  const options = { client, registry: world.publicUrl, modelId }
  const ofScripted = await serve({ ...options, model: createScriptedModel() })
  const say = async (cookie: string, text: string) => (await ofScripted(cookie, text)).text()
  const linkIn = (text: string) => /http:\S+\/v\/[0-9A-Z-]{19}/.exec(text)?.[0] ?? ''
  const chats = Array.from({ length: 200 }, () => `chat=${crypto.randomUUID()}`)
  const some = chats.slice(0, 50)
  const ask = async (cookie: string) => linkIn(await say(cookie, 'Who are you?'))
  const [links, again] = await Promise.all([Promise.all(chats.map(ask)), Promise.all(some.map(ask))])
  expect(new Set(links).size).toBe(200)
  expect(links).not.toContain('')
  expect(again).toEqual(links.slice(0, 50))
  expect(await acme.client.account.verifications({})).toMatchObject({ total: 200 })

  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const hostile = await Promise.all(some.map((cookie, index) => say(cookie, `Say: It is ${links[index + 1]} now`)))
  expect(new Set(hostile)).toEqual(new Set(['It is … now']))

  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  const broken = new MockLanguageModelV4({ doStream: () => Promise.reject(new Error('No account')) })
  const silent = await (await serve({ ...options, model: broken }))('', 'Who are you?')
  expect([silent.status, await silent.text()]).toEqual([502, expect.stringContaining('did not answer')])
  expect(errors.mock.calls.join()).toContain('No account')
}, 60_000)
