import { createPublicKey, generateKeyPairSync, hash, sign } from 'node:crypto'
import { type SignatureAlgorithm, signatureBase } from '@countersign/sdk/signer'
import { describe, expect, it } from 'vitest'
import { isSignedBy } from './signature-keys.ts'

const pairs = {
  'ecdsa-p256-sha256': generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'ecdsa-p384-sha384': generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  'rsa-pss-sha512': generateKeyPairSync('rsa', { modulusLength: 2_048 }),
}

const signBase = (algorithm: keyof typeof pairs, base: Uint8Array, key = pairs[algorithm].privateKey) =>
  sign(algorithm.slice(-6), base, { key, dsaEncoding: 'ieee-p1363' })

describe('a signature by an elliptic curve', () => {
  it.each(['ecdsa-p256-sha256', 'ecdsa-p384-sha384'] as const)(
    'is valid with numbers of any length, and in no other form, with %s',
    (algorithm) => {
      const known = { key: pairs[algorithm].publicKey, algorithm }
      const size = algorithm === 'ecdsa-p256-sha256' ? 32 : 48
      const isValid = (signature: Uint8Array, base = 'x') => isSignedBy(known, base, signature)
      // One in 256 numbers begins with a zero, which its DER form lacks.
      for (const at of [0, size]) {
        let base = 'base'
        let signature = signBase(algorithm, Buffer.from(base))
        while (signature[at] !== 0) {
          base += '.'
          signature = signBase(algorithm, Buffer.from(base))
        }
        expect(isValid(signature, base)).toBe(true)
      }
      const right = signBase(algorithm, Buffer.from('x'))
      const der = sign(algorithm.slice(-6), Buffer.from('x'), pairs[algorithm].privateKey)
      const [r, s, zero] = [right.subarray(0, size), right.subarray(size), Buffer.alloc(size)]
      const stranger = generateKeyPairSync('ec', { namedCurve: size === 32 ? 'P-256' : 'P-384' }).privateKey
      const wrong = {
        der,
        'r is 0': Buffer.concat([zero, s]),
        's is 0': Buffer.concat([r, zero]),
        'both are 0': Buffer.alloc(2 * size),
        'both are as large as possible': Buffer.alloc(2 * size, 255),
        swapped: Buffer.concat([s, r]),
        short: right.subarray(1),
        long: Buffer.concat([right, Buffer.of(0)]),
        empty: Buffer.alloc(0),
        'of another key': signBase(algorithm, Buffer.from('x'), stranger),
      }
      expect(isValid(right)).toBe(true)
      for (const [name, signature] of Object.entries(wrong)) expect([name, isValid(signature)]).toEqual([name, false])
    },
    30_000,
  )
})

it('a signature by RSA counts only as PSS with SHA-512 and 64 bytes of salt', () => {
  const { publicKey, privateKey: key } = pairs['rsa-pss-sha512']
  const isValid = (signature: Uint8Array) => isSignedBy({ key: publicKey, algorithm: 'rsa-pss-sha512' }, 'x', signature)
  const x = Buffer.from('x')
  expect(isValid(sign('sha512', x, { key, padding: 6, saltLength: 64 }))).toBe(true)
  for (const other of [
    sign('sha512', x, key),
    sign('sha256', x, { key, padding: 6, saltLength: 64 }),
    sign('sha512', x, { key, padding: 6, saltLength: 32 }),
  ])
    expect(isValid(other)).toBe(false)
})

const edOrder = 2n ** 252n + 27742317777372353535851937790883648493n
/** The point that all keys are multiples of: the public key of the scalar 1. */
const edBase = `58${'66'.repeat(31)}`
/** Everyone can sign for a key of small order without knowing any secret. */
const smallOrder = [
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  '00'.repeat(32),
  `${'00'.repeat(31)}80`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
]

it('a signature by Ed25519 counts in one form, and not with a key that needs no secret', () => {
  const bytesOf = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse()
  const isValid = (publicKey: string, s: bigint, base: string) => {
    const der = Buffer.from(`302a300506032b6570032100${publicKey}`, 'hex')
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
    return isSignedBy({ key, algorithm: 'ed25519' }, base, Buffer.concat([Buffer.from(edBase, 'hex'), bytesOf(s)]))
  }
  const digest = hash('sha512', Buffer.concat([Buffer.from(edBase + edBase, 'hex'), Buffer.from('x')]), 'buffer')
  const s = (1n + BigInt(`0x${digest.reverse().toString('hex')}`)) % edOrder
  expect([s, s + edOrder].map((each) => isValid(edBase, each, 'x'))).toEqual([true, false])
  // With order 8, one in eight texts would fit.
  for (const key of smallOrder)
    expect(Array.from({ length: 64 }, (_, text) => isValid(key, 1n, String(text)))).not.toContain(true)
})

/* The keys and signatures of RFC 9421, Appendix B. */
const rsaKey = `MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAr4tmm3r20Wd/PbqvP1s2+QEtvpuRaV8Yq40gjUR8y2Rjxa6dpG2GXHbPfvMs8ct+Lh1GH45x28Rw3Ry53mm+oAXjyQ86OnDkZ5N8lYbggD4O3w6M6pAvLkhk95AndTrifbIFPNU8PPMO7OyrFAHqgDsznjPFmTOtCEcN2Z1FpWgchwuYLPL+Wokqltd11nqqzi+bJ9cvSKADYdUAAN5WUtzdpiy6LbTgSxP7ociU4Tn0g5I6aDZJ7A8Lzo0KSyZYoA485mqcO0GVAdVw9lq4aOT9v6d+nb4bnNkQVklLQ3fVAvJm+xdDOp9LCNCN48V2pnDOkFV6+U9nV5oyc6XI2wIDAQAB`
const ecKey = `MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEqIVYZVLCrPZHGHjP17CTW0/+D9Lfw0EkjqF7xB4FivAxzic30tMM4GF+hR6Dxh71Z50VGGdldkkDXZCnTNnoXQ==`
const edKey = `MCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=`

const requestParts = {
  date: 'Tue, 20 Apr 2021 02:07:55 GMT',
  '@method': 'POST',
  '@path': '/foo',
  '@query': '?param=Value&Pet=dog',
  '@authority': 'example.com',
  'content-type': 'application/json',
  'content-digest':
    'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:',
  'content-length': '18',
  '@query-param";name="Pet': 'dog',
}
const responseParts = {
  '@status': '200',
  'content-type': 'application/json',
  'content-digest':
    'sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:',
  'content-length': '23',
}

interface Vector {
  key: string
  algorithm: SignatureAlgorithm
  parts: Readonly<Record<string, string>>
  names: string[]
  rest: string
  signature: string
}

const vectors: Record<string, Vector> = {
  'B.2.1, nothing covered, RSA-PSS': {
    key: rsaKey,
    algorithm: 'rsa-pss-sha512',
    parts: requestParts,
    names: [],
    rest: ';created=1618884473;keyid="test-key-rsa-pss";nonce="b3k2pp5k7z-50gnwp.yemd"',
    signature:
      'd2pmTvmbncD3xQm8E9ZV2828BjQWGgiwAaw5bAkgibUopemLJcWDy/lkbbHAve4cRAtx31Iq786U7it++wgGxbtRxf8Udx7zFZsckzXaJMkA7ChG52eSkFxykJeNqsrWH5S+oxNFlD4dzVuwe8DhTSja8xxbR/Z2cOGdCbzR72rgFWhzx2VjBqJzsPLMIQKhO4DGezXehhWwE56YCE+O6c0mKZsfxVrogUvA4HELjVKWmAvtl6UnCh8jYzuVG5WSb/QEVPnP5TmcAnLH1g+s++v6d4s8m0gCw1fV5/SITLq9mhho8K3+7EPYTU8IU1bLhdxO5Nyt8C8ssinQ98Xw9Q==',
  },
  'B.2.2, some components, RSA-PSS': {
    key: rsaKey,
    algorithm: 'rsa-pss-sha512',
    parts: requestParts,
    names: ['@authority', 'content-digest', '@query-param";name="Pet'],
    rest: ';created=1618884473;keyid="test-key-rsa-pss";tag="header-example"',
    signature:
      'LjbtqUbfmvjj5C5kr1Ugj4PmLYvx9wVjZvD9GsTT4F7GrcQEdJzgI9qHxICagShLRiLMlAJjtq6N4CDfKtjvuJyE5qH7KT8UCMkSowOB4+ECxCmT8rtAmj/0PIXxi0A0nxKyB09RNrCQibbUjsLS/2YyFYXEu4TRJQzRw1rLEuEfY17SARYhpTlaqwZVtR8NV7+4UKkjqpcAoFqWFQh62s7Cl+H2fjBSpqfZUJcsIk4N6wiKYd4je2U/lankenQ99PZfB4jY3I5rSV2DSBVkSFsURIjYErOs0tFTQosMTAoxk//0RoKUqiYY8Bh0aaUEb0rQl3/XaVe4bXTugEjHSw==',
  },
  'B.2.3, all components, RSA-PSS': {
    key: rsaKey,
    algorithm: 'rsa-pss-sha512',
    parts: requestParts,
    names: ['date', '@method', '@path', '@query', '@authority', 'content-type', 'content-digest', 'content-length'],
    rest: ';created=1618884473;keyid="test-key-rsa-pss"',
    signature:
      'bbN8oArOxYoyylQQUU6QYwrTuaxLwjAC9fbY2F6SVWvh0yBiMIRGOnMYwZ/5MR6fb0Kh1rIRASVxFkeGt683+qRpRRU5p2voTp768ZrCUb38K0fUxN0O0iC59DzYx8DFll5GmydPxSmme9v6ULbMFkl+V5B1TP/yPViV7KsLNmvKiLJH1pFkh/aYA2HXXZzNBXmIkoQoLd7YfW91kE9o/CCoC1xMy7JA1ipwvKvfrs65ldmlu9bpG6A9BmzhuzF8Eim5f8ui9eH8LZH896+QIF61ka39VBrohr9iyMUJpvRX2Zbhl5ZJzSRxpJyoEZAFL2FUo5fTIztsDZKEgM4cUA==',
  },
  'B.2.4, a response, ECDSA P-256': {
    key: ecKey,
    algorithm: 'ecdsa-p256-sha256',
    parts: responseParts,
    names: ['@status', 'content-type', 'content-digest', 'content-length'],
    rest: ';created=1618884473;keyid="test-key-ecc-p256"',
    signature: 'wNmSUAhwb5LxtOtOpNa6W5xj067m5hFrj0XQ4fvpaCLx0NKocgPquLgyahnzDnDAUy5eCdlYUEkLIj+32oiasw==',
  },
  'B.2.6, a request, Ed25519': {
    key: edKey,
    algorithm: 'ed25519',
    parts: requestParts,
    names: ['date', '@method', '@path', '@authority', 'content-type', 'content-length'],
    rest: ';created=1618884473;keyid="test-key-ed25519"',
    signature: 'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==',
  },
}

it.each(Object.entries(vectors))('verifies RFC 9421 %s', (_, { key, algorithm, parts, names, rest, signature }) => {
  const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
  const quoted = (name: string) => `"${name}"`
  const base = signatureBase(
    names.map((name) => [quoted(name), parts[name] ?? '']),
    `(${names.map(quoted).join(' ')})${rest}`,
  )
  expect(isSignedBy({ key: publicKey, algorithm }, base, Buffer.from(signature, 'base64'))).toBe(true)
  expect(isSignedBy({ key: publicKey, algorithm }, `${base} `, Buffer.from(signature, 'base64'))).toBe(false)
})
