import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Refusal } from '@countersign/sdk/contract'
import { requestSigner, type SignatureAlgorithm, signatureBase } from '@countersign/sdk/signer'
import { httpbis } from 'http-message-signatures'
import { afterAll, describe, expect, it } from 'vitest'
import { readSignature } from './signature.ts'
import { createSignatureCheck } from './signature-check.ts'
import { createKeyReader, isSignedBy } from './signature-keys.ts'

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

const readKey = createKeyReader()
const { isSigned, close } = createSignatureCheck()
afterAll(close)

const read = ({ method, url, headers, body }: Sent, at = now) =>
  readSignature(
    {
      method,
      url,
      rawHeaders: headers.flat(),
      headers: Object.fromEntries(headers),
      trailers: {},
    } as unknown as IncomingMessage,
    { body, publicUrl, now: at, readKey, isSigned },
  )

/** The code of the error, or what was read. */
const outcomeOf = async (sent: Sent, at?: number) => {
  try {
    return await read(sent, at)
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
  it.each(algorithms)('is read with %s, in any order of its components and parameters', async (algorithm) => {
    const fingerprint = sha256(spkiOf(algorithm), 'hex')
    const turned = signed(algorithm, {
      parameters: (text) => {
        const [list = '', ...parameters] = text.split(';')
        return [`(${list.slice(1, -1).split(' ').reverse().join(' ')})`, ...parameters.reverse()].join(';')
      },
    })
    for (const sent of [signed(algorithm), turned])
      expect(await read(sent)).toEqual({ fingerprint, nonce: '0123456789abcdef', expiresAt: now + 60_000 })
  })

  it('is undefined without its headers', async () => {
    expect(await read({ ...signed('ed25519'), headers: [] })).toBeUndefined()
  })

  it('is rejected with any one of 2,000 faults', async () => {
    const random = createRandom(7)
    const good = Object.fromEntries(algorithms.map((algorithm) => [algorithm, signed(algorithm)]))
    const accepted = Array.from({ length: 2_000 }, async (_, index) => {
      const sent = good[algorithms[index % 4] ?? ''] as Sent
      const fault = faults[Math.floor(index / 4) % faults.length]
      const changed = fault?.(sent, random) ?? sent
      const outcome = await outcomeOf(changed)
      return outcome === 'signature_invalid' ? [] : [{ index, outcome, changed: changed.headers }]
    })
    expect((await Promise.all(accepted)).flat()).toEqual([])
  })

  it.each(Object.entries(unfit))('is rejected if it %s', async (_, change) => {
    expect(await outcomeOf(signed('ed25519', change))).toBe('signature_invalid')
  })

  it('counts from half a minute before its creation until it expires', async () => {
    const sent = signed('ed25519')
    for (const [seconds, isRead] of [
      [-31, false],
      [-30, true],
      [0, true],
      [59, true],
      [60, false],
      [3_600, false],
    ] as const)
      expect([seconds, (await outcomeOf(sent, now + seconds * 1_000)) !== 'signature_invalid']).toEqual([
        seconds,
        isRead,
      ])
  })

  it.each([
    ['a curve that is not accepted', generateKeyPairSync('ec', { namedCurve: 'secp256k1' })],
    ['too few bits', generateKeyPairSync('rsa', { modulusLength: 1_024 })],
    ['a kind that does not sign', generateKeyPairSync('x25519')],
  ])('is rejected if its key has %s', async (_, { publicKey }) => {
    const spki = publicKey.export({ type: 'spki', format: 'der' })
    const parameters = (text: string) => text.replace(/keyid="\w+"/, `keyid="${sha256(spki, 'hex')}"`)
    expect(await outcomeOf(signed('ed25519', { key: `:${spki.toString('base64')}:`, parameters }))).toBe(
      'signature_invalid',
    )
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
    expect(await read({ method: 'POST', url: path, body, headers: sent })).toMatchObject({ nonce: 'fedcba9876543210' })
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
    const verify = async (data: Buffer, signature: Buffer) =>
      isSignedBy({ key: publicKey, algorithm }, String(data), signature)
    expect(
      await httpbis.verifyMessage(
        { keyLookup: async ({ keyid }) => ({ id: String(keyid), algs: [algorithm], verify }) },
        { method: 'POST', url: publicUrl + path, headers: Object.fromEntries(headers) },
      ),
    ).toBe(true)
  })
})
