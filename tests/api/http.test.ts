import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { contract, type Endpoint, idPattern, limits } from '@countersign/sdk/contract'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { createSelfSigned } from '../support/certificates.ts'
import { describeEachEngine } from '../support/databases.ts'
import { createWorld } from '../support/world.ts'

const register = '/api/v1/providers/register'
const company = { company_name: 'Acme Inc', email: 'hello@acme.example', website: 'https://acme.example' }

const nested = (depth: number): unknown => (depth === 0 ? 'x' : { a: nested(depth - 1) })

const expectProblem = (reply: Awaited<ReturnType<typeof ask>>, status: number, code: string, name?: string) => {
  expect({ name, status: reply.status, code: reply.body.code }).toEqual({ name, status, code })
  expect(reply.headers['content-type']).toBe('application/problem+json')
  expect(reply.body).toMatchObject({
    type: `urn:countersign:error:${code}`,
    status,
    title: expect.any(String),
    detail: expect.any(String),
    request_id: reply.headers['x-request-id'],
  })
}

it('rejects unreadable bodies, each with its own reason, and stores nothing of them', async () => {
  const world = await createWorld()
  const json = JSON.stringify(company)
  const rows: { name: string; status: number; code: string; body: unknown; headers?: Record<string, string> }[] = [
    { name: 'unknown field', status: 422, code: 'validation_failed', body: { ...company, admin: true } },
    { name: 'nesting', status: 400, code: 'bad_request', body: { ...company, description: nested(33) } },
    {
      name: 'nested arrays',
      status: 400,
      code: 'bad_request',
      body: `{"description":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    },
    { name: 'NUL', status: 400, code: 'bad_request', body: { ...company, company_name: 'Ac\0me' } },
    { name: 'NUL in a name', status: 400, code: 'bad_request', body: { ...company, 'a\0': 1 } },
    { name: 'lone surrogate', status: 400, code: 'bad_request', body: json.replace('Acme', '\\ud800') },
    {
      name: 'lone surrogate in a name',
      status: 400,
      code: 'bad_request',
      body: json.replace('"email"', '"x\\udfff":1,"email"'),
    },
    {
      name: '__proto__',
      status: 400,
      code: 'bad_request',
      body: json.replace('{', '{"__proto__":{"is_listed":true},'),
    },
    { name: 'constructor', status: 400, code: 'bad_request', body: { ...company, constructor: { prototype: {} } } },
    { name: 'broken JSON', status: 400, code: 'bad_request', body: json.slice(0, -1) },
    { name: 'NaN', status: 400, code: 'bad_request', body: json.replace('"Acme Inc"', 'NaN') },
    { name: 'a list', status: 422, code: 'validation_failed', body: [company] },
    { name: 'text', status: 422, code: 'validation_failed', body: '"company"' },
    { name: 'null', status: 422, code: 'validation_failed', body: 'null' },
    { name: 'nothing', status: 422, code: 'validation_failed', body: undefined },
    {
      name: 'plain text',
      status: 415,
      code: 'unsupported_media_type',
      body: json,
      headers: { 'Content-Type': 'text/plain' },
    },
    {
      name: 'a form',
      status: 415,
      code: 'unsupported_media_type',
      body: 'company_name=Acme',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    },
    { name: 'no type', status: 415, code: 'unsupported_media_type', body: json, headers: { 'Content-Type': '' } },
    {
      name: 'another charset',
      status: 415,
      code: 'unsupported_media_type',
      body: json,
      headers: { 'Content-Type': 'application/json; charset=latin1' },
    },
    {
      name: 'compressed',
      status: 415,
      code: 'unsupported_media_type',
      body: gzipSync(json),
      headers: { 'Content-Encoding': 'gzip' },
    },
    { name: 'too large', status: 413, code: 'body_too_large', body: { ...company, description: 'x'.repeat(100_001) } },
  ]
  for (const { name, status, code, body, headers = {} } of rows) {
    const reply = await ask(`${world.address}${register}`, { method: 'POST', body, headers })
    expectProblem(reply, status, code, name)
  }
  const { body } = await ask(`${world.address}${register}`, {
    method: 'POST',
    body: { ...company, admin: true, role: { x: 1 } },
  })
  expect(body.errors).toEqual(
    ['admin', 'role'].map((field) => ({
      loc: ['body', field],
      msg: `Unknown field "${field}"`,
      pointer: `#/${field}`,
    })),
  )
  expect(await world.database.read.selectFrom('providers').select('id').execute()).toEqual([])
})

it('accepts a body at the limit, and one that arrives slowly', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme', { isVerified: false })
  const model_id = await acme.registerModel()
  const mint = (body: object) =>
    ask(`${world.address}/api/v1/create-verification`, {
      method: 'POST',
      headers: { 'X-API-Key': acme.apiKey },
      body: { model_id, ...body },
    })
  expect((await mint({ metadata: { deep: nested(29) } })).status).toBe(201)
  expect((await mint({ metadata: { deep: nested(30) } })).status).toBe(201)
  expectProblem(await mint({ metadata: { deep: nested(31) } }), 400, 'bad_request')
  expectProblem(await mint({ metadata: { text: '✓'.repeat(2_000) } }), 422, 'validation_failed')
  const trickling = request(`${world.address}${register}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' },
  })
  for (const character of JSON.stringify(company)) trickling.write(character)
  trickling.end()
  const [response] = await once(trickling, 'response')
  response.resume()
  expect(response.statusCode).toBe(201)
})

it('rejects a chunked body that is over the limit, and accepts one at the limit', async () => {
  const world = await createWorld()
  const send = async (bytes: number) => {
    const content = JSON.stringify(company)
    const chunked = request(`${world.address}${register}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' },
    })
    for (let left = bytes - content.length; left > 0; left -= 1_000) chunked.write(' '.repeat(Math.min(left, 1_000)))
    chunked.end(content)
    const [response] = await once(chunked, 'response')
    response.resume()
    return response.statusCode
  }
  expect(await send(limits.bodyBytes + 1)).toBe(413)
  expect(await send(limits.bodyBytes)).toBe(201)
})

it('answers unknown addresses with problems, never with a page', async () => {
  const world = await createWorld()
  const rows: [method: string, path: string, status: number, code: string][] = [
    ['GET', '/api/v1/models/%zz/public', 400, 'bad_request'],
    ['GET', '/api/v1/verify/%ff', 400, 'bad_request'],
    ['GET', '/api/v1/nothing', 404, 'not_found'],
    ['GET', '/api', 404, 'not_found'],
    ['GET', '/api/', 404, 'not_found'],
    ['GET', '/api/v2/providers/public', 404, 'not_found'],
    ['POST', '/api/v1/%2e%2e/livez', 404, 'not_found'],
    ['GET', '/.well-known/nothing', 404, 'not_found'],
    ['GET', '/api/v1/models/mdl_../public', 404, 'not_found'],
    ['GET', '/api/v1/providers/public?search=%00', 400, 'bad_request'],
    ['GET', '/api/v1/providers/public?__proto__=1', 400, 'bad_request'],
    ['GET', '/api/v1/providers/public?constructor=1', 400, 'bad_request'],
    ['PATCH', '/api/v1/nothing', 404, 'not_found'],
  ]
  for (const [method, path, status, code] of rows)
    expectProblem(await ask(`${world.address}${path}`, { method }), status, code, path)
})

it('lists the methods of a path', async () => {
  const world = await createWorld()
  const rows: [method: string, path: string, allow: string][] = [
    ['GET', register, 'POST'],
    ['DELETE', '/api/v1/models/mdl_x/archive', 'POST, PUT'],
    ['OPTIONS', '/api/v1/providers/me', 'GET'],
    ['POST', '/.well-known/jwks.json', 'GET'],
    ['PUT', '/api/v1/verify/x', 'GET'],
  ]
  for (const [method, path, allow] of rows) {
    const reply = await ask(`${world.address}${path}`, { method })
    expectProblem(reply, 405, 'method_not_allowed', path)
    expect(reply.headers.allow).toBe(allow)
  }
})

it('returns a request’s ID, unless it is invalid', async () => {
  const world = await createWorld()
  const idFor = async (given: string | string[]) =>
    (await ask(`${world.address}/livez`, { headers: { 'X-Request-Id': given } })).headers['x-request-id']
  for (const good of ['abc', 'a.b-c_D9', 'x'.repeat(64)]) expect(await idFor(good)).toBe(good)
  for (const hostile of ['', 'x'.repeat(65), 'a b', '<script>', 'a,b', '{"level":60}', 'é', ['a', 'b']])
    expect(await idFor(hostile)).toMatch(idPattern('req'))
})

it('puts the same security headers on every response', async () => {
  const world = await createWorld()
  for (const path of [
    '/livez',
    '/readyz',
    '/api/v1/providers/public',
    '/api/v1/providers/me',
    '/api/v1/nothing',
    '/api/v1/verify/x',
    '/api/v1/models/%zz/public',
  ]) {
    const { headers } = await ask(`${world.address}${path}`)
    expect(headers, path).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-request-id': expect.any(String),
      'content-type': expect.stringMatching(/^application\/(problem\+)?json$/),
    })
    expect(headers, path).not.toHaveProperty('x-powered-by')
    expect(headers, path).not.toHaveProperty('etag')
    expect(headers, path).not.toHaveProperty('set-cookie')
  }
})

it.each([
  { publicUrl: 'https://registry.example', sent: 'max-age=31536000; includeSubDomains' },
  { publicUrl: 'http://registry.example', sent: undefined },
])('keeps browsers on TLS with every response of $publicUrl, and only under https', async ({ publicUrl, sent }) => {
  const world = await createWorld({ publicUrl })
  for (const path of ['/livez', '/api/v1/providers/public', '/api/v1/nothing', '/log/checkpoint', '/']) {
    const { headers } = await ask(`${world.address}${path}`)
    expect(headers['strict-transport-security'], path).toBe(sent)
  }
})

it('lets other sites read public data, and nothing that depends on the caller', async () => {
  const world = await createWorld()
  for (const row of Object.values(contract).flatMap((rows) => Object.values<Endpoint>(rows))) {
    const path = row.path.replace(/:\w+/g, 'x')
    const { headers } = await ask(`${world.address}${path}`, {
      method: row.method,
      headers: { Origin: 'https://other.example' },
    })
    const isOpen = row.caller === 'public' && row.method === 'GET'
    expect(headers['access-control-allow-origin'], `${row.method} ${row.path}`).toBe(isOpen ? '*' : undefined)
    expect(headers['access-control-allow-credentials']).toBeUndefined()
  }
})

it('writes no key, token, link code, certificate or body into its log', async () => {
  const lines: string[] = []
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk))
      done()
    },
  })
  const world = await createWorld({ log: pino({ level: 'trace' }, sink) })
  const acme = await world.provider('acme')
  const model_id = await acme.registerModel({ description: 'CANARY-description-of-a-model' })
  const credential = await createSelfSigned('CANARY-certificate')
  const minted = await acme.client.verifications.create({
    model_id,
    challenge: 'CANARY challenge',
    prompt: 'CANARY prompt',
    metadata: { CANARY: 'metadata' },
  })
  const code = minted.verification_url.slice(-19)
  await world.anyone.verifications.get(minted.verification_url)
  await world.anyone.verifications.get(minted.token)
  const bound = await world.anyone.verifications.bind(minted.token, { response_text: 'CANARY response' })
  const bad = `${minted.token.slice(0, -4)}AAAA`
  for (const [method, path] of [
    ['GET', `/api/v1/verify/${bad}`],
    ['GET', `/api/v1/verify/${code.slice(0, -1)}`],
    ['GET', `/v/${code}`],
    ['GET', `/verify/${minted.token}`],
    ['GET', `/api/v1/unknown/${acme.apiKey}`],
    ['GET', `/api/v1/providers/me?api_key=${acme.apiKey}`],
    ['POST', `/api/v1/verify/${code}/opened`],
    ['PUT', `/api/v1/verify/${minted.token}`],
  ] as const) {
    await ask(`${world.address}${path}`, {
      method,
      headers: { Authorization: `Bearer ${acme.apiKey}`, 'X-API-Key': `${acme.apiKey}x`, Cookie: 'CANARY=cookie' },
    })
  }
  await ask(`${world.address}/api/v1/create-verification`, {
    method: 'POST',
    headers: { 'X-API-Key': acme.apiKey, 'Client-Cert': Buffer.from(credential.cert).toString('base64') },
    body: '{"CANARY": broken',
  })
  // The worst case: an unexpected failure, with its cause written out.
  await world.database.close()
  await ask(`${world.address}/api/v1/verify/${minted.token}`)
  await ask(`${world.address}/api/v1/providers/me`, { headers: { 'X-API-Key': acme.apiKey } })

  const log = lines.join('')
  expect(lines.length).toBeGreaterThan(15)
  expect(log).toContain('GET /api/v1/verify/:token')
  expect(log).toContain('"status":503')
  const secrets = {
    apiKey: acme.apiKey,
    key: acme.apiKey.slice(13, 56),
    token: minted.token,
    signature: minted.token.slice(-80),
    bound: bound.bound_token.slice(-80),
    code,
    solid: code.replaceAll('-', ''),
    canary: 'CANARY',
    nonce: acme.proof.record_value,
  }
  for (const [name, secret] of Object.entries(secrets)) expect(log.includes(secret), name).toBe(false)
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow()
})

it('answers an unknown expectation with a problem document and closes the connection, without waiting for the body', async () => {
  const world = await createWorld()
  expectProblem(await ask(`${world.address}/livez`, { headers: { Expect: 'the-unexpected' } }), 400, 'bad_request')
  const replies = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const socket = connect(Number(new URL(world.address).port), '127.0.0.1')
      socket.write(
        `POST ${register} HTTP/1.1\r\nHost: x\r\nExpect: junk\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{`,
      )
      return text(socket)
    }),
  )
  for (const reply of replies)
    expect(reply).toMatch(/^HTTP\/1\.1 400 .*\r\nConnection: close\r\n.*"code":"bad_request"/s)
  expect(await ask(`${world.address}/readyz`)).toMatchObject({ status: 200 })
})

describeEachEngine('the health of a registry', (engine) => {
  it('is not ready while draining, and closes connections after each response', async () => {
    const world = await createWorld({ engine })
    expect(await ask(`${world.address}/readyz`)).toMatchObject({
      status: 200,
      body: { status: 'ready', checks: { database: true, keys: true, draining: false } },
    })
    world.registry.drain()
    expect(await ask(`${world.address}/readyz`)).toMatchObject({
      status: 503,
      headers: { connection: 'close' },
      body: { status: 'not_ready', checks: { database: true, draining: true } },
    })
    expect(await ask(`${world.address}/livez`)).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(await ask(`${world.address}/api/v1/providers/public`)).toMatchObject({
      status: 200,
      headers: { connection: 'close' },
    })
  })

  it('is not ready without its database, stays alive, and reports links as unchecked', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const { token, verification_url } = await acme.client.verifications.create({ model_id: await acme.registerModel() })
    await world.database.close()
    expect(await ask(`${world.address}/readyz`)).toMatchObject({ status: 503, body: { checks: { database: false } } })
    expect((await ask(`${world.address}/livez`)).status).toBe(200)
    for (const link of [token, verification_url]) {
      const reply = await ask(`${world.address}/api/v1/verify/${encodeURIComponent(link)}`)
      expectProblem(reply, 503, 'could_not_check')
      expect(reply).toMatchObject({
        body: { result: 'unknown', reason: 'keys_unavailable' },
        headers: { 'retry-after': '1' },
      })
    }
    expectProblem(
      await ask(`${world.address}/api/v1/providers/me`, { headers: { 'X-API-Key': acme.apiKey } }),
      503,
      'unavailable',
    )
  })
})
