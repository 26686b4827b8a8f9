import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { afterEach, expect, it, vi } from 'vitest'
import { importPair, readPem } from './read-pair.ts'
import { requestSigner } from './request-signer.ts'

afterEach(() => vi.restoreAllMocks())

const pemOf = ({ privateKey }: { privateKey: KeyObject }) =>
  privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

it.each([
  [{ name: 'Ed25519' }, generateKeyPairSync('ed25519')],
  [{ name: 'ECDSA', namedCurve: 'P-256' }, generateKeyPairSync('ec', { namedCurve: 'P-256' })],
  [{ name: 'ECDSA', namedCurve: 'P-384' }, generateKeyPairSync('ec', { namedCurve: 'P-384' })],
  [{ name: 'RSA-PSS' }, generateKeyPairSync('rsa', { modulusLength: 2_048 })],
])('imports a key only as its own type, although some runtimes import any key as %o', async (kind, pair) => {
  const imported = vi.spyOn(crypto.subtle, 'importKey')
  const { privateKey, publicKey } = await importPair(readPem(pemOf(pair)))
  expect(imported.mock.calls.map((call) => call[2])).toEqual(Array(3).fill(expect.objectContaining(kind)))
  expect([privateKey.extractable, publicKey.algorithm]).toEqual([false, expect.objectContaining(kind)])
})

it.each([
  ['./deployment.key', 'PEM (PKCS #8)'],
  [generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString(), 'PEM (PKCS #8)'],
  [
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'sec1', format: 'pem' }).toString(),
    'PEM (PKCS #8)',
  ],
  [pemOf(generateKeyPairSync('ec', { namedCurve: 'secp256k1' })), 'Ed25519, ECDSA P-256'],
  [pemOf(generateKeyPairSync('x25519')), 'Ed25519, ECDSA P-256'],
])('rejects a key that cannot sign, before any request (%#)', (key, said) => {
  expect(() => requestSigner({ key })).toThrow(`requestSigner: "key" must be ${said}`)
})
