import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, InMemoryTransport, McpServer } from '@modelcontextprotocol/server'
import { expect, it, onTestFinished } from 'vitest'
import { createMinter, otherModel, ownModel } from '../../../tests/support/minter.ts'
import { type RegisterVerificationToolOptions, registerVerificationTool } from './index.ts'

const createMcpServer = (options: RegisterVerificationToolOptions) => {
  const server = new McpServer({ name: 'acme', version: '1.0.0' })
  registerVerificationTool(server, options)
  return server
}

/** A client in the same process as the server. */
const connectInMemory = async (sessionId: RegisterVerificationToolOptions['sessionId'] = 'chat-1') => {
  const minter = createMinter()
  const errors: unknown[] = []
  const [here, there] = InMemoryTransport.createLinkedPair()
  await createMcpServer({ issuer: minter.issuer, sessionId, onError: (cause) => errors.push(cause) }).connect(there)
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(here)
  onTestFinished(() => client.close())
  const call = (given?: Record<string, unknown>, options = {}) =>
    client.callTool({ name: 'get_verification_link', arguments: given }, options)
  return { minter, errors, client, call }
}

it('is listed with its output schema as a read-only tool with a challenge as its only argument', async () => {
  const { client } = await connectInMemory()
  const { tools } = await client.listTools()
  expect(tools).toMatchObject([
    {
      name: 'get_verification_link',
      inputSchema: { type: 'object', properties: { challenge: { type: 'string' } }, additionalProperties: false },
      outputSchema: { type: 'object', required: ['verification_url', 'code', 'expires_at', 'challenge'] },
      annotations: { readOnlyHint: true, idempotentHint: true },
    },
  ])
})

it('returns the link as text and structured content, and the same one while it is valid', async () => {
  const { minter, call } = await connectInMemory()
  const first = await call({ challenge: 'blue otter 42' })
  const [link] = minter.issuer.issuedTo('chat-1')
  const { url: verification_url, code, expiresAt: expires_at, challenge } = link ?? {}
  expect(first.structuredContent).toEqual({ verification_url, code, expires_at, challenge })
  expect(first.content).toMatchObject([{ type: 'text', text: expect.stringContaining(verification_url ?? '-') }])
  expect(await call({ challenge: 'blue otter 42' })).toEqual(first)
  expect((await call()).structuredContent).toMatchObject({ challenge: null })
  expect(minter.requests).toMatchObject([{ model_id: ownModel, challenge: 'blue otter 42' }, { model_id: ownModel }])
  expect(JSON.stringify(first)).not.toContain(link?.token)
})

it.each([
  { name: 'another model', given: { challenge: 'blue otter 42', model_id: otherModel } },
  { name: 'another session', given: { sessionId: 'chat-2' } },
  { name: 'a challenge that is a web page', given: { challenge: '<b>verified</b>' } },
  { name: 'a challenge that is an object', given: { challenge: { model_id: otherModel } } },
])('rejects by its schema a call with $name', async ({ given }) => {
  const { minter, errors, call } = await connectInMemory()
  const answer = await call(given)
  expect(answer.isError).toBe(true)
  expect(JSON.stringify(answer.content)).toMatch(/takes `challenge` and nothing else|at most 64 letters/)
  expect({ requests: minter.requests, errors }).toEqual({ requests: [], errors: [] })
})

it('sets isError if there is no link, and tells the program why', async () => {
  const { minter, errors, call } = await connectInMemory()
  minter.is('refuses')
  const answer = await call({})
  expect(answer).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('Do not make one up') }] })
  expect(answer.structuredContent).toBeUndefined()
  expect(JSON.stringify(answer)).not.toContain('revoked')
  expect(errors).toMatchObject([{ code: 'unauthorized' }])
})

it('mints nothing if the caller is unknown', async () => {
  const { minter, call } = await connectInMemory(() => '')
  expect((await call({})).isError).toBe(true)
  expect(minter.requests).toEqual([])
})

it('stops waiting for the registry when the client cancels', async () => {
  const { minter, call } = await connectInMemory()
  minter.is('is silent')
  const stop = new AbortController()
  const answer = call({}, { signal: stop.signal })
  void minter.silence.then(() => stop.abort())
  await expect(answer).rejects.toThrow()
  await expect.poll(minter.aborted).toBe(1)
})

it('over HTTP gives each caller their own links, in both generations of the protocol', async () => {
  const minter = createMinter()
  const handler = createMcpHandler(() =>
    createMcpServer({ issuer: minter.issuer, sessionId: ({ http }) => http?.authInfo?.clientId ?? '' }),
  )
  const answer = toNodeHandler(handler)
  const http = createServer((request: IncomingMessage & { auth?: object }, response) => {
    const clientId = request.headers.authorization?.replace('Bearer ', '')
    if (clientId !== undefined) request.auth = { token: clientId, clientId, scopes: [] }
    void answer(request as Parameters<typeof answer>[0], response)
  }).listen(0, '127.0.0.1')
  await once(http, 'listening')
  onTestFinished(async () => {
    await handler.close()
    http.closeAllConnections()
    http.close()
  })
  const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`)
  const askAs = async (caller: string | undefined, mode: 'legacy' | 'auto') => {
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
    const headers: Record<string, string> = caller === undefined ? {} : { Authorization: `Bearer ${caller}` }
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
    const shown = await client.callTool({ name: 'get_verification_link', arguments: {} })
    await client.close()
    return shown
  }
  const first = await askAs('alice', 'legacy')
  expect(first.structuredContent).toMatchObject({ verification_url: minter.issuer.issuedTo('alice')[0]?.url })
  expect((await askAs('alice', 'auto')).structuredContent).toEqual(first.structuredContent)
  expect((await askAs('bob', 'auto')).structuredContent).toMatchObject({
    verification_url: minter.issuer.issuedTo('bob')[0]?.url,
  })
  expect(minter.requests).toHaveLength(2)
  expect((await askAs(undefined, 'auto')).isError).toBe(true)
  expect(minter.requests).toHaveLength(2)
})

it.each([
  { name: 'without an ID', sessionId: () => '' },
  {
    name: 'whose lookup fails',
    sessionId: () => {
      throw new Error('no caller')
    },
  },
])('tells the model of a caller $name that there is no link, and the program why', async ({ sessionId }) => {
  const { minter, errors, call } = await connectInMemory(sessionId)
  const answer = await call()
  expect(answer).toMatchObject({
    isError: true,
    content: [{ type: 'text', text: expect.stringContaining('Do not make one up') }],
  })
  expect(errors).toHaveLength(1)
  expect(minter.requests).toEqual([])
})
