import { cp, mkdtemp, rm } from 'node:fs/promises'
import { get, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { ask } from '../support/ask.ts'
import { createWorld } from '../support/world.ts'

/** Requests exactly this address; a URL would normalise it. */
const askRaw = (address: string, target: string) =>
  new Promise<string>((resolve, reject) => {
    const { hostname, port } = new URL(address)
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET ${target} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`),
    )
    let reply = ''
    socket.on('data', (chunk) => {
      reply += chunk
    })
    socket.on('end', () => resolve(reply))
    socket.on('error', reject)
  })

it('sends every page with its policy, in any spelling of its address', async () => {
  const world = await createWorld()
  for (const target of [
    '/',
    '/index.html',
    '/%69ndex.html',
    '//index.html',
    '/./index.html',
    '/x/../index.html',
    '/.vite/manifest.json',
    '/assets/',
  ]) {
    const reply = await askRaw(world.address, target)
    expect({ target, template: reply.includes('__CSP_NONCE__') }).toEqual({ target, template: false })
    expect({ target, policy: /content-security-policy: default-src 'none'/i.test(reply) }).toEqual({
      target,
      policy: true,
    })
    expect({ target, framed: /x-frame-options: deny/i.test(reply) }).toEqual({ target, framed: true })
  }
})

it('gives the script that removes an old verdict its nonce, whatever the model is called', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const model_id = await acme.registerModel({ display_name: 'Atlas __CSP_NONCE__' })
  const { verification_url } = await acme.client.verifications.create({ model_id })
  const reply = await fetch(verification_url, { headers: { Accept: 'text/html' } })
  const [, nonce = ''] = /'nonce-([^']+)'/.exec(reply.headers.get('content-security-policy') ?? '') ?? []
  const text = await reply.text()
  expect(nonce).not.toBe('')
  expect(text).toContain('Atlas __CSP_NONCE__')
  const given = Array.from(text.matchAll(/<script[^>]* nonce="([^"]*)"/g), ([, value]) => value)
  expect(given.length).toBeGreaterThan(2)
  expect(new Set(given)).toEqual(new Set([nonce]))
})

it('serves files by their names, and caches hashed ones forever', async () => {
  const world = await createWorld()
  const page = await (await fetch(world.address)).text()
  const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? []
  const reply = await ask(world.address + script)
  expect(reply.status).toBe(200)
  expect(reply.headers['cache-control']).toBe('public, max-age=31536000, immutable')
})

it('answers 404 for a file that was deleted after the start, without its cache headers', async () => {
  const webDir = await mkdtemp(join(tmpdir(), 'countersign-web-'))
  onTestFinished(() => rm(webDir, { recursive: true }))
  await cp(process.env.TEST_WEB_DIST ?? fileURLToPath(new URL('../../web/dist', import.meta.url)), webDir, {
    recursive: true,
  })
  const world = await createWorld({ webDir })
  const page = await (await fetch(world.address)).text()
  const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? []
  for (const ending of ['', '.br', '.gz']) await rm(join(webDir, script + ending), { force: true })
  const reply = await ask(world.address + script)
  expect({ status: reply.status, type: reply.headers['content-type'] }).toEqual({
    status: 404,
    type: 'application/problem+json',
  })
  expect(reply.headers['cache-control']).toBe('no-store')
})

it('rejects an invalid path with a problem', async () => {
  const world = await createWorld()
  for (const target of ['http://[', 'http://elsewhere.example/', '*']) {
    const reply = await askRaw(world.address, target)
    expect({ target, status: reply.slice(9, 12), isProblem: reply.includes('application/problem+json') }).toEqual({
      target,
      status: '400',
      isProblem: true,
    })
  }
})

/** With exactly these encodings; fetch would send its own and decompress the response. */
const askFor = (url: string, encodings: string) =>
  new Promise<{ headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    get(url, { headers: { 'Accept-Encoding': encodings } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }))
    }).on('error', reject)
  })

it('serves compressed files if the client accepts them, and never as files of their own', async () => {
  const world = await createWorld()
  const [, script = ''] = (await (await fetch(world.address)).text()).match(/src="(\/assets\/[^"]+\.js)"/) ?? []
  const plain = await askFor(world.address + script, 'identity')
  expect(plain.headers['content-encoding']).toBeUndefined()
  for (const [asked, given, unpack] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
  ] as const) {
    const { headers, body } = await askFor(world.address + script, asked)
    expect(headers).toMatchObject({ 'content-encoding': given, vary: 'Accept-Encoding' })
    expect(headers['content-type']).toBe(plain.headers['content-type'])
    expect(body.length).toBeLessThan(plain.body.length / 2)
    expect(unpack(body).equals(plain.body)).toBe(true)
  }
  expect((await fetch(`${world.address}${script}.br`)).status).toBe(404)
})

it('gives every page exactly this policy', async () => {
  const world = await createWorld({ publicUrl: 'https://registry.example' })
  const { headers } = await ask(`${world.address}/`)
  const policy = String(headers['content-security-policy']).replace(/'nonce-[\w+/=]+'/g, "'nonce-…'")
  expect(policy.split(';')).toEqual([
    "default-src 'none'",
    "script-src 'self' 'nonce-…'",
    "style-src 'self' 'nonce-…'",
    "img-src 'self' data:",
    "font-src 'self'",
    expect.stringMatching(/^connect-src 'self' http:\/\/127\.0\.0\.1:\d+$/),
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    'upgrade-insecure-requests',
  ])
})
