// Attacks a server on loopback: sends requests at a fixed rate, whether or not they are answered, and opens connections
// that never send a whole request.
import { connect, type Socket } from 'node:net'
import type { Attack, Attacked } from './order.ts'

const maxOpenPerKind = 60
const tickMs = 10

/** Addresses of loopback that no proxy uses. */
const halfOpenAddress = (index: number) => `127.9.${(index >> 8) & 255}.${index & 255 || 1}`

const run = ({ port, ms, kinds, halfOpenPerSecond }: Attack): Promise<Attacked> =>
  new Promise((resolve) => {
    const statuses: Record<string, Record<string, number>> = {}
    const pools = new Map(kinds.map(({ name }) => [name, { idle: [] as Socket[], open: 0 }]))
    const halfOpen = new Set<Socket>()
    let dropped = 0
    let bytes = 0
    let sent = 0
    let closedByServer = 0
    let isOver = false

    const ask = (name: string, request: Buffer) => {
      const pool = pools.get(name)
      const socket = pool?.idle.pop() ?? (pool && pool.open < maxOpenPerKind ? newSocket(pool) : undefined)
      if (!socket) {
        dropped++
        return
      }
      sent++
      bytes += request.length
      statuses[name] ??= {}
      const counts = statuses[name]
      let head = ''
      const count = (status: string) => {
        counts[status] = (counts[status] ?? 0) + 1
      }
      const onData = (chunk: Buffer) => {
        head += chunk.toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head.slice(0, end))?.[1] ?? 0)
        if (head.length < end + 4 + length) return
        socket.off('data', onData).off('close', onClose)
        count(head.slice(9, 12))
        if (/\r\nconnection: *close/i.test(head.slice(0, end))) socket.destroy()
        else pool?.idle.push(socket)
      }
      const onClose = () => count('closed')
      socket.on('data', onData).once('close', onClose)
      socket.write(request)
    }

    const newSocket = (pool: { idle: Socket[]; open: number }) => {
      pool.open++
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      socket.on('error', () => {})
      socket.once('close', () => {
        pool.open--
        pool.idle = pool.idle.filter((other) => other !== socket)
      })
      return socket
    }

    const openHalf = (index: number) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: halfOpenAddress(index % 256) })
      halfOpen.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        halfOpen.delete(socket)
        if (!isOver) closedByServer++
      })
      // A socket closes only after what the server sent has been read.
      socket.resume()
      socket.write('GET /api/v1/search HTTP/1.1\r\nHost: registry.example\r\nX-Slow: ')
    }

    const started = performance.now()
    const made = kinds.map(() => 0)
    let halves = 0
    const timer = setInterval(() => {
      const elapsed = performance.now() - started
      if (elapsed >= ms) {
        clearInterval(timer)
        isOver = true
        for (const socket of [...[...pools.values()].flatMap(({ idle }) => idle), ...halfOpen]) socket.destroy()
        return resolve({ sent, dropped, bytes, seconds: elapsed / 1_000, statuses, halfOpen: halves, closedByServer })
      }
      kinds.forEach(({ name, perSecond, requests }, kind) => {
        for (const due = (elapsed / 1_000) * perSecond; (made[kind] ?? 0) < due; made[kind] = (made[kind] ?? 0) + 1)
          ask(name, Buffer.from(requests[(made[kind] ?? 0) % requests.length] ?? ''))
      })
      for (const due = (elapsed / 1_000) * halfOpenPerSecond; halves < due; halves++) openHalf(halves)
    }, tickMs)
  })

process.on('message', async (attack: Attack) => process.send?.(await run(attack)))
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
