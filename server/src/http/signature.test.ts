import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Refusal } from '@countersign/sdk/contract'
import { requestSigner, type SignatureAlgorithm, signatureBase } from '@countersign/sdk/signer'
import { httpbis } from 'http-message-signatures'
import { describe, expect, it } from 'vitest'
import { isSignedBy, readSignature } from './signature.ts'

const publicUrl = 'https://registry.example'
const path = '/api/v1/create-verification'
const now = Date.UTC(2026, 10, 23, 12)
const body = Buffer.from('{"model_id":"mdl_06dh0e3x7c9bw4vjz2n8qk5ytm"}')

const pairs: Record<SignatureAlgorithm, { publicKey: KeyObject; privateKey: KeyObject }> = {
  ed25519: generateKeyPairSync('ed25519'),
  'ecdsa-p256-sha256': generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'ecdsa-p384-sha384': generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  'rsa-pss-sha512': generateKeyPairSync('rsa', { modulusLength: 2_048 }),
}
const algorithms = Object.keys(pairs) as SignatureAlgorithm[]

/** Signs as Node does, which is not how the SDK signs. */
const signBase = (algorithm: SignatureAlgorithm, base: Uint8Array, key = pairs[algorithm].privateKey) => {
  if (algorithm === 'ed25519') return sign(null, base, key)
  if (algorithm === 'rsa-pss-sha512') return sign('sha512', base, { key, padding: 6, saltLength: 64 })
  return sign(algorithm.slice(-6), base, { key, dsaEncoding: 'ieee-p1363' })
}

interface Sent {
  method: string
  url: string
  headers: [name: string, value: string][]
  body: Uint8Array
}

const spkiOf = (algorithm: SignatureAlgorithm) => pairs[algorithm].publicKey.export({ type: 'spki', format: 'der' })
const sha256 = (bytes: Uint8Array, as: 'hex' | 'base64') => createHash('sha256').update(bytes).digest(as)

/** A request signed over these parameters; a change is signed with the rest. */
const signed = (
  algorithm: SignatureAlgorithm,
  change: { parameters?: (text: string) => string; digest?: string; key?: string } = {},
): Sent => {
  const spki = spkiOf(algorithm)
  const values = {
    '@method': 'POST',
    '@target-uri': publicUrl + path,
    'content-digest': change.digest ?? `sha-256=:${sha256(body, 'base64')}:`,
    'countersign-key': change.key ?? `:${spki.toString('base64')}:`,
  }
  const at = now / 1_000
  const text = `("@method" "@target-uri" "content-digest" "countersign-key");created=${at};expires=${at + 60};nonce="0123456789abcdef";keyid="${sha256(spki, 'hex')}";alg="${algorithm}";tag="countersign-mint"`
  const parameters = change.parameters?.(text) ?? text
  const names = [...(/^\(([^)]*)\)/.exec(parameters)?.[1] ?? '').matchAll(/"([^"]+)"/g)].map(([, name = '']) => name)
  const base = signatureBase(
    names.map((name) => [`"${name}"`, values[name as keyof typeof values] ?? '']),
    parameters,
  )
  return {
    method: 'POST',
    url: path,
    body,
    headers: [
      ['content-digest', values['content-digest']],
      ['countersign-key', values['countersign-key']],
      ['signature-input', `mint=${parameters}`],
      ['signature', `mint=:${signBase(algorithm, Buffer.from(base)).toString('base64')}:`],
    ],
  }
}

const read = ({ method, url, headers, body }: Sent, at = now) =>
  readSignature(
    { method, url, rawHeaders: headers.flat(), headers: Object.fromEntries(headers) } as unknown as IncomingMessage,
    { body, publicUrl, now: at },
  )

/** The code of the error, or what was read. */
const outcomeOf = (sent: Sent, at?: number) => {
  try {
    return read(sent, at)
  } catch (error) {
    return error instanceof Refusal ? error.code : error
  }
}

/** The same numbers each time. */
const createRandom = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

const withHeader = (sent: Sent, name: string, change: (value: string) => string | string[]): Sent => ({
  ...sent,
  headers: sent.headers.flatMap(([each, value]): [string, string][] =>
    each === name ? [change(value)].flat().map((text) => [each, text]) : [[each, value]],
  ),
})

const flipAt = (text: string, at: number, to: string) => text.slice(0, at) + to + text.slice(at + 1)
const alphabet = 'ABCxyz0189+/=:;,()"_- \t'

/** One fault each, in what was sent after it was signed. */
const faults: ((sent: Sent, random: () => number) => Sent)[] = [
  ...['content-digest', 'countersign-key', 'signature-input', 'signature'].flatMap((name) => [
    (sent: Sent, random: () => number) =>
      withHeader(sent, name, (value) => {
        const at = Math.floor(random() * value.length)
        const others = [...alphabet].filter((char) => char !== value[at])
        return flipAt(value, at, others[Math.floor(random() * others.length)] ?? '')
      }),
    (sent: Sent, random: () => number) =>
      withHeader(sent, name, (value) => flipAt(value, Math.floor(random() * value.length), '')),
    (sent: Sent, random: () => number) =>
      withHeader(sent, name, (value) => {
        const at = Math.floor(random() * (value.length - 1)) + 1
        return `${value.slice(0, at)}${random() < 0.5 ? '\r\n ' : ' '}${value.slice(at)}`
      }),
    (sent: Sent) => withHeader(sent, name, (value) => [value, value]),
    (sent: Sent) => withHeader(sent, name, () => []),
  ]),
  (sent, random) => ({ ...sent, body: Buffer.concat([sent.body, Buffer.from([Math.floor(random() * 256)])]) }),
  (sent, random) => {
    const changed = Buffer.from(sent.body)
    const at = Math.floor(random() * changed.length)
    changed[at] = (changed[at] ?? 0) ^ (1 << Math.floor(random() * 8))
    return { ...sent, body: changed }
  },
  (sent, random) => ({ ...sent, method: ['GET', 'PUT', 'post', 'PATCH'][Math.floor(random() * 4)] ?? '' }),
  (sent, random) => ({ ...sent, url: `${sent.url}${['/', '?', '?a=1', '//', '%20'][Math.floor(random() * 5)]}` }),
  (sent) =>
    withHeader(sent, 'countersign-key', () => {
      const { publicKey } = generateKeyPairSync('ed25519')
      return `:${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}:`
    }),
]

/** Well signed, but not as a mint has to be. */
const unfit: Record<string, Parameters<typeof signed>[1]> = {
  'lives too long': { parameters: (text) => text.replace(/expires=\d+/, `expires=${now / 1_000 + 61}`) },
  'never expires': { parameters: (text) => text.replace(/;expires=\d+/, '') },
  'expires before it was created': { parameters: (text) => text.replace(/expires=\d+/, `expires=${now / 1_000 - 1}`) },
  'has no creation': { parameters: (text) => text.replace(/;created=\d+/, '') },
  'has no nonce': { parameters: (text) => text.replace(/;nonce="\w+"/, '') },
  'has a short nonce': { parameters: (text) => text.replace(/nonce="\w+"/, 'nonce="abc"') },
  'names another key': { parameters: (text) => text.replace(/keyid="./, 'keyid="_') },
  'names no key': { parameters: (text) => text.replace(/;keyid="\w+"/, '') },
  'has another purpose': { parameters: (text) => text.replace('countersign-mint', 'web-bot-auth') },
  'has no purpose': { parameters: (text) => text.replace(/;tag="[^"]+"/, '') },
  'names another algorithm': { parameters: (text) => text.replace(/alg="[^"]+"/, 'alg="hmac-sha256"') },
  'has a parameter twice': { parameters: (text) => `${text};tag="countersign-mint"` },
  'has an unknown parameter': { parameters: (text) => `${text};more="1"` },
  'does not cover the body': { parameters: (text) => text.replace(' "content-digest"', '') },
  'does not cover the address': { parameters: (text) => text.replace('"@target-uri" ', '') },
  'does not cover the method': { parameters: (text) => text.replace('"@method" ', '') },
  'does not cover the key': { parameters: (text) => text.replace(' "countersign-key"', '') },
  'covers a component twice': { parameters: (text) => text.replace('"@method"', '"@method" "@method"') },
  'covers something else': { parameters: (text) => text.replace('"@method"', '"@method" "@authority"') },
  'covers nothing': { parameters: (text) => text.replace(/^\(.*?\)/, '()') },
  'has the digest of another body': { digest: `sha-256=:${sha256(Buffer.from('x'), 'base64')}:` },
  'has a weak digest': { digest: `sha=:${createHash('sha1').update(body).digest('base64')}:` },
  'has two digests': { digest: `sha-256=:${sha256(body, 'base64')}:, sha-256=:${sha256(body, 'base64')}:` },
  'has a key with bytes after it': {
    key: `:${Buffer.concat([spkiOf('ed25519'), Buffer.from([0])]).toString('base64')}:`,
  },
}

describe('a signature of a mint request', () => {
  it.each(algorithms)('is read with %s, in any order of its components and parameters', (algorithm) => {
    const fingerprint = sha256(spkiOf(algorithm), 'hex')
    const turned = signed(algorithm, {
      parameters: (text) => {
        const [list = '', ...parameters] = text.split(';')
        return [`(${list.slice(1, -1).split(' ').reverse().join(' ')})`, ...parameters.reverse()].join(';')
      },
    })
    for (const sent of [signed(algorithm), turned])
      expect(read(sent)).toEqual({ fingerprint, nonce: '0123456789abcdef', expiresAt: now + 60_000 })
  })

  it('is not read if there is none', () => {
    expect(read({ ...signed('ed25519'), headers: [] })).toBeUndefined()
  })

  it('is rejected with any one of 2,000 faults', () => {
    const random = createRandom(7)
    const good = Object.fromEntries(algorithms.map((algorithm) => [algorithm, signed(algorithm)]))
    const accepted = Array.from({ length: 2_000 }, (_, index) => {
      const sent = good[algorithms[index % 4] ?? ''] as Sent
      const fault = faults[Math.floor(index / 4) % faults.length]
      const changed = fault?.(sent, random) ?? sent
      const outcome = outcomeOf(changed)
      return outcome === 'signature_invalid' ? [] : [{ index, outcome, changed: changed.headers }]
    })
    expect(accepted.flat()).toEqual([])
  })

  it.each(Object.entries(unfit))('is rejected if it %s', (_, change) => {
    expect(outcomeOf(signed('ed25519', change))).toBe('signature_invalid')
  })

  it('counts from half a minute before its creation until it expires', () => {
    const sent = signed('ed25519')
    for (const [seconds, isRead] of [
      [-31, false],
      [-30, true],
      [0, true],
      [59, true],
      [60, false],
      [3_600, false],
    ] as const)
      expect([seconds, outcomeOf(sent, now + seconds * 1_000) !== 'signature_invalid']).toEqual([seconds, isRead])
  })

  it.each([
    ['a curve that is not accepted', generateKeyPairSync('ec', { namedCurve: 'secp256k1' })],
    ['too few bits', generateKeyPairSync('rsa', { modulusLength: 1_024 })],
    ['a kind that does not sign', generateKeyPairSync('x25519')],
  ])('is rejected if its key has %s', (_, { publicKey }) => {
    const spki = publicKey.export({ type: 'spki', format: 'der' })
    const parameters = (text: string) => text.replace(/keyid="\w+"/, `keyid="${sha256(spki, 'hex')}"`)
    expect(outcomeOf(signed('ed25519', { key: `:${spki.toString('base64')}:`, parameters }))).toBe('signature_invalid')
  })
})

describe('the package http-message-signatures', () => {
  it.each(algorithms)('signs requests that are accepted, with %s', async (algorithm) => {
    const spki = spkiOf(algorithm)
    const { headers } = await httpbis.signMessage(
      {
        key: { id: sha256(spki, 'hex'), alg: algorithm, sign: async (data) => signBase(algorithm, data) },
        name: 'other',
        fields: ['@method', '@target-uri', 'content-digest', 'countersign-key'],
        params: ['created', 'expires', 'nonce', 'keyid', 'alg', 'tag'],
        paramValues: {
          created: new Date(now),
          expires: new Date(now + 60_000),
          nonce: 'fedcba9876543210',
          tag: 'countersign-mint',
        },
      },
      {
        method: 'POST',
        url: publicUrl + path,
        headers: {
          'content-digest': `sha-512=:${createHash('sha512').update(body).digest('base64')}:`,
          'countersign-key': `:${spki.toString('base64')}:`,
        },
      },
    )
    const sent = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), String(value)])
    expect(read({ method: 'POST', url: path, body, headers: sent })).toMatchObject({ nonce: 'fedcba9876543210' })
  })

  it.each(algorithms)('accepts what requestSigner signs, with %s', async (algorithm) => {
    const { privateKey, publicKey } = pairs[algorithm]
    let headers = new Headers()
    const fetch = requestSigner({
      key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      fetch: async (_, init) => {
        headers = new Headers(init?.headers)
        return new Response()
      },
    })
    await fetch(publicUrl + path, { method: 'POST', body })
    const verify = async (data: Buffer, signature: Buffer) => isSignedBy(publicKey, algorithm, String(data), signature)
    expect(
      await httpbis.verifyMessage(
        { keyLookup: async ({ keyid }) => ({ id: String(keyid), algs: [algorithm], verify }) },
        { method: 'POST', url: publicUrl + path, headers: Object.fromEntries(headers) },
      ),
    ).toBe(true)
  })
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
  expect(isSignedBy(publicKey, algorithm, base, Buffer.from(signature, 'base64'))).toBe(true)
  expect(isSignedBy(publicKey, algorithm, `${base} `, Buffer.from(signature, 'base64'))).toBe(false)
})
