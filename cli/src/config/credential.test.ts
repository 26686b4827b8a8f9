import { describe, expect, it } from 'vitest'
import { chooseCredential, maskKey, mayReceiveKey } from './credential.ts'

const home = { key_origin: 'https://registry.example', api_key: 'csk_abcdefgh_saved' }

describe('a saved key', () => {
  it.each([
    { name: 'is sent to its own registry', url: 'https://registry.example/', isTlsPort: false, may: true },
    { name: 'is not sent to another host', url: 'https://evil.example', isTlsPort: false, may: false },
    { name: 'is not sent to another port', url: 'https://registry.example:8443', isTlsPort: false, may: false },
    { name: 'is not sent over plain http', url: 'http://registry.example', isTlsPort: false, may: false },
    {
      name: 'is not sent to a longer name',
      url: 'https://registry.example.evil.example',
      isTlsPort: false,
      may: false,
    },
    {
      name: 'is sent to the mutual-TLS port of the same host',
      url: 'https://registry.example:4143',
      isTlsPort: true,
      may: true,
    },
    {
      name: 'is not sent to a mutual-TLS port of another host',
      url: 'https://evil.example:4143',
      isTlsPort: true,
      may: false,
    },
    {
      name: 'is not sent to a mutual-TLS port without TLS',
      url: 'http://registry.example:4143',
      isTlsPort: true,
      may: false,
    },
    { name: 'is not sent to an invalid address', url: 'registry.example', isTlsPort: false, may: false },
  ])('$name', ({ url, isTlsPort, may }) => {
    expect(mayReceiveKey(url, home, isTlsPort)).toBe(may)
    const found = chooseCredential({ url, isTlsPort, env: {}, profile: home, readKeyFile: () => '' })
    expect(found?.key).toBe(may ? home.api_key : undefined)
  })

  it('is sent to another host’s mutual-TLS address once that is saved with it', () => {
    expect(
      mayReceiveKey('https://mtls.registry.example', { ...home, tls_url: 'https://mtls.registry.example' }, true),
    ).toBe(true)
    expect(
      mayReceiveKey('https://mtls.registry.example', { ...home, tls_url: 'https://mtls.registry.example' }, false),
    ).toBe(false)
  })

  it('is sent nowhere if it has no origin', () => {
    expect(mayReceiveKey('https://registry.example', { api_key: 'csk_abcdefgh_saved' }, false)).toBe(false)
  })
})

it('prefers the environment to the profile, and the variable to the file', () => {
  const search = { url: 'https://anywhere.example', profile: home, readKeyFile: () => 'csk_from_file\n' }
  expect(
    chooseCredential({ ...search, env: { COUNTERSIGN_API_KEY: 'csk_stated', COUNTERSIGN_API_KEY_FILE: 'f' } }),
  ).toEqual({
    key: 'csk_stated',
    source: 'environment',
  })
  expect(chooseCredential({ ...search, env: { COUNTERSIGN_API_KEY_FILE: 'f' } })).toEqual({
    key: 'csk_from_file',
    source: 'environment',
  })
})

it('rejects a malformed key without repeating it', () => {
  const choose = () =>
    chooseCredential({
      url: 'https://a.example',
      env: { COUNTERSIGN_API_KEY: 'two words' },
      profile: {},
      readKeyFile: () => '',
    })
  expect(choose).toThrow(expect.objectContaining({ exit: 4, message: expect.not.stringContaining('two words') }))
})

it('masks a key', () => {
  expect(maskKey('csk_abcdefgh_secretsecret')).toBe('csk_abcdefgh_…')
  expect(maskKey('something else')).toBe('…')
})
