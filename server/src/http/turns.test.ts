import { EventEmitter } from 'node:events'
import { type IncomingMessage, type RequestListener, ServerResponse } from 'node:http'
import type { Server } from 'node:net'
import { performance } from 'node:perf_hooks'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createTurns } from './turns.ts'

const requestFor = (url: string) => ({ url, destroyed: false }) as IncomingMessage

/** Handles requests that take `workMs` each, on a clock that only this work moves. */
const createFlood = ({ workMs, maxWaiting }: { workMs: number; maxWaiting?: number }) => {
  const handled: string[] = []
  const shed: string[] = []
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  const listener: RequestListener = async ({ url = '' }) => {
    await Promise.resolve()
    now += workMs
    handled.push(url)
  }
  const { of, watch } = createTurns({
    newRequestId: () => 'req_1',
    metrics: { countShed: (kind) => shed.push(kind) },
    groupOf: ({ url = '' }) => url.split('?from=')[1] ?? '',
    ...(maxWaiting !== undefined && { maxWaiting }),
  })
  const listen = of(listener)
  const send = (url: string) => {
    const request = requestFor(url)
    const response = new ServerResponse(request)
    listen(request, response as never)
    return { request, response }
  }
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
  const server = new EventEmitter()
  watch(server as Server)
  return { handled, shed, send, nextTurn, connect: () => server.emit('connection') }
}

describe('a flood of other requests', () => {
  it.each(['/v/k7m2', '/api/v1/verify/k7m2', '/.well-known/jwks.json', '/readyz?for=writes'])(
    'does not make %s wait for its turn',
    async (url) => {
      const { handled, send, nextTurn } = createFlood({ workMs: 4 })
      for (let index = 0; index < 20; index++) {
        send(`/api/v1/search?q=${index}`)
        await Promise.resolve()
        await Promise.resolve()
      }
      await nextTurn()
      await nextTurn()
      send(url)
      await nextTurn()
      expect(handled.indexOf(url)).toBeGreaterThan(0)
      expect(handled.indexOf(url)).toBeLessThan(12)
      while (handled.length < 21) await nextTurn()
      expect(handled.filter((each) => each !== url)).toEqual(
        Array.from({ length: 20 }, (_, index) => `/api/v1/search?q=${index}`),
      )
    },
  )

  it('does not make verifications of other networks wait, even if it consists of verifications', async () => {
    const { handled, shed, send, nextTurn } = createFlood({ workMs: 4, maxWaiting: 30 })
    for (let index = 0; index < 40; index++) {
      send(`/api/v1/verify/${index}?from=flood`)
      await Promise.resolve()
      await Promise.resolve()
    }
    const visitor = send('/api/v1/verify/k7m2?from=visitor')
    while (!handled.includes('/api/v1/verify/k7m2?from=visitor')) await nextTurn()
    expect(handled.length).toBeLessThan(10)
    expect(visitor.response.statusCode).toBe(200)
    expect(shed.length).toBeGreaterThan(0)
    while (handled.length + shed.length < 41) await nextTurn()
  })

  it('is handled in short turns while many wait, because a verification takes several of them', async () => {
    const { handled, send, nextTurn } = createFlood({ workMs: 1 })
    for (let index = 0; index < 60; index++) {
      send(`/api/v1/search?q=${index}`)
      await Promise.resolve()
      await Promise.resolve()
    }
    await nextTurn()
    const before = handled.length
    for (let turn = 0; turn < 4; turn++) await nextTurn()
    expect(handled.length - before).toBeLessThanOrEqual(4 * 3)
    while (handled.length < 60) await nextTurn()
  })

  it('is handled in long turns while few wait, so that their reads run back to back', async () => {
    const { handled, send, nextTurn } = createFlood({ workMs: 1 })
    for (let index = 0; index < 30; index++) {
      send(`/api/v1/verify/${index}`)
      await Promise.resolve()
      await Promise.resolve()
    }
    await nextTurn()
    const before = handled.length
    await nextTurn()
    await nextTurn()
    expect(handled.length - before).toBeGreaterThan(2 * 3)
    while (handled.length < 30) await nextTurn()
  })

  it('is rejected beyond the queue, and no work is done for clients that are gone', async () => {
    const { handled, shed, send, nextTurn } = createFlood({ workMs: 11, maxWaiting: 2 })
    send('/0')
    await Promise.resolve()
    await Promise.resolve()
    const gone = send('/1').request
    send('/2')
    expect(send('/3').response.statusCode).toBe(503)
    expect(shed).toEqual(['waiting'])
    gone.destroyed = true
    while (handled.length < 2) await nextTurn()
    send('/4')
    while (handled.length < 3) await nextTurn()
    expect(handled).toEqual(['/0', '/2', '/4'])
  })
  it('is handled slowly while connections arrive, of which Node accepts one per turn', async () => {
    const { handled, send, nextTurn, connect } = createFlood({ workMs: 3 })
    connect()
    for (let index = 0; index < 20; index++) send(`/${index}`)
    const start = performance.now()
    for (let turn = 0; turn < 10; turn++) {
      connect()
      await nextTurn()
    }
    expect(handled.length).toBeLessThanOrEqual(1 + (performance.now() - start) / 10)
    while (handled.length < 20) await nextTurn()
  })
})
