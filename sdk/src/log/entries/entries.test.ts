import { describe, expect, it } from 'vitest'
import { LogError } from '../bytes.ts'
import { canonicalJson, type JsonValue, parseCanonicalJson } from './canonical-json.ts'
import { hideText } from './commitment.ts'
import { formatEntry, hideEntry, isDisclosed, type OpenEntry, parseEntry } from './entries.ts'
import { readFact } from './fact.ts'

const salt = new Uint8Array(32).fill(7)
const otherSalt = new Uint8Array(32).fill(8)
const at = '2026-11-23T04:00:00.000Z'
const proven: OpenEntry = {
  v: 1,
  type: 'domain.proven',
  at,
  provider: 'prv_1',
  domain: 'acme.example',
  method: 'dns',
  company_name: hideText('company_name', 'Acme', salt),
}

describe('canonical JSON', () => {
  it('is the example of RFC 8785 §3.2.2', () => {
    const text =
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}'
    expect(canonicalJson(JSON.parse(text))).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
  })

  it('sorts members by UTF-16 code units, as in RFC 8785 §3.2.3', () => {
    const members = { '€': 1, '\r': 2, '\ufb33': 3, '1': 4, '😀': 5, '\u0080': 6, ö: 7 }
    expect([...canonicalJson(members).matchAll(/:(\d)/g)].map(([, value]) => value).join('')).toBe('2467153')
  })

  it.each([' {}', '{"b":1,"a":1}', '{"a":1,"a":1}', '1.0', '"\\u0041"', '[1, 2]', 'nothing'])(
    'does not read %s',
    (text) => {
      expect(() => parseCanonicalJson(text)).toThrow(/canonical JSON|Not JSON/)
    },
  )

  it('has no lone surrogates and no infinities', () => {
    expect(() => canonicalJson('\ud800')).toThrow('surrogate')
    expect(() => canonicalJson(Number.POSITIVE_INFINITY)).toThrow('canonical')
  })
})

describe('an entry', () => {
  it('is read as it was written', () => {
    expect(parseEntry(formatEntry(proven))).toEqual(proven)
    const hidden = hideEntry(proven, salt)
    expect(parseEntry(formatEntry(hidden))).toEqual(hidden)
    expect(Object.keys(hidden).sort()).toEqual(['at', 'private', 'type', 'v'])
  })

  it.each([
    { name: 'of another version', entry: { ...proven, v: 2 } },
    { name: 'of an unknown type', entry: { ...proven, type: 'domain.bought' } },
    { name: 'of an inherited type', entry: { ...proven, type: 'constructor' } },
    { name: 'without a field', entry: { ...proven, domain: undefined } },
    { name: 'with a field too many', entry: { ...proven, email: 'a@acme.example' } },
    { name: 'with a name in clear', entry: { ...proven, company_name: 'Acme' } },
    { name: 'with an empty text', entry: { ...proven, domain: '' } },
    { name: 'with a time without milliseconds', entry: { ...proven, at: '2026-11-23T04:00:00Z' } },
    { name: 'with a day that does not exist', entry: { ...proven, at: '2026-02-30T04:00:00.000Z' } },
    { name: 'of more than 1 kB', entry: { ...proven, domain: 'a'.repeat(1_000) } },
    { name: 'both private and open', entry: { ...proven, private: hideEntry(proven, salt).private } },
  ])('$name is rejected', ({ entry }) => {
    expect(() => formatEntry(JSON.parse(JSON.stringify(entry)))).toThrow(/entry|domain\.proven/)
  })

  it.each([
    { name: 'not UTF-8', leaf: Uint8Array.of(0xff) },
    { name: 'a byte order mark', leaf: Buffer.from(`\ufeff${canonicalJson({ ...proven })}`) },
    { name: 'a list', leaf: Buffer.from('[]') },
  ])('is not $name', ({ leaf }) => {
    expect(() => parseEntry(leaf)).toThrow(Error)
  })
})

describe('a disclosure', () => {
  const hidden = hideEntry(proven, salt)
  const whole = canonicalJson({ ...proven })

  it.each([
    { name: 'the text of its field', entry: proven, field: 'company_name', value: 'Acme', used: salt, expected: true },
    { name: 'another text', entry: proven, field: 'company_name', value: 'Acme2', used: salt, expected: false },
    { name: 'another salt', entry: proven, field: 'company_name', value: 'Acme', used: otherSalt, expected: false },
    { name: 'another field', entry: proven, field: 'domain', value: 'acme.example', used: salt, expected: false },
    { name: 'a short salt', entry: proven, field: 'company_name', value: 'Acme', used: salt.slice(1), expected: false },
    { name: 'a private entry', entry: hidden, field: 'private', value: whole, used: salt, expected: true },
    { name: 'another private entry', entry: hidden, field: 'private', value: `${whole} `, used: salt, expected: false },
  ])('of $name: $expected', ({ entry, field, value, used, expected }) => {
    expect(isDisclosed(entry, { field, salt: used, value })).toBe(expected)
  })
})

describe('an entry that a link rests on', () => {
  const [provider, model, deployment] = ['prv_1', 'mdl_1', 'dep_1']
  const hash = hideText('x', 'x', salt)
  const named = { identifier: hash, version: hash, display_name: hash }
  const entries = [
    proven,
    { v: 1, type: 'version.registered', at, provider, model, digest: null, ...named },
    { v: 1, type: 'version.edited', at, provider, model, digest: 'sha256:a', ...named },
    { v: 1, type: 'deployment.authorized', at, provider, deployment, model, spki: null },
    {
      v: 1,
      type: 'platform.trusted',
      at,
      provider,
      deployment,
      workload: 'w',
      issuer: 'i',
      subject: hash,
      claims: hash,
    },
    { v: 1, type: 'registry_key.added', at, kid: 'k', x: 'x' },
    { v: 1, type: 'log_key.successor', at, vkey: 'é"\\\u0001' },
  ] satisfies OpenEntry[]
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const readLeaf = (leaf: Uint8Array) => readFact(decoder.decode(leaf))
  const reads = (read: (leaf: Uint8Array) => unknown, leaf: Uint8Array) => {
    try {
      return read(leaf)
    } catch (error) {
      expect(error).toBeInstanceOf(LogError)
      return 'rejected'
    }
  }

  it.each(entries)('of type $type is read as an auditor reads it, however it is changed', (entry) => {
    const given: Record<string, unknown> = { ...entry }
    const values = [
      undefined,
      null,
      '',
      'a',
      0,
      1,
      2,
      true,
      [],
      {},
      ['a'],
      at,
      hash,
      `${hash}=`,
      '\ud800',
      'a'.repeat(1_024),
    ]
    const texts = [
      ...[...Object.keys(given), 'extra', 'private', '__proto__', 'constructor'].flatMap((name) =>
        values.map((value) => JSON.stringify(Object.fromEntries(Object.entries({ ...given, [name]: value }).sort()))),
      ),
      ...['domain.proven', 'version.edited', 'toString'].map((type) => JSON.stringify({ ...given, type })),
      JSON.stringify(given),
    ]
    // One name that reads like two.
    const names = Object.keys(given).sort()
    for (const [place, name] of names.slice(1).entries()) {
      const { [names[place] ?? '']: first, [name]: second, ...rest } = given
      for (const value of [first, second, hash])
        texts.push(
          JSON.stringify(Object.fromEntries(Object.entries({ ...rest, [`${names[place]} ${name}`]: value }).sort())),
        )
    }
    // A type that reads like a type and its fields.
    const { v, at: time, type, ...facts } = given
    for (const count of Object.keys(facts).sort().keys()) {
      const own = Object.entries(facts).sort()
      const inType = own.slice(0, count + 1).map(([name]) => name)
      texts.push(
        JSON.stringify(
          Object.fromEntries(
            Object.entries({
              ...Object.fromEntries(own.slice(count + 1)),
              at: time,
              type: [type, ...inType].join(' '),
              v,
            }).sort(),
          ),
        ),
      )
    }
    const whole = canonicalJson(given as JsonValue)
    texts.push(...[...whole].map((_, index) => whole.slice(0, index) + whole.slice(index + 1)))
    texts.push(
      ` ${whole}`,
      `\ufeff${whole}`,
      whole.replace('}', ',"v":1}'),
      'null',
      '[]',
      '1',
      '"a"',
      whole.replace('v', '\\u0076'),
    )
    const leaves = [...texts.map((text) => Buffer.from(text)), Buffer.from(`${whole.slice(0, -1)}\xff}`, 'latin1')]
    expect(readFact(whole)).toEqual(given)
    for (const leaf of leaves) {
      const expected = reads(parseEntry, leaf)
      const isOther = expected !== 'rejected' && 'private' in (expected as object)
      expect(reads(readLeaf, leaf), leaf.toString()).toEqual(isOther ? 'rejected' : expected)
    }
  })

  it('is rejected if its type is unknown', () => {
    const other = formatEntry({ v: 1, type: 'provider.deleted', at, provider })
    expect(() => readLeaf(other)).toThrow(LogError)
  })
})
