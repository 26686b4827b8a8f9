import { Resolver } from 'node:dns/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type DnsServer, startDnsServer } from './dns-server.ts'

let server: DnsServer
let resolver: Resolver

beforeEach(async () => {
  server = await startDnsServer()
  resolver = new Resolver({ timeout: 2_000, tries: 1 })
  resolver.setServers([server.address])
})

afterEach(() => server.close())

it('returns the configured records, and ignores the case of the name', async () => {
  server.setTxt('Acme.Example', ['one', 'two'])
  expect(await resolver.resolveTxt('acme.example')).toEqual([['one'], ['two']])
})

it('returns records too large for a datagram over TCP, long values in parts of 255 bytes', async () => {
  const values = ['a'.repeat(600), 'b'.repeat(300)]
  server.setTxt('acme.example', values)
  const records = await resolver.resolveTxt('acme.example')
  expect(records.map((parts) => parts.join(''))).toEqual(values)
})

it('says that other names do not exist', async () => {
  await expect(resolver.resolveTxt('northwind.example')).rejects.toMatchObject({ code: 'ENOTFOUND' })
})

it('returns addresses in turn, and follows aliases', async () => {
  server.setAddresses('acme.example', ['192.0.2.1', '2001:db8::1'], ['192.0.2.2'])
  server.setAlias('www.acme.example', 'acme.example')
  expect(await resolver.resolve6('www.acme.example')).toEqual(['2001:db8::1'])
  expect(await resolver.resolve4('acme.example')).toEqual(['192.0.2.1'])
  expect(await resolver.resolve4('www.acme.example')).toEqual(['192.0.2.2'])
  expect(await resolver.resolve4('www.acme.example')).toEqual(['192.0.2.2'])
  await expect(resolver.resolve6('acme.example')).rejects.toMatchObject({ code: 'ENODATA' })
})

it('fails as configured, until it is cleared', async () => {
  server.setTxt('acme.example', ['one'])
  server.fail('acme.example', 'refused')
  await expect(resolver.resolveTxt('acme.example')).rejects.toMatchObject({ code: 'EREFUSED' })
  server.clear()
  await expect(resolver.resolveTxt('acme.example')).rejects.toMatchObject({ code: 'ENOTFOUND' })
})
