import { getEventListeners } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it, onTestFinished } from 'vitest'
import { AbortError } from './api-error.ts'
import { type ClientOptions, createClient } from './index.ts'
import { createVerifier } from './verify/index.ts'

const baseURL = 'https://registry.example'

const failure = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(
    () => undefined,
    (error: unknown) => error,
  )

const collectGarbage = (): (() => void) => {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}

it('10,000 calls with one signal leak no listeners and no memory, with retries and failures', async () => {
  const { signal } = new AbortController()
  let sent = 0
  // One call in four is retried, and one fails.
  const fetch = async () => {
    sent++
    if (sent % 4 === 0) return new Response('', { status: 503, headers: { 'Retry-After': '0' } })
    return sent % 4 === 1 ? new Response('', { status: 404 }) : Response.json({ keys: [] })
  }
  const client = createClient({ baseURL, fetch })
  const verifier = createVerifier({ issuer: baseURL, fetch })
  const call = async (count: number) => {
    for (let done = 0; done < count; done += 100) {
      await Promise.all(Array.from({ length: 100 }, () => failure(client.signing.jwks({ signal }))))
      await verifier.verify('W904-2CKW-GDNC-X7S1', { signal })
    }
  }
  const gc = collectGarbage()
  const heapAfter = async (count: number) => {
    await call(count)
    gc()
    return process.memoryUsage().heapUsed
  }
  const before = await heapAfter(2_000)
  const after = await heapAfter(10_000)
  expect(sent).toBeGreaterThan(12_000)
  // A listener left behind is a few hundred bytes, so 10,000 of them are megabytes.
  expect(after - before).toBeLessThan(1_000_000)
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
}, 30_000)

it('stops while it is still connecting', async () => {
  const sockets: Socket[] = []
  const connected = Promise.withResolvers<void>()
  // Accepts connections and never answers the handshake.
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}))
    connected.resolve()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  const client = createClient({ baseURL: `https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` })
  const controller = new AbortController()
  const failed = failure(client.signing.jwks({ signal: controller.signal }))
  await connected.promise
  controller.abort(new Error('enough'))
  expect(await failed).toBeInstanceOf(AbortError)
  expect(sockets).toHaveLength(1)
})

it('leaves no rejection unhandled, however a call fails', async () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  onTestFinished(() => {
    process.off('unhandledRejection', note)
  })
  const broken = () =>
    new Response(
      new ReadableStream({
        pull: (stream) => stream.error(new Error('cut')),
      }),
    )
  const late = Promise.withResolvers<void>()
  const fetches: Record<string, typeof fetch> = {
    refused: async () => Response.json({}, { status: 404 }),
    unreachable: () => Promise.reject(new TypeError('fetch failed')),
    'throws at once': () => {
      throw new TypeError('no')
    },
    'breaks within the answer': async () => broken(),
    'never answers': () => new Promise(() => {}),
    'fails after the caller has stopped waiting': () => late.promise.then(() => Promise.reject(new Error('late'))),
    'is a page': async () => new Response('<html>'),
  }
  const asks = (fetch: typeof globalThis.fetch, options: ClientOptions = {}) => {
    const client = createClient({ baseURL, fetch, timeout: 3, maxRetries: 0, ...options })
    const controller = new AbortController()
    const stopped = client.signing.jwks({ signal: controller.signal })
    controller.abort()
    return [
      client.signing.jwks(),
      client.signing.jwks().withResponse(),
      client.signing.jwks().finally(() => {}),
      client.signing.jwks({ retries: 1 } as never),
      client.models.list(),
      client.models.list().toArray(),
      client.models.list()[Symbol.asyncIterator]().next(),
      client.models.get('..'),
      stopped,
    ]
  }
  const calls = Object.values(fetches).flatMap((fetch) => [
    ...asks(fetch),
    ...asks(fetch, { apiKey: () => Promise.reject(new Error('no key')) }),
  ])
  expect(await Promise.all(calls.map(failure))).not.toContain(undefined)
  late.resolve()
  await new Promise((resolve) => setImmediate(resolve))
  expect(unhandled).toEqual([])
})
