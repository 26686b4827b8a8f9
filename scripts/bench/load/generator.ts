// Generates load: keep-alive HTTP/1.1 on plain sockets, one request at a time on each. Cheaper than any HTTP client,
// because it parses a response only far enough to find its end. Or with a new TLS connection for each request.
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { createSecureContext, type SecureContext, connect as startTls } from 'node:tls'
import type { Answered, Order } from './order.ts'

const cache = new Map<string, Buffer[]>()

const requestsOf = (file: string, isOnce: boolean): Buffer[] => {
  const known = cache.get(file)
  if (known) return known
  const requests = (JSON.parse(readFileSync(file, 'utf8')) as string[]).map((text) => Buffer.from(text))
  if (!isOnce) cache.set(file, requests)
  return requests
}

const contexts = new Map<string, SecureContext[]>()

const contextsOf = (file: string): SecureContext[] => {
  const known = contexts.get(file)
  if (known) return known
  const made = (JSON.parse(readFileSync(file, 'utf8')) as { cert: string; key: string }[]).map(createSecureContext)
  contexts.set(file, made)
  return made
}

const headEnd = Buffer.from('\r\n\r\n')
const maxAnswers = 2_000_000

const run = ({ port, file, ms, connections, isOnce, credentials, collect }: Order): Promise<Answered> => {
  const requests = requestsOf(file, isOnce === true)
  const certificates = credentials === undefined ? undefined : contextsOf(credentials)
  const pattern = collect === undefined ? undefined : new RegExp(collect)
  const latencies: number[] = []
  const statuses: Record<string, number> = {}
  const collected: string[][] = []
  // What reading the file left behind would be collected during the round, beside the server.
  globalThis.gc?.()
  const started = performance.now()
  const deadline = started + ms
  let next = 0
  let finished = started
  let open = connections

  return new Promise((resolve) => {
    const close = () => {
      if (--open > 0) return
      latencies.sort((a, b) => a - b)
      const percentile = (share: number) =>
        latencies[Math.min(latencies.length - 1, Math.floor(share * latencies.length))] ?? 0
      resolve({
        count: latencies.length,
        ms: finished - started,
        statuses,
        collected,
        p50: percentile(0.5),
        p99: percentile(0.99),
      })
    }

    const isOver = () =>
      performance.now() >= deadline || latencies.length >= maxAnswers || (isOnce === true && next >= requests.length)

    const note = (answer: Buffer, end: number, sent: number) => {
      finished = performance.now()
      latencies.push(finished - sent)
      const status = answer.toString('latin1', 9, 12)
      statuses[status] = (statuses[status] ?? 0) + 1
      const found = pattern?.exec(answer.toString('latin1', end, answer.length))
      if (found) collected.push(found.slice(1))
    }

    const ask = () => {
      let sent = 0
      let rest: Buffer | undefined

      const send = () => {
        if (isOver()) return void socket.end()
        sent = performance.now()
        socket.write(requests[next++ % requests.length] ?? '')
      }

      const read = (bytes: Buffer) => {
        const answer = rest ? Buffer.concat([rest, bytes]) : bytes
        const end = answer.indexOf(headEnd)
        const length = end < 0 ? undefined : /\r\ncontent-length: *(\d+)/i.exec(answer.toString('latin1', 0, end))?.[1]
        if (end >= 0 && length === undefined) return void socket.destroy(new Error('A response without a length'))
        if (end < 0 || answer.length < end + headEnd.length + Number(length)) {
          // Copy: the socket reuses its buffer.
          rest = Buffer.from(answer)
          return
        }
        rest = undefined
        note(answer, end, sent)
        send()
      }

      const socket = connect({
        port,
        host: '127.0.0.1',
        noDelay: true,
        onread: {
          buffer: Buffer.allocUnsafe(65_536),
          callback: (count, buffer) => {
            read((buffer as Buffer).subarray(0, count))
            return true
          },
        },
      })
      socket.on('connect', send)
      // If the server is killed under load, the run ends early; the responses so far count.
      socket.on('error', () => {})
      socket.on('close', close)
    }

    /** One request, over a connection that ends with it. */
    const askAlone = (contexts: readonly SecureContext[]) => {
      if (isOver()) return close()
      const index = next++
      const sent = performance.now()
      const chunks: Buffer[] = []
      const socket = startTls({
        port,
        host: '127.0.0.1',
        secureContext: contexts[index % contexts.length],
        rejectUnauthorized: false,
      })
      socket.setNoDelay()
      socket.write(requests[index % requests.length] ?? '')
      socket.on('data', (chunk: Buffer) => chunks.push(chunk))
      socket.on('error', () => {})
      socket.on('close', () => {
        const answer = Buffer.concat(chunks)
        if (answer.length > 0) note(answer, answer.indexOf(headEnd), sent)
        askAlone(contexts)
      })
    }

    for (let index = 0; index < connections; index++) certificates ? askAlone(certificates) : ask()
  })
}

process.on('message', async (order: Order) => process.send?.(await run(order)))
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
