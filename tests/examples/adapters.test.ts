import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { simulateReadableStream } from 'ai'
import { MockLanguageModelV4, MockProviderV4 } from 'ai/test'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { startOpenAiServer } from '../support/openai-server.ts'
import { createWorld, type World } from '../support/world.ts'

const root = new URL('../../', import.meta.url).pathname
const page = readFileSync(join(root, 'docs/ai-runtimes.md'), 'utf8')
const section = page.split(/^## /m).find((text) => text.startsWith('Adapters\n')) ?? ''
const samples = Array.from(section.matchAll(/```ts\n([\s\S]*?)```/g), ([, code = '']) => code)

type Answer = (sessionId: string, prompt: string) => Promise<unknown>

let world: World
let model: string
let linksOf: () => Promise<{ challenge: string | null }[]>
beforeEach(async () => {
  // Each is tested below.
  expect(samples).toHaveLength(4)
  world = await createWorld()
  const acme = await world.provider('acme')
  model = await acme.registerModel()
  linksOf = async () => (await acme.client.account.verifications({})).verifications
  const { api_key } = await acme.client.keys.create({ name: 'chat servers', scopes: ['links'] })
  vi.stubEnv('COUNTERSIGN_API_KEY', api_key)
  onTestFinished(() => void vi.unstubAllEnvs())
})

/** Loads a sample that imports a package, from a place where the SDK and its libraries can be resolved. */
const load = async <T>(named: string): Promise<T> => {
  const code = samples.find((sample) => sample.includes(named)) ?? ''
  const folder = await mkdtemp(join(root, 'sdk', 'sample-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'sample.ts')
  await writeFile(
    file,
    code.replace('https://registry.example', world.address).replace('mdl_06dh0e3x7c9bw4vjz2n8qk5ytm', model),
  )
  return import(file)
}

const isGood = async (said: unknown) => {
  const verdict = await world.anyone.verifications.check(String(said), {
    expect: { provider_domain: 'acme.example', model_id: model },
  })
  return verdict.result === 'verified'
}

it('the sample for the AI SDK gives a person the link', async () => {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  }
  const finish = (unified: 'tool-calls' | 'stop') => ({
    type: 'finish' as const,
    finishReason: { unified, raw: undefined },
    usage,
  })
  const input = '{"challenge":"blue otter 42"}'
  const scripted = new MockLanguageModelV4({
    doStream: async ({ prompt }) => {
      const shown = prompt.findLast(({ role }) => role === 'tool')
      if (shown === undefined) {
        const call = { type: 'tool-call' as const, toolCallId: '1', toolName: 'get_verification_link', input }
        return { stream: simulateReadableStream({ chunks: [call, finish('tool-calls')] }) }
      }
      const [link = ''] = /http[^"\\]+/.exec(JSON.stringify(shown)) ?? []
      return {
        stream: simulateReadableStream({
          chunks: [
            { type: 'text-start', id: '1' },
            { type: 'text-delta', id: '1', delta: link },
            { type: 'text-end', id: '1' },
            finish('stop'),
          ],
        }),
      }
    },
  })
  vi.stubGlobal('AI_SDK_DEFAULT_PROVIDER', new MockProviderV4({ languageModels: { 'acme/acme-chat': scripted } }))
  onTestFinished(() => void vi.unstubAllGlobals())
  const { answer } = await load<{ answer: (sessionId: string, prompt: string) => { text: PromiseLike<string> } }>(
    '@countersign/sdk/ai',
  )
  expect(await isGood(await answer('chat-1', 'Who are you?').text)).toBe(true)
  expect(await linksOf()).toMatchObject([{ challenge: 'blue otter 42' }])
})

it.each(['openaiTool', 'openaiResponsesTool'])('the sample with %s gives a person the link', async (tool) => {
  const api = await startOpenAiServer()
  onTestFinished(api.close)
  vi.stubEnv('OPENAI_API_KEY', 'sk-example')
  vi.stubEnv('OPENAI_BASE_URL', api.baseURL)
  api.willAsk('{"challenge":"blue otter 42"}')
  const { answer } = await load<{ answer: Answer }>(`, ${tool} }`)
  expect(await isGood(await answer('chat-1', 'Who are you?'))).toBe(true)
  expect(await linksOf()).toMatchObject([{ challenge: 'blue otter 42' }])
})

it('the sample for MCP gives each caller a link, and an anonymous one none', async () => {
  const { http } = await load<{ http: Server }>('@countersign/sdk/mcp')
  const [serve] = http.listeners('request')
  http.removeAllListeners('request')
  http.on('request', (request, response) => {
    const clientId = request.headers.authorization
    serve?.(
      clientId === undefined ? request : Object.assign(request, { auth: { token: clientId, clientId, scopes: [] } }),
      response,
    )
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  const ask = async (headers: Record<string, string>) => {
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
    const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}`)
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
    const shown = await client.callTool({ name: 'get_verification_link', arguments: { challenge: 'blue otter 42' } })
    await client.close()
    return shown
  }
  const { content } = await ask({ Authorization: 'alice' })
  expect(await isGood(content[0]?.type === 'text' ? content[0].text : '')).toBe(true)
  vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(await ask({})).toMatchObject({ isError: true })
  expect(await linksOf()).toHaveLength(1)
})
