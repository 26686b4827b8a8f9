import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { clientOf, proxiesAt } from './peer.ts'

const isProxy = proxiesAt([{ address: '10.0.0.0', prefix: 8, family: 'ipv4' }])

it.each([
  { from: '192.0.2.1', named: undefined, client: '192.0.2.1' },
  { from: '192.0.2.1', named: '198.51.100.7', client: '192.0.2.1' },
  { from: '10.0.0.1', named: undefined, client: '10.0.0.1' },
  { from: '10.0.0.1', named: '198.51.100.7', client: '198.51.100.7' },
  { from: '10.0.0.1', named: '203.0.113.9, 198.51.100.7,10.0.0.2', client: '198.51.100.7' },
  { from: '10.0.0.1', named: '10.0.0.3, 10.0.0.2', client: '10.0.0.3' },
  { from: '10.0.0.1', named: '::1, ', client: '::1' },
])('the client of $from with X-Forwarded-For: $named is $client', ({ from, named, client }) => {
  const request = {
    headers: { 'x-forwarded-for': named },
    socket: { remoteAddress: from },
  } as unknown as IncomingMessage
  expect(clientOf(request, isProxy)).toBe(client)
})
