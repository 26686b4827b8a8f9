import { getEventListeners } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AbortError, ApiError, ConnectionError, LinkError, TimeoutError } from './api-error.ts'
import { createClientOn, takesInput } from './client.ts'
import { contract } from './contract/index.ts'
import type { Route } from './contract/routes.ts'
import type { Claims } from './contract/verifications.ts'
import { type ClientOptions, createClient } from './index.ts'
import { issueTestToken } from './testing/test-token.ts'
import { vectors } from './testing/vectors.ts'
import { createTransport, type Environment } from './transport.ts'
import { readToken } from './verify/token.ts'

interface Received {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

type Reply = (response: ServerResponse, request: Received) => void

let server: Server
let baseURL: string
let received: Received[]
/** One reply per request; the last one repeats. */
let replies: Reply[]

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response
      .writeHead(status, { 'Content-Type': 'application/json', 'X-Request-Id': 'req_1', ...headers })
      .end(JSON.stringify(body))

const problem = (status: number, code: string, extra: object = {}, headers: Record<string, string> = {}) =>
  json(
    status,
    { type: 'about:blank', title: code, status, detail: `detail of ${code}`, code, request_id: 'req_1', ...extra },
    headers,
  )

beforeEach(async () => {
  received = []
  replies = [json(200, { ok: true })]
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const asked = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    }
    received.push(asked)
    const reply = replies.length > 1 ? replies.shift() : replies[0]
    reply?.(response, asked)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  baseURL = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  server.closeAllConnections()
  server.close()
})

/** A client whose delays take no time, and are recorded. */
const createQuick = (options: ClientOptions = {}) => {
  const waits: number[] = []
  let at = 0
  const environment: Environment = {
    now: () => at,
    random: () => 0,
    pause: async (waitMs) => {
      waits.push(waitMs)
      at += waitMs
    },
  }
  return { client: createClientOn(createTransport({ baseURL, ...options }, environment), baseURL), waits }
}

const failure = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(
    () => undefined,
    (error: unknown) => error,
  )

const model = {
  api_model_identifier: 'tiny',
  display_name: 'Tiny',
  description: 'A tiny model',
  endpoint: 'https://acme.example/v1',
}

describe('a method', () => {
  it('fills the path, sends the body and the key, and returns the response body', async () => {
    const client = createClient({ baseURL, apiKey: 'csk_key' })
    expect(await client.models.archive('mdl_1', { reason: 'replaced' })).toEqual({ ok: true })
    expect(received[0]).toMatchObject({
      method: 'POST',
      url: '/api/v1/models/mdl_1/archive',
      body: '{"reason":"replaced"}',
    })
    expect(received[0]?.headers).toMatchObject({
      'x-api-key': 'csk_key',
      'content-type': 'application/json',
      accept: 'application/json',
    })
  })

  it('omits undefined values from the query', async () => {
    await createClient({ baseURL }).models.list({ search: 'a b&c', provider_id: undefined })
    expect(received[0]).toMatchObject({ method: 'GET', url: '/api/v1/models/public?search=a+b%26c', body: '' })
  })

  it('takes options after the input, or after the path if there is no input', async () => {
    const client = createClient({ baseURL })
    await client.models.get('mdl_1', { headers: { 'x-a': '1' } })
    await client.models.revokeDeployment('mdl_1', 'dep_1', { headers: { 'x-a': '2' } })
    await client.deployments.setStatus('dep_1', { status: 'disabled' }, { headers: { 'x-a': '3' } })
    expect(received.map(({ method, url, headers }) => [method, url, headers['x-a']])).toEqual([
      ['GET', '/api/v1/models/mdl_1/public', '1'],
      ['DELETE', '/api/v1/models/mdl_1/deployments/dep_1', '2'],
      ['PUT', '/api/v1/deployments/dep_1/status', '3'],
    ])
  })

  it('escapes path parameters, including ../', async () => {
    const client = createClient({ baseURL })
    await client.verifications.get('https://r.example/v/ABCD?x#y')
    expect(received[0]?.url).toBe('/api/v1/verify/https%3A%2F%2Fr.example%2Fv%2FABCD%3Fx%23y')
    for (const id of ['', '.', '..', undefined as never])
      expect(await failure(client.models.get(id))).toBeInstanceOf(TypeError)
    expect(received).toHaveLength(1)
  })

  it('returns status, headers and request ID on request', async () => {
    const { data, response, requestId } = await createClient({ baseURL }).signing.jwks().withResponse()
    expect({ data, status: response.status, requestId }).toEqual({
      data: { ok: true },
      status: 200,
      requestId: 'req_1',
    })
  })

  it('sends a file as a form without setting the content type', async () => {
    const { client } = createQuick({ apiKey: 'csk_key' })
    await client.providers.uploadLogo('prv_1', new Blob(['bytes'], { type: 'image/png' }))
    const [request] = received
    expect(request?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    expect(request?.body).toContain('name="file"; filename="file"\r\nContent-Type: image/png\r\n\r\nbytes\r\n')
  })

  it('knows for every endpoint whether it takes input', () => {
    const rows: [string, Route & { body?: unknown; query?: unknown; upload?: boolean }][] = Object.values(
      contract,
    ).flatMap((group) => Object.entries(group))
    for (const [name, row] of rows)
      expect([name, takesInput(row)]).toEqual([
        name,
        row.body !== undefined || row.query !== undefined || row.upload === true,
      ])
  })

  it('asks a function for the key before each attempt', async () => {
    replies = [problem(503, 'unavailable'), json(200, {})]
    let count = 0
    await createQuick({ apiKey: async () => `csk_${++count}` }).client.providers.me()
    expect(received.map(({ headers }) => headers['x-api-key'])).toEqual(['csk_1', 'csk_2'])
  })
})

describe('a list', () => {
  const page = (names: string[], next_cursor: string | null) =>
    json(200, { models: names.map((display_name) => ({ display_name })), next_cursor })

  it('returns its first page, or the items of all pages', async () => {
    replies = [page(['a', 'b'], 'two'), page(['c'], 'three'), page(['d'], null)]
    const names: string[] = []
    for await (const { display_name } of createClient({ baseURL }).models.list({ search: 'x', skip: 1 }))
      names.push(display_name)
    expect(names).toEqual(['a', 'b', 'c', 'd'])
    expect(received.map(({ url }) => url)).toEqual([
      '/api/v1/models/public?search=x&skip=1',
      '/api/v1/models/public?search=x&cursor=two',
      '/api/v1/models/public?search=x&cursor=three',
    ])
    replies = [page(['a'], 'two')]
    expect(await createClient({ baseURL }).models.list()).toMatchObject({ next_cursor: 'two' })
  })

  it('fetches no more pages than its limit needs', async () => {
    replies = [page(['a', 'b'], 'two'), page(['c', 'd'], 'three'), page(['e'], null)]
    expect(await createClient({ baseURL }).models.list().toArray({ limit: 3 })).toHaveLength(3)
    expect(received).toHaveLength(2)
  })
})

describe('retries', () => {
  it.each([408, 429, 500, 502, 503, 504])('happen after status %i', async (status) => {
    replies = [(response) => response.writeHead(status).end('oops'), json(200, { ok: true })]
    const { client, waits } = createQuick()
    expect(await client.signing.jwks()).toEqual({ ok: true })
    expect(waits).toEqual([500])
  })

  it('happen after a broken connection', async () => {
    replies = [
      (response) => response.destroy(),
      (response) => response.writeHead(200, { 'Content-Length': 50 }).write('{', () => response.destroy()),
      json(200, {}),
    ]
    await createQuick().client.signing.jwks()
    expect(received).toHaveLength(3)
  })

  it.each([400, 401, 403, 404, 409, 422])('do not happen after status %i', async (status) => {
    replies = [problem(status, 'bad_request')]
    expect(await failure(createQuick().client.signing.jwks())).toMatchObject({ status, retryable: false })
    expect(received).toHaveLength(1)
  })

  it('happen while the same request is still being processed', async () => {
    replies = [problem(409, 'idempotency_in_flight'), json(201, {})]
    await createQuick().client.models.register(model)
    expect(received).toHaveLength(2)
  })

  it('stop after maxRetries with the last error; 0 means a single request', async () => {
    replies = [problem(503, 'unavailable')]
    expect(await failure(createQuick().client.signing.jwks())).toMatchObject({ code: 'unavailable', retryable: true })
    expect(received).toHaveLength(3)
    await failure(createQuick({ maxRetries: 0 }).client.signing.jwks())
    expect(received).toHaveLength(4)
    await failure(createQuick().client.signing.jwks({ maxRetries: 1 }))
    expect(received).toHaveLength(6)
  })

  it('wait longer each time', async () => {
    replies = [problem(500, 'internal')]
    const { client, waits } = createQuick({ maxRetries: 7 })
    await failure(client.signing.jwks())
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000])
  })

  it.each([
    { name: 'seconds', value: '7', waitMs: 7_000 },
    { name: 'an HTTP date', value: new Date(9_000).toUTCString(), waitMs: 9_000 },
    { name: 'a date in the past', value: new Date(-9_000).toUTCString(), waitMs: 0 },
    { name: 'nonsense', value: 'soon', waitMs: 500 },
    { name: 'a negative number', value: '-5', waitMs: 500 },
  ])('obey Retry-After: $name', async ({ value, waitMs }) => {
    replies = [problem(429, 'rate_limited', {}, { 'Retry-After': value }), json(200, {})]
    const { client, waits } = createQuick()
    await client.signing.jwks()
    expect(waits).toEqual([waitMs])
  })

  it.each([
    { name: 'an hour', value: '3480', retryAfterMs: 3_480_000 },
    { name: 'a far date', value: 'Fri, 01 Jan 2100 00:00:00 GMT', retryAfterMs: expect.any(Number) },
  ])('do not happen if the registry asks for more than a minute: $name', async ({ value, retryAfterMs }) => {
    replies = [problem(429, 'rate_limited', {}, { 'Retry-After': value })]
    expect(await failure(createQuick().client.signing.jwks())).toMatchObject({ code: 'rate_limited', retryAfterMs })
    expect(received).toHaveLength(1)
  })

  it('obey X-Should-Retry: false', async () => {
    replies = [problem(503, 'unavailable', {}, { 'X-Should-Retry': 'false' })]
    expect(await failure(createQuick().client.signing.jwks())).toMatchObject({ retryable: false })
    expect(received).toHaveLength(1)
  })

  it('do not happen if the wait would exceed the deadline', async () => {
    replies = [problem(429, 'rate_limited', {}, { 'Retry-After': '5' })]
    expect(await failure(createQuick({ deadline: 4_000 }).client.signing.jwks())).toMatchObject({
      code: 'rate_limited',
      retryAfterMs: 5_000,
    })
    expect(received).toHaveLength(1)
  })

  it('carry the same idempotency key, generated or given, on endpoints that create', async () => {
    replies = [problem(503, 'unavailable'), json(201, {})]
    await createQuick().client.models.register(model)
    const [first, second] = received.map(({ headers }) => headers['idempotency-key'])
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect(second).toBe(first)
    await createQuick().client.models.register(model, { idempotencyKey: 'mine' })
    expect(received[2]?.headers['idempotency-key']).toBe('mine')
    await createQuick().client.models.register(model)
    expect(received[3]?.headers['idempotency-key']).not.toBe(first)
  })

  it('carry none when minting: another attempt makes another link', async () => {
    await createQuick().client.verifications.create({ model_id: 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm' })
    expect(received[0]?.headers).not.toHaveProperty('idempotency-key')
  })
})

describe('aborting a call', () => {
  const aborted = (work: (signal: AbortSignal) => PromiseLike<unknown>, when: Promise<unknown>) => {
    const controller = new AbortController()
    const failed = failure(work(controller.signal))
    return when.then(async () => {
      controller.abort(new Error('enough'))
      // Only promises may run between the signal and the end of the call.
      return await Promise.race([failed, new Promise((resolve) => setImmediate(resolve, 'still waiting'))])
    })
  }

  const expectStopped = (error: unknown) => {
    expect(error).toBeInstanceOf(AbortError)
    expect(error).toMatchObject({ cause: { message: 'enough' } })
  }

  it('rejects it before the response', async () => {
    const asked = Promise.withResolvers<void>()
    replies = [() => asked.resolve()]
    expectStopped(await aborted((signal) => createClient({ baseURL }).signing.jwks({ signal }), asked.promise))
    expect(received).toHaveLength(1)
  })

  it('rejects it while the response is read', async () => {
    const sent = Promise.withResolvers<void>()
    replies = [(response) => response.writeHead(200).write('{', () => sent.resolve())]
    expectStopped(await aborted((signal) => createClient({ baseURL }).signing.jwks({ signal }), sent.promise))
    expect(received).toHaveLength(1)
  })

  it('rejects it between two attempts, without another request', async () => {
    replies = [problem(429, 'rate_limited', {}, { 'Retry-After': '30' })]
    const waiting = Promise.withResolvers<void>()
    const client = createClient({ baseURL, onRetry: () => waiting.resolve() })
    expectStopped(
      await aborted(
        (signal) => client.signing.jwks({ signal }),
        waiting.promise.then(() => undefined),
      ),
    )
    expect(received).toHaveLength(1)
  })

  it('rejects it before the start, without a request', async () => {
    expect(await failure(createClient({ baseURL }).signing.jwks({ signal: AbortSignal.abort() }))).toBeInstanceOf(
      AbortError,
    )
    expect(received).toHaveLength(0)
  })

  it('works with a custom fetch that ignores the signal', async () => {
    const asked = Promise.withResolvers<void>()
    const deaf: typeof fetch = () => {
      asked.resolve()
      return new Promise(() => {})
    }
    expectStopped(
      await aborted((signal) => createClient({ baseURL, fetch: deaf }).signing.jwks({ signal }), asked.promise),
    )
  })

  it('leaves no listener on a signal that outlives its calls', async () => {
    const { signal } = new AbortController()
    const fetch = async () => Response.json({})
    const client = createClient({ baseURL, fetch })
    for (let call = 0; call < 1_000; call++) await client.signing.jwks({ signal })
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  it('by timeout applies to each attempt: a slow one is retried', async () => {
    replies = [() => {}, json(200, { ok: true })]
    expect(await createQuick({ timeout: 400 }).client.signing.jwks()).toEqual({ ok: true })
    replies = [() => {}]
    expect(await failure(createQuick().client.signing.jwks({ timeout: 20, maxRetries: 0 }))).toBeInstanceOf(
      TimeoutError,
    )
  })

  it('by deadline applies to all attempts together', async () => {
    replies = [() => {}]
    expect(await failure(createClient({ baseURL, deadline: 500, timeout: 0 }).signing.jwks())).toBeInstanceOf(
      TimeoutError,
    )
    expect(received).toHaveLength(1)
  })
})

describe('errors', () => {
  it.each([
    { status: 400, code: 'bad_request', name: 'BadRequestError' },
    { status: 401, code: 'unauthorized', name: 'AuthenticationError' },
    { status: 403, code: 'forbidden', name: 'PermissionError' },
    { status: 404, code: 'not_found', name: 'NotFoundError' },
    { status: 409, code: 'model_exists', name: 'ConflictError' },
    { status: 422, code: 'validation_failed', name: 'ValidationError' },
    { status: 429, code: 'rate_limited', name: 'RateLimitError' },
    { status: 500, code: 'internal', name: 'ServerError' },
    { status: 507, code: 'storage_full', name: 'ServerError' },
    { status: 413, code: 'body_too_large', name: 'ApiError' },
    {
      status: 400,
      code: 'link_expired',
      name: 'LinkError',
      extra: { result: 'not_verified', reason: 'expired', checks: [] },
    },
  ])('of status $status with $code is a $name', async ({ status, code, name, extra = {} }) => {
    replies = [problem(status, code, extra)]
    const error = await failure(createQuick().client.signing.jwks())
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      name,
      status,
      code,
      detail: `detail of ${code}`,
      requestId: 'req_1',
      call: 'signing.jwks',
      message: `signing.jwks: GET /.well-known/jwks.json answered ${status} ${code}: detail of ${code} (request req_1)`,
    })
  })

  it('name the conflicting object and the invalid fields', async () => {
    replies = [problem(409, 'model_exists', { existing_model: { id: 'mdl_1' } })]
    expect(await failure(createQuick().client.models.register(model))).toMatchObject({ existing: { id: 'mdl_1' } })
    replies = [
      problem(422, 'validation_failed', { errors: [{ loc: ['body', 'endpoint'], msg: 'no', pointer: '#/endpoint' }] }),
    ]
    expect(await failure(createQuick().client.models.register(model))).toMatchObject({
      issues: [{ pointer: '#/endpoint' }],
    })
  })

  it('have the declared types even if a hostile response has others', async () => {
    const body = { detail: 'no', errors: 'all of them', checks: {}, request_id: ['x'] }
    const reply = (status: number, code: string) => [
      ((response) => response.writeHead(status).end(JSON.stringify({ ...body, code }))) as Reply,
    ]
    replies = reply(422, 'toString')
    const wrong = await failure(createQuick().client.models.register(model))
    expect(wrong).toMatchObject({ code: 'toString', retryable: false, issues: [], requestId: null })
    replies = reply(400, 'link_expired')
    expect(await failure(createQuick().client.verifications.get('W904-2CKW-GDNC-X7S1'))).toMatchObject({
      checks: [],
      requestId: null,
    })
  })

  it.each([
    { status: 502, code: 'unavailable', more: '' },
    { status: 404, code: 'not_found', more: '. Is it a registry?' },
  ])('have a code even if something in front of the registry answered $status', async ({ status, code, more }) => {
    replies = [(response) => response.writeHead(status).end('<html>')]
    expect(await failure(createQuick().client.signing.jwks())).toMatchObject({
      code,
      status,
      problem: null,
      detail: `${new URL(baseURL).host} answered with ${status}${more}`,
    })
  })

  it('of a missing key names the option, unless the client has one', async () => {
    replies = [problem(401, 'unauthorized', { detail: 'This requires an API key.' })]
    const messageOf = async (options: ClientOptions) =>
      ((await failure(createQuick(options).client.providers.me())) as ApiError).message
    expect(await messageOf({ apiKey: undefined })).toMatch(/API key\. \(request req_1\) createClient got no apiKey\.$/)
    expect(await messageOf({ apiKey: 'csk_key' })).toMatch(/\(request req_1\)$/)
  })

  it.each([
    { name: 'a page instead of JSON', reply: ((response) => response.end('<html>')) as Reply },
    {
      name: 'a redirect, which is not followed',
      reply: ((response) => response.writeHead(307, { Location: '/elsewhere' }).end()) as Reply,
    },
  ])('report $name', async ({ reply }) => {
    replies = [reply]
    expect(await failure(createQuick({ apiKey: 'csk_key' }).client.signing.jwks())).toMatchObject({
      name: 'ConnectionError',
      retryable: false,
    })
    expect(received).toHaveLength(1)
  })

  it('are never left unhandled if only the raw response is awaited', async () => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    replies = [problem(404, 'not_found')]
    await failure(createClient({ baseURL }).signing.jwks().withResponse())
    await failure(createClient({ baseURL }).models.list().toArray())
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })
})

describe('options', () => {
  it.each([
    { name: 'an unknown name', options: { baseUrl: 'https://r.example' }, says: 'unknown option "baseUrl"; known:' },
    { name: 'a negative timeout', options: { baseURL: 'https://r.example', timeout: -1 }, says: '"timeout" must be' },
    { name: 'a limit that is not a number', options: { baseURL: 'x', maxRetries: '2' }, says: '"maxRetries" must be' },
    { name: 'a key of another type', options: { baseURL: 'x', apiKey: 5 }, says: '"apiKey" must be of type' },
    { name: 'no address', options: {}, says: '"baseURL" must be' },
    { name: 'null as an address', options: { baseURL: null }, says: '"baseURL" must be of type string, not null' },
    {
      name: 'an address of the API',
      options: { baseURL: 'https://r.example/api/v1' },
      says: '"baseURL" must be an http(s) address without /api',
    },
    { name: 'an address with a query', options: { baseURL: 'https://r.example/?' }, says: '"baseURL" must be' },
    { name: 'an address with a user', options: { baseURL: 'https://user:pass@r.example' }, says: '"baseURL" must be' },
    { name: 'another scheme', options: { baseURL: 'ftp://r.example' }, says: '"baseURL" must be' },
    {
      name: 'a key with a line end',
      options: { baseURL: 'https://r.example', apiKey: 'csk_secret\n' },
      says: '"apiKey" must',
    },
  ])('reject $name, naming the option', ({ options, says }) => {
    const create = () => createClient(options as unknown as ClientOptions)
    expect(create).toThrow(TypeError)
    expect(create).toThrow(`createClient: ${says}`)
    expect(create).not.toThrow(/secret|pass/)
  })

  it('accept undefined for every option, as if it was absent', () => {
    const names = [
      'apiKey',
      'timeout',
      'deadline',
      'maxRetries',
      'fetch',
      'defaultHeaders',
      'appInfo',
      'logger',
    ] as const
    const others = [
      'logLevel',
      'onRequest',
      'onResponse',
      'onRetry',
      'insecureHttp',
      'dangerouslyAllowBrowser',
    ] as const
    const absent = Object.fromEntries([...names, ...others].map((name) => [name, undefined]))
    expect(() => createClient({ ...absent, baseURL: 'https://r.example' })).not.toThrow()
  })

  it('reject an unknown name for one call', async () => {
    expect(await failure(createClient({ baseURL }).signing.jwks({ retries: 1 } as never))).toMatchObject({
      name: 'TypeError',
      message: expect.stringMatching(/^signing\.jwks: unknown option "retries"; known: /),
    })
    expect(received).toHaveLength(0)
  })

  it('reject a key in a browser unless explicitly allowed', () => {
    vi.stubGlobal('window', {})
    vi.stubGlobal('document', {})
    expect(() => createClient({ baseURL, apiKey: 'csk_key' })).toThrow('dangerouslyAllowBrowser')
    expect(() => createClient({ baseURL, apiKey: 'csk_key', dangerouslyAllowBrowser: true })).not.toThrow()
    expect(() => createClient({ baseURL })).not.toThrow()
  })

  it('name the program in User-Agent', async () => {
    await createClient({ baseURL, appInfo: { name: 'acme-chat', version: '2.0' } }).signing.jwks()
    expect(received[0]?.headers['user-agent']).toMatch(/^countersign-sdk\/\d+\.\d+\.\d+ acme-chat\/2\.0$/)
  })

  it('keep the path of a base address', async () => {
    await createClient({ baseURL: `${baseURL}/registry/` }).signing.jwks()
    expect(received[0]?.url).toBe('/registry/.well-known/jwks.json')
  })
})

describe('logs and events', () => {
  const key = `csk_a1b2c3d4_${'k'.repeat(49)}`
  const token = `eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiJodHRwczovL3IifQ.${'s'.repeat(86)}`

  it.each(['W904-2CKW-GDNC-X7S1', 'https://r.example/v/W9042CKWGDNCX7S1', token])(
    'never contain the key or the link %s',
    async (link) => {
      const shown: unknown[] = []
      const write = (...details: unknown[]) => shown.push(...details)
      const logger = { error: write, warn: write, info: write, debug: write }
      replies = [problem(503, 'could_not_check', { detail: `Could not check ${link}` })]
      const { client } = createQuick({
        apiKey: key,
        logger,
        logLevel: 'debug',
        onRequest: write,
        onResponse: write,
        onRetry: ({ error: _, ...event }) => write(event),
      })
      await failure(client.verifications.get(link))
      await failure(client.verifications.bind(link, { response_text: 'secret words' }))
      const text = JSON.stringify(shown)
      expect(text).toContain('/api/v1/verify/[link]')
      for (const secret of [key, link, encodeURIComponent(link), 'W904', 'secret words', token.slice(0, 30)])
        expect(text).not.toContain(secret)
    },
  )

  it('are silent by default', async () => {
    const spies = (['error', 'warn', 'info', 'debug'] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation(() => {}),
    )
    replies = [problem(503, 'unavailable')]
    await failure(createQuick().client.signing.jwks())
    for (const spy of spies) expect(spy).not.toHaveBeenCalled()
    vi.restoreAllMocks()
  })
})

describe('checking a link', () => {
  const code = 'W904-2CKW-GDNC-X7S1'
  const at = '2026-11-20T10:15:00.000Z'
  const passed = ['signature', 'key', 'time', 'provider', 'domain', 'model', 'deployment']
  const checks = passed.map((check) => ({ check, passed: true, detail: '', checked_at: at }))
  const provider = {
    id: 'prv_1',
    name: 'Acme',
    domain: 'acme.example',
    domain_verified: true,
    domain_status: 'proven',
    domain_verification_method: 'dns',
  }
  const deployment_info = { deployment_id: 'dep_1', spki_fingerprint: '64', binding: 'mtls', status: 'enabled' }
  const goodOf = (over = {}) => ({
    issuer: baseURL,
    status: 'verified',
    result: 'verified',
    strength: 'deployment',
    reason: null,
    change: null,
    live_state: 'checked',
    checks,
    verification_id: 'vrf_1',
    link_code: code,
    timestamp: '2026-11-20T10:10:00.000Z',
    checked_at: at,
    expires_at: '2026-11-20T10:25:00.000Z',
    provider,
    model: {
      id: 'mdl_1',
      name: 'Tiny',
      version: '1',
      api_model_identifier: 'tiny',
      model_digest: 'sha256:00',
      bundle_status: 'unknown',
      archived_at: null,
    },
    deployment_id: 'dep_1',
    deployment_info,
    challenge: 'blue heron',
    origin: null,
    ...over,
  })
  const unverifiedOf = (over = {}) =>
    goodOf({
      status: 'provider_unverified',
      result: 'not_verified',
      strength: null,
      reason: 'provider_unverified',
      checks: checks.map((check) => (check.check === 'domain' ? { ...check, passed: false } : check)),
      provider: { ...provider, domain_verified: false },
      ...over,
    })

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(at) })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('rejects a cached answer, or one made at another time', async () => {
    const { client } = createQuick()
    for (const Age of ['1', '60, 60', '0, 60']) {
      replies = [json(200, goodOf(), { Age })]
      expect(await client.verifications.check(code)).toMatchObject({
        result: 'unknown',
        doubt: 'not_now',
        verification: null,
      })
    }
    replies = [json(200, goodOf())]
    const checkedAt = Date.parse(at)
    const checkAt = (now: number) => client.verifications.check(code, { now: () => now })
    for (const now of [checkedAt + 300_001, checkedAt + 365 * 86_400_000, checkedAt - 300_001])
      expect(await checkAt(now)).toMatchObject({
        result: 'unknown',
        doubt: 'not_now',
        live_state: 'not_checked',
        verification: null,
      })
    // A clock that was never set cannot date an answer.
    for (const now of [checkedAt + 300_000, checkedAt - 300_000, 0])
      expect(await checkAt(now)).toMatchObject({ result: 'verified' })
  })

  it('rejects an answer about another link or another token', async () => {
    const { client } = createQuick()
    replies = [json(200, goodOf({ link_code: '0D9Y-CNR7-ZBR6-1Q5S' }))]
    expect(await client.verifications.check(code)).toMatchObject({
      result: 'unknown',
      doubt: 'other_link',
      verification: null,
    })
    replies = [json(200, goodOf())]
    const token = vectors.tokens.good[0]?.token ?? ''
    expect(await client.verifications.check(token)).toMatchObject({
      result: 'unknown',
      doubt: 'other_link',
      claims: null,
    })
  })

  describe('given a token', () => {
    const token = vectors.tokens.good[0]?.token ?? ''
    const claims = readToken(token)?.claims as Claims
    const { deployment_id = null, deployment_binding, spki_fingerprint } = claims
    const own = { deployment_id, spki_fingerprint, binding: deployment_binding, status: 'enabled' }
    const answerOf = (over = {}, { model = {}, deployment = {} } = {}) =>
      goodOf({
        verification_id: claims.jti,
        timestamp: new Date(claims.iat * 1_000).toISOString(),
        expires_at: new Date(claims.exp * 1_000).toISOString(),
        provider: { ...provider, id: claims.provider_id, domain: claims.provider_domain },
        model: {
          ...goodOf().model,
          id: claims.model_id,
          api_model_identifier: claims.model_identifier,
          model_digest: claims.model_digest ?? null,
          ...model,
        },
        deployment_id,
        deployment_info: { ...own, ...deployment },
        challenge: claims.challenge ?? null,
        origin: claims.origin ?? null,
        checked_at: new Date(claims.iat * 1_000).toISOString(),
        ...over,
      })
    const check = (answer: object, options = {}, asked = token) => {
      replies = [json(200, answer)]
      return createQuick().client.verifications.check(asked, { now: () => claims.iat * 1_000, ...options })
    }
    const contradiction = { result: 'unknown', doubt: 'contradiction', verification: null, claims: null }

    it('accepts an answer that says the same, or less', async () => {
      expect(await check(answerOf())).toMatchObject({ result: 'verified', claims })
      expect(await check(answerOf({ origin: null }, { model: { version: '#2' } }))).toMatchObject({
        result: 'verified',
      })
    })

    it.each([
      { name: 'another version', answer: () => answerOf({}, { model: { id: 'mdl_2' } }) },
      { name: 'another identifier', answer: () => answerOf({}, { model: { api_model_identifier: 'atlas-pro' } }) },
      { name: 'another digest', answer: () => answerOf({}, { model: { model_digest: `sha256:${'b'.repeat(64)}` } }) },
      { name: 'another provider', answer: () => answerOf({ provider: { ...provider, id: 'prv_2' } }) },
      {
        name: 'another server',
        answer: () => answerOf({ deployment_id: 'dep_2' }, { deployment: { deployment_id: 'dep_2' } }),
      },
      { name: 'another proof', answer: () => answerOf({}, { deployment: { binding: 'workload' } }) },
      { name: 'another phrase', answer: () => answerOf({ challenge: 'blue otter' }) },
      { name: 'another origin', answer: () => answerOf({ origin: 'https://evil.example' }) },
      {
        name: 'another end',
        answer: () => answerOf({ expires_at: new Date(claims.exp * 1_000 - 1_000).toISOString() }),
      },
      {
        name: 'another time',
        answer: () => answerOf({ timestamp: new Date(claims.iat * 1_000 + 1_000).toISOString() }),
      },
    ])('could not check if the answer says $name', async ({ answer }) => {
      expect(await check(answer(), { expect: { model_id: answer().model.id } })).toMatchObject(contradiction)
    })

    describe('bound to an answer', () => {
      const tokenOf = (name: string) => vectors.tokens.good.find((each) => each.name === name)?.token ?? ''
      const bound = tokenOf('bound by the provider')
      const { response_hash = '' } = readToken(bound)?.claims ?? {}
      const other = 'e'.repeat(64)
      const answerWith = (bound_by: string, response_hash: string) =>
        answerOf({ bound_to_response: true, bound_answer: { bound_by, response_hash, bound_at: at } })

      it('could not check if the provider is said to have bound a different one', async () => {
        expect(await check(answerWith('provider', other), {}, bound)).toMatchObject(contradiction)
      })

      it('accepts an answer that says the same, or less', async () => {
        for (const answer of [answerWith('provider', response_hash), answerWith('bearer', other), answerOf()])
          expect(await check(answer, {}, bound)).toMatchObject({ result: 'verified' })
      })

      it('accepts an answer that the provider bound after the token was signed', async () => {
        for (const earlier of [token, tokenOf('bound by the bearer')])
          expect(await check(answerWith('provider', other), {}, earlier)).toMatchObject({ result: 'verified' })
      })
    })

    describe('of a server that its platform vouched for', () => {
      const [issuer, subject] = ['https://token.actions.githubusercontent.com', 'repo:acme/chat']
      const checkNamed = async (workload: object) => {
        const named = { workload_issuer: issuer, workload_subject: subject }
        const vouched = await issueTestToken({ ...claims, ...named, deployment_binding: 'workload' })
        const deployment = {
          binding: 'workload',
          workload: { platform: 'GitHub Actions', issuer, subject, ...workload },
        }
        return check(answerOf({}, { deployment }), {}, vouched.token)
      }

      it('could not check if the answer names another platform or identity', async () => {
        expect(await checkNamed({ issuer: 'https://accounts.google.com' })).toMatchObject(contradiction)
        expect(await checkNamed({ subject: 'repo:acme/other' })).toMatchObject(contradiction)
      })

      it('accepts an answer that says the same, or withholds the identity', async () => {
        for (const less of [{}, { subject: null }]) expect(await checkNamed(less)).toMatchObject({ result: 'verified' })
      })
    })
  })

  it('returns the registry’s verdict', async () => {
    replies = [json(200, goodOf())]
    expect(await createQuick().client.verifications.check(code)).toMatchObject({
      result: 'verified',
      reason: null,
      live_state: 'checked',
      verification: { challenge: 'blue heron' },
    })
  })

  it('verifies an unverified provider only if allowed', async () => {
    replies = [json(200, unverifiedOf())]
    const { client } = createQuick()
    expect(await client.verifications.check(code)).toMatchObject({
      result: 'not_verified',
      reason: 'provider_unverified',
    })
    expect(await client.verifications.check(code, { allowUnverifiedProvider: true })).toMatchObject({
      result: 'verified',
    })
  })

  it('compares the answer with expectations, and ignores self-reported values', async () => {
    const { client } = createQuick()
    const judge = (expect: object) => client.verifications.check(code, { expect, allowUnverifiedProvider: true })
    replies = [json(200, goodOf())]
    expect(
      await judge({ provider_domain: 'acme.example', challenge: 'blue heron', spki_fingerprint: '64' }),
    ).toMatchObject({
      result: 'verified',
    })
    const nothing = { state: 'missing', words: 'not_checked', at: null }
    expect(await judge({ provider_domain: 'acme' })).toMatchObject({
      result: 'not_verified',
      reason: 'claim_mismatch',
      outcome: 'check_failed',
      strength: null,
      steps: { provider: nothing, server: nothing, model_file: nothing },
    })
    expect(await judge({ origin: 'https://chat.acme.example' })).toMatchObject({ reason: 'claim_mismatch' })
    replies = [
      json(
        200,
        unverifiedOf({
          checks: checks.map((check) =>
            check.check === 'domain' || check.check === 'deployment' ? { ...check, passed: null } : check,
          ),
          deployment_info: { ...deployment_info, binding: 'self-asserted' },
        }),
      ),
    ]
    expect(await judge({ provider_domain: 'acme.example' })).toMatchObject({ reason: 'claim_mismatch' })
    expect(await judge({ spki_fingerprint: '64' })).toMatchObject({ reason: 'claim_mismatch' })
    // An unknown kind of proof proves nothing.
    const undeployed = checks.map((check) => (check.check === 'deployment' ? { ...check, passed: null } : check))
    replies = [
      json(
        200,
        goodOf({
          strength: 'provider',
          deployment_info: { ...deployment_info, binding: 'attested' },
          checks: undeployed,
        }),
      ),
    ]
    expect(await judge({})).toMatchObject({ result: 'verified' })
    expect(await judge({ spki_fingerprint: '64' })).toMatchObject({ reason: 'claim_mismatch' })
    await expect(judge({ domain: 'acme.example' })).rejects.toThrow(TypeError)
    await expect(judge({ provider_domain: undefined })).rejects.toThrow(TypeError)
    await expect(judge({ provider_domain: null })).rejects.toThrow(TypeError)
  })

  it.each([
    { name: 'verified only after the link was issued', domain_verified: true, passed: false, shown: 'not verified' },
    { name: 'no longer verified', domain_verified: false, passed: true, shown: 'not verified' },
    { name: 'a different one', domain_verified: true, passed: true, shown: 'it is acme.example' },
  ])('reports an expected domain that is $name', async ({ domain_verified, passed, shown }) => {
    const isProven = domain_verified && passed
    const over = {
      checks: checks.map((check) => (check.check === 'domain' ? { ...check, passed } : check)),
      provider: { ...provider, domain_verified },
    }
    replies = [json(200, isProven ? goodOf(over) : unverifiedOf(over))]
    const provider_domain = isProven ? 'northwind.example' : 'acme.example'
    const verdict = await createQuick().client.verifications.check(code, {
      expect: { provider_domain },
      allowUnverifiedProvider: true,
    })
    expect(verdict).toMatchObject({ result: 'not_verified', reason: 'claim_mismatch' })
    expect(verdict.checks.find(({ check }) => check === 'expectation')?.detail).toContain(shown)
  })

  it('returns an error of the registry as a value', async () => {
    replies = [
      problem(400, 'link_expired', {
        result: 'not_verified',
        reason: 'expired',
        change: 'expired',
        checks,
        verification: goodOf(),
      }),
    ]
    const { client } = createQuick()
    expect(await client.verifications.check(code)).toMatchObject({
      result: 'not_verified',
      reason: 'expired',
      change: 'expired',
      live_state: 'checked',
      verification: { challenge: 'blue heron' },
    })
    const error = await failure(client.verifications.get(code))
    expect(error).toBeInstanceOf(LinkError)
    expect(error).toMatchObject({
      reason: 'expired',
      change: 'expired',
      checks: checks.map(({ check }) => ({ check })),
      verification: { challenge: 'blue heron' },
    })
  })

  it.each([
    {
      name: 'the registry could not check',
      reply: problem(503, 'could_not_check', { result: 'unknown', reason: 'keys_unavailable', checks: [] }),
    },
    { name: 'the registry failed', reply: problem(500, 'internal') },
    { name: 'the connection broke', reply: ((response) => response.destroy()) as Reply },
    { name: 'a page was returned', reply: ((response) => response.end('<html>')) as Reply },
    { name: 'there were too many requests', reply: problem(429, 'rate_limited') },
  ])('returns unknown if $name', async ({ reply }) => {
    replies = [reply]
    expect(await createQuick().client.verifications.check(code)).toMatchObject({
      result: 'unknown',
      reason: 'keys_unavailable',
      live_state: 'not_checked',
    })
  })

  it.each([
    { name: 'mistyped', input: 'W904-2CKW-GDNC-X7S2' },
    { name: 'malformed', input: 'hello' },
    { name: 'malformed', input: '..' },
    { name: 'malformed', input: 'x'.repeat(5_000) },
  ])('sends no request for $name', async ({ name, input }) => {
    expect(await createQuick().client.verifications.check(input)).toMatchObject({
      result: 'not_verified',
      reason: name,
    })
    expect(received).toHaveLength(0)
  })

  it('sends the link alone, without the text around it', async () => {
    const { client } = createQuick()
    replies = [json(200, goodOf())]
    await client.verifications.check(`My secret is 42. Here is the proof: ${code}!`)
    await client.verifications.check(`Look: ${baseURL}/v/${code}, please`)
    await client.verifications.check(`Look: https://registry.example/v/${code}, please`, {
      issuer: 'https://registry.example/',
    })
    expect(received.map(({ url }) => decodeURIComponent(url))).toEqual(Array(3).fill(`/api/v1/verify/${code}`))
  })

  it('sends no request for a link of another registry, by its baseURL or its configured issuer', async () => {
    const { client } = createQuick()
    const issuer = 'https://registry.example'
    const text = `My secret is 42, see https://elsewhere.example/v/${code}`
    for (const options of [{}, { issuer }])
      expect(await client.verifications.check(text, options)).toMatchObject({
        result: 'not_verified',
        reason: 'foreign_registry',
        live_state: 'not_checked',
        checks: [{ check: 'issuer', passed: false }],
      })
    expect(await client.verifications.check(`${issuer}/v/${code}`)).toMatchObject({ reason: 'foreign_registry' })
    expect(await client.verifications.check(`${baseURL}/v/${code}`, { issuer })).toMatchObject({
      reason: 'foreign_registry',
    })
    expect(await client.verifications.check(`${issuer}/v/W904-2CKW-GDNC-X7S2`, { issuer })).toMatchObject({
      reason: 'mistyped',
    })
    await expect(client.verifications.check(code, { issuer: 'registry' })).rejects.toThrow(TypeError)
    expect(received).toHaveLength(0)
  })

  it('throws only when its caller aborts it', async () => {
    expect(
      await failure(createQuick().client.verifications.check(code, { signal: AbortSignal.abort() })),
    ).toBeInstanceOf(AbortError)
  })
})

it('a missing response is a ConnectionError with its cause', async () => {
  server.close()
  server.closeAllConnections()
  const error = await failure(createQuick().client.signing.jwks())
  expect(error).toBeInstanceOf(ConnectionError)
  expect((error as ConnectionError).detail).toMatch(/^No answer from 127\.0\.0\.1:\d+: .*ECONNREFUSED/)
})

it('https to a server without TLS is a ConnectionError in plain words', async () => {
  const client = createClient({ baseURL: baseURL.replace('http', 'https'), maxRetries: 0 })
  const error = (await failure(client.signing.jwks())) as ConnectionError
  expect(error.detail).toBe(`${new URL(baseURL).host} answered without TLS. Does it speak http?`)
  expect(String((error.cause as Error).cause)).toContain('SSL')
})
