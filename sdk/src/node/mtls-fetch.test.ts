import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../index.ts'
import { createMtlsFetch } from './mtls-fetch.ts'
import { spkiFingerprint } from './spki-fingerprint.ts'

const { good }: { good: { name: string; pem: string; hex: string }[] } = JSON.parse(
  readFileSync(new URL('../../../tests/vectors/fingerprints.json', import.meta.url), 'utf8'),
)
const pemOf = (name: string) => good.find((vector) => vector.name === name)?.pem ?? ''
const credential = { cert: pemOf('EC certificate'), key: pemOf('EC private key, PKCS #8') }
const other = { cert: pemOf('Ed25519 certificate'), key: pemOf('Ed25519 private key') }

const newEcKey = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

let server: Server
let baseURL: string
const bodies: string[] = []

beforeAll(async () => {
  server = createServer({ ...credential, requestCert: true, rejectUnauthorized: false }, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    bodies.push(Buffer.concat(chunks).toString())
    if (request.url === '/moved') return response.writeHead(302, { Location: '/' }).end()
    const { raw } = (request.socket as TLSSocket).getPeerCertificate()
    response.end(JSON.stringify({ hex: raw ? spkiFingerprint(raw).hex : null, key: request.headers['x-api-key'] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  baseURL = `https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

describe('fetch over mutual TLS', () => {
  it('presents the certificate and carries the client’s calls', async () => {
    const fetch = createMtlsFetch({ ...other, ca: credential.cert })
    const client = createClient({ baseURL, apiKey: 'csk_key', fetch })
    const answer = await client.verifications.create({ model_id: 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm' })
    expect(answer).toEqual({ hex: good.find(({ name }) => name === 'Ed25519 certificate')?.hex, key: 'csk_key' })
    expect(bodies.at(-1)).toBe('{"model_id":"mdl_06dh0e3x7c9bw4vjz2n8qk5ytm"}')
    await fetch.close()
  })

  it('rejects a server with an unknown authority', async () => {
    const fetch = createMtlsFetch(credential)
    const count = bodies.length
    await expect(fetch(baseURL)).rejects.toThrow()
    expect(bodies).toHaveLength(count)
    await fetch.close()
  })

  it('follows no redirect', async () => {
    const fetch = createMtlsFetch({ ...credential, ca: credential.cert })
    expect((await fetch(`${baseURL}/moved`, { redirect: 'follow' })).status).toBe(302)
    await fetch.close()
  })

  it('stops when aborted', async () => {
    const fetch = createMtlsFetch({ ...credential, ca: credential.cert })
    await expect(fetch(baseURL, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
    await fetch.close()
  })

  it.each([
    {
      name: 'a key of another type',
      options: { cert: credential.cert, key: other.key },
      shown: 'does not belong',
    },
    {
      name: 'a key of another certificate',
      options: { cert: credential.cert, key: newEcKey() },
      shown: 'does not belong',
    },
    { name: 'no PEM', options: { cert: 'hello', key: credential.key }, shown: '' },
  ])('rejects $name at once', ({ options, shown }) => {
    expect(() => createMtlsFetch(options)).toThrow(shown)
  })
})
