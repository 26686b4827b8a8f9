import type { Server, Socket } from 'node:net'
import { networkOf } from '../networks.ts'
import type { IsProxy } from './peer.ts'
import { widerNetworks } from './rate-rules.ts'

interface Options {
  /** Proxies hold the connections of all visitors. */
  isProxy: IsProxy
  perNetwork?: number
}

/** Closes new connections of a network that already has too many open at these servers together. */
export const limitConnections = (servers: readonly Server[], { isProxy, perNetwork = 500 }: Options) => {
  const open = new Map<string, number>()

  const add = (network: string, change: 1 | -1) => {
    const total = (open.get(network) ?? 0) + change
    if (total > 0) open.set(network, total)
    else open.delete(network)
    return total
  }

  const count = (socket: Socket) => {
    const address = socket.remoteAddress
    // Already disconnected.
    if (address === undefined) return socket.destroy()
    if (isProxy(address)) return
    const network = networkOf(address)
    const networks = [{ network, times: 1 }, ...widerNetworks(network)]
    socket.once('close', () => {
      for (const { network } of networks) add(network, -1)
    })
    const counts = networks.map(({ network, times }) => add(network, 1) / times)
    if (Math.max(...counts) > perNetwork) socket.destroy()
  }
  for (const server of servers) server.on('connection', count)
}
