import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { createWorld } from '../support/world.ts'

/** Asks with exactly this address; a URL would tidy it. */
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

it('gives no page without its policy, however its address is spelled', async () => {
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
    expect({ target, policy: /content-security-policy: default-src 'none'/i.test(reply) }).toEqual({ target, policy: true })
    expect({ target, framed: /x-frame-options: deny/i.test(reply) }).toEqual({ target, framed: true })
  }
})

it('gives files by their names, and keeps hashed ones for ever', async () => {
  const world = await createWorld()
  const page = await (await fetch(world.address)).text()
  const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? []
  const reply = await ask(world.address + script)
  expect(reply.status).toBe(200)
  expect(reply.headers['cache-control']).toBe('public, max-age=31536000, immutable')
})

it('answers an address that is no path with a problem', async () => {
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
