import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** An address that leads to one server and later to another, as a failover or a load balancer does. */
export const startSwitch = async (firstPort: number) => {
  let target = firstPort
  let isCut = false
  const open = new Set<Socket>()
  const join = (from: Socket, to: Socket) => {
    open.add(from)
    from.on('close', () => {
      open.delete(from)
      to.destroy()
    })
    from.on('error', () => to.destroy())
    from.on('data', (chunk) => {
      if (!isCut) to.write(chunk)
    })
  }
  const server = createServer((socket) => {
    // While the network is cut, connections are neither accepted nor rejected, as far as the client sees.
    if (isCut) {
      open.add(socket)
      return socket.on('error', () => {})
    }
    const inner = connect(target, '127.0.0.1')
    join(socket, inner)
    join(inner, socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    /** New connections lead there; those that are open end. */
    to: (port: number) => {
      target = port
      for (const socket of open) socket.destroy()
    },
    /** From now on every packet is lost. Connections of before stay dead after `join`. */
    cut: () => {
      isCut = true
      for (const socket of open) socket.removeAllListeners('data').on('data', () => {})
    },
    rejoin: () => {
      isCut = false
    },
    stop: () => {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}
