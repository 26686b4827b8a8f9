import { once } from 'node:events'
import { connect } from 'node:net'
import { performance } from 'node:perf_hooks'
import { expect, it, onTestFinished } from 'vitest'
import { openListener } from './listen.ts'

const open = async (options: Parameters<typeof openListener>[2]) => {
  const listener = await openListener(0, '127.0.0.1', options)
  listener.serve((_request, response) => response.end('answer'))
  onTestFinished(() => {
    for (const server of listener.servers) {
      server.close()
      server.closeAllConnections()
    }
  })
  return listener
}

it('closes connections that send no request, or only a part of its head, in time; they delay no others', async () => {
  const { port } = await open({ headersTimeout: 1_000 })
  const ask = async () => (await fetch(`http://127.0.0.1:${port}/`)).text()
  // The first call of `fetch` loads it.
  await ask()
  const opened = performance.now()
  const halves = Array.from({ length: 200 }, (_, index) => {
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    const closed = once(socket, 'close').then(() => performance.now() - opened)
    if (index % 2 === 0) socket.write('GET / HTTP/1.1\r\nHost: registry.example\r\nX-Slow: ')
    // What the server sends must be read before the socket closes.
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk.toString()
    })
    return { closed, isOpen: () => !socket.closed, received: () => received }
  })
  expect(new Set(await Promise.all(Array.from({ length: 20 }, ask)))).toEqual(new Set(['answer']))
  expect(halves.every(({ isOpen }) => isOpen())).toBe(true)
  const times = await Promise.all(halves.map(({ closed }) => closed))
  expect(Math.min(...times)).toBeGreaterThanOrEqual(1_000)
  // Node looks for them once a second.
  expect(Math.max(...times)).toBeLessThan(3_000)
  expect(halves.filter(({ received }) => !/^(|HTTP\/1.1 408 )/.test(received()))).toEqual([])
})

it('answers what is not HTTP with a problem document and closes the connection, but never inside another response', async () => {
  const { port, serve } = await open({})
  const heard: unknown[] = []
  serve((request, response) => {
    heard.push(request.url)
    response.write('begun')
  })
  const send = async (...parts: string[]) => {
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk.toString()
      socket.write(parts.shift() ?? '')
    })
    socket.write(parts.shift() ?? '')
    await once(socket, 'close')
    return received
  }
  const get = 'GET /chat HTTP/1.1\r\nHost: registry.example\r\n'
  const refused = /^HTTP\/1\.1 400 Bad Request\r\nContent-Type: application\/problem\+json\r\n.*"code":"bad_request"/s
  for (const request of [`${get}X-Folded: one\r\n two\r\n\r\n`, `${get}X-Spaced : one\r\n\r\n`, 'not http\r\n\r\n'])
    expect(await send(request)).toMatch(refused)
  expect(await send(`${get}X-Large: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 .*\r\n\r\n$/s)
  expect(heard).toEqual([])
  const begun = await send(`${get}\r\n`, 'not http\r\n\r\n')
  expect(begun.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200'])
  expect(heard).toEqual(['/chat'])
})

it('gives the head of a request 15 seconds on each of its sockets', async () => {
  const { servers } = await open({ sockets: 2 })
  expect(servers.map(({ headersTimeout }) => headersTimeout)).toEqual(servers.map(() => 15_000))
})
