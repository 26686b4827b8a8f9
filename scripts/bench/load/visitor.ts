// A patient visitor: sends one request after the other at fixed moments and measures how long each takes, from the
// moment it should have been sent.
import { Agent, request } from 'node:http'
import type { Visit, Visited } from './order.ts'

const run = ({ port, paths, everyMs, count }: Visit): Promise<Visited> =>
  new Promise((resolve) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 50 })
    const latencies: number[] = []
    const statuses: Record<string, number> = {}
    const started = performance.now()
    let next = 0
    let answered = 0

    const done = (status: string, due: number) => {
      latencies.push(performance.now() - due)
      statuses[status] = (statuses[status] ?? 0) + 1
      if (++answered < count) return
      agent.destroy()
      latencies.sort((a, b) => a - b)
      const percentile = (share: number) => latencies[Math.floor(share * (latencies.length - 1))] ?? Number.NaN
      resolve({ statuses, p50: percentile(0.5), p99: percentile(0.99), longest: percentile(1) })
    }

    const ask = (index: number) => {
      const due = started + index * everyMs
      const headers = { 'X-Forwarded-For': `198.51.${100 + (Math.floor(index / 250) % 100)}.${index % 250}` }
      request({ port, host: '127.0.0.1', agent, path: paths[index % paths.length], headers }, (response) => {
        response.resume()
        response.once('end', () => done(String(response.statusCode), due))
      })
        .once('error', () => done('failed', due))
        .end()
    }

    const timer = setInterval(() => {
      while (next < count && performance.now() - started >= next * everyMs) ask(next++)
      if (next >= count) clearInterval(timer)
    }, 2)
  })

process.on('message', async (visit: Visit) => process.send?.(await run(visit)))
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
