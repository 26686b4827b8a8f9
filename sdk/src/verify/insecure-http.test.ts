import { describe, expect, it } from 'vitest'
import { createClient } from '../client.ts'
import { InsecureHttpError } from './insecure-http.ts'
import { createVerifier } from './verifier.ts'

const clear = [
  'http://registry.example',
  'http://192.0.2.7:4100',
  'http://127.0.0.1.evil.example',
  'http://[2001:db8::1]',
  'http://0.0.0.0',
]
const safe = [
  'https://registry.example',
  'http://localhost:4100',
  'http://a.localhost',
  'http://127.3.2.1',
  'http://[::1]:4100',
]

describe('plain http', () => {
  it.each(clear)('to %s is rejected by the client and the verifier before anything is sent', (baseURL) => {
    for (const make of [
      () => createClient({ baseURL, apiKey: 'csk_key' }),
      () => createVerifier({ issuer: baseURL }),
    ]) {
      expect(make).toThrow(InsecureHttpError)
      expect(make).toThrow(/insecureHttp: true/)
    }
    expect(() => createClient({ baseURL, insecureHttp: true })).not.toThrow()
    expect(() => createVerifier({ issuer: baseURL, insecureHttp: true })).not.toThrow()
    // Given keys need no fetch.
    expect(() => createVerifier({ issuer: baseURL, jwks: { keys: [] } })).not.toThrow()
  })

  it.each(safe)('does not include %s', (baseURL) => {
    expect(() => createClient({ baseURL })).not.toThrow()
    expect(() => createVerifier({ issuer: baseURL })).not.toThrow()
  })

  it('is rejected for the address of the keys even if the issuer is safe', () => {
    expect(() => createVerifier({ issuer: 'https://registry.example', jwks: 'http://cdn.example/jwks.json' })).toThrow(
      InsecureHttpError,
    )
  })
})
