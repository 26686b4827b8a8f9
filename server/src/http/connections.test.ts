import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { limitConnections } from './connections.ts'

/** Two servers, to which connections are opened in turns. */
const startWith = async (isProxy: boolean) => {
  const servers = [createServer(), createServer()]
  limitConnections(servers, { isProxy: () => isProxy, perNetwork: 3 })
  const ports: number[] = []
  for (const server of servers) {
    server.on('connection', (socket) => socket.write('accepted')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    ports.push((server.address() as AddressInfo).port)
  }
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    for (const server of servers) server.close()
  })
  return async () => {
    const socket = connect(ports[sockets.length % 2] ?? 0, '127.0.0.1')
    sockets.push(socket)
    const isAccepted = await Promise.race([
      once(socket, 'data').then(() => true),
      once(socket, 'close').then(() => false),
    ])
    return { socket, isAccepted }
  }
}

it('closes the connections of a network beyond its number at all servers together, until it closes others', async () => {
  const open = await startWith(false)
  const first = await open()
  await open()
  await open()
  expect((await open()).isAccepted).toBe(false)
  first.socket.destroy()
  await once(first.socket, 'close')
  await expect.poll(async () => (await open()).isAccepted).toBe(true)
})

it('does not limit a proxy, which holds the connections of all visitors', async () => {
  const open = await startWith(true)
  for (let count = 0; count < 6; count++) expect((await open()).isAccepted).toBe(true)
})
