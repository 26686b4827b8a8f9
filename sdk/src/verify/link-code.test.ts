import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { vectors as published } from '../testing/vectors.ts'
import { createLinkCode } from './create-link-code.ts'
import { formatLinkCode, readLink } from './link-code.ts'

const { linkCodes: vectors } = published
const symbols = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** An address with a code, as printed or not, alone and in a sentence. */
const texts = (address: string) =>
  [vectors.code, formatLinkCode(vectors.code)].flatMap((code) => {
    const link = address.replace('CODE', code)
    return [link, `My link: ${link}.`, `**${link}**`]
  })

const anyCode = fc
  .tuple(fc.integer({ min: 0, max: 4_102_444_800_000 }), fc.uint8Array({ minLength: 8, maxLength: 8 }))
  .map(([at, random]) => createLinkCode(at, random))

describe('making a link code', () => {
  it.each(vectors.good)('makes $code from $at and $random', ({ at, random, code }) => {
    expect(createLinkCode(Date.parse(at), Buffer.from(random, 'hex'))).toBe(code)
  })

  it('starts all codes of the same quarter of an hour alike', () => {
    const prefix = (at: string, random: number) =>
      createLinkCode(Date.parse(at), new Uint8Array(8).fill(random)).slice(0, 2)
    expect(prefix('2026-11-20T10:15:00.000Z', 1)).toBe(prefix('2026-11-20T10:29:59.999Z', 2))
    expect(prefix('2026-11-20T10:15:00.000Z', 1)).not.toBe(prefix('2026-11-20T10:30:00.000Z', 1))
  })

  it('uses sixty random bits: each of them changes the code', () => {
    const codes = new Set(
      Array.from({ length: 60 }, (_, bit) => {
        const random = new Uint8Array(8)
        random[bit >> 3] = 0x80 >> (bit & 7)
        return createLinkCode(0, random)
      }),
    )
    expect(codes.size).toBe(60)
  })

  it('rejects too little randomness', () => {
    expect(() => createLinkCode(0, new Uint8Array(7))).toThrow(RangeError)
  })
})

describe('reading a link', () => {
  it.each(vectors.spellings)('reads $name', ({ input, code, origin }) => {
    expect(readLink(input)).toEqual({ kind: 'code', code, origin })
  })

  it.each(vectors.foreign)('detects $name', ({ input, origin }) => {
    expect(readLink(input)).toEqual({ kind: 'code', code: vectors.code, origin })
  })

  it.each([
    'evil.example/v/CODE',
    'evil.example:8443/v/CODE',
    'evil.example/verify/CODE',
    '//evil.example/v/CODE',
    'evil.example/v/x?next=https://registry.example/v/CODE',
    'https://ok.example, or evil.example/v/CODE',
  ])('reads the host of %s', (address) => {
    const host = address.includes('8443') ? 'evil.example:8443' : 'evil.example'
    for (const text of texts(address)) expect(readLink(text)).toMatchObject({ origin: `https://${host}` })
  })

  it.each([
    'ftp://registry.example/v/CODE',
    'hxxps://registry.example/v/CODE',
    'hxxps[:]//evil[.]example/v/CODE',
    'https:evil.example/v/CODE',
    'https:/evil.example/v/CODE',
    'https:\\\\evil.example\\v\\CODE',
    '\\\\evil.example\\v\\CODE',
    'javascript:evil/v/CODE',
    'a@evil.example/v/CODE',
    'a:b@evil.example/v/CODE',
    'registry.example@evil.example/v/CODE',
    'mailto:a@evil.example/v/CODE',
    'evil_host.example/v/CODE',
    'evíl.example/v/CODE',
    'evil.example:99999/v/CODE',
    'evil.example／v／CODE',
    'evil.example/x/v/CODE',
    'evil.example/CODE',
    'evil.example?code=CODE',
    'evil.example#CODE',
    'evil.example/?next=https://registry.example/v/CODE',
    '/v/CODE',
  ])('never takes the code in %s for a code of this registry', (address) => {
    for (const text of texts(address)) expect(readLink(text)).toEqual({ kind: 'malformed', origin: null })
  })

  it.each(['<code>CODE</code>', 'code=CODE', 'code: CODE', '#CODE', 'yes and/or no: CODE', '&lt;CODE&gt;'])(
    'reads %s as a code',
    (spelling) => {
      expect(readLink(spelling.replace('CODE', vectors.code))).toEqual({
        kind: 'code',
        code: vectors.code,
        origin: null,
      })
    },
  )

  it.each(vectors.malformed)('calls $name malformed', ({ input }) => {
    expect(readLink(input)).toMatchObject({ kind: 'malformed' })
  })

  it.each(Object.entries(vectors.mistyped))('calls %s mistyped', (_, inputs) => {
    const misread = inputs.filter((input) => readLink(input).kind !== 'mistyped')
    expect(inputs).not.toHaveLength(0)
    expect(misread).toEqual([])
  })

  it('reads any code in any mix of spellings', () => {
    const spelling = fc.record({
      separator: fc.constantFrom('', '-', ' ', '_', '–', ' - ', '\u200b'),
      lower: fc.boolean(),
      letters: fc.boolean(),
      wrap: fc.constantFrom(
        ...['%', '"%"', '`%`', '**%**', '(%).', ' % ', 'https://r.example/v/%', '[x](https://r.example/verify/%)'],
      ),
    })
    fc.assert(
      fc.property(anyCode, spelling, (code, { separator, lower, letters, wrap }) => {
        const grouped = formatLinkCode(code).replaceAll('-', separator)
        const spelled = letters ? grouped.replaceAll('0', 'O').replaceAll('1', 'l') : grouped
        expect(readLink(wrap.replace('%', lower ? spelled.toLowerCase() : spelled))).toMatchObject({
          kind: 'code',
          code,
        })
      }),
      { numRuns: 2_000 },
    )
  })

  it('calls any code with one or two wrong symbols mistyped', () => {
    const position = fc.integer({ min: 0, max: 15 })
    const shift = fc.integer({ min: 1, max: 31 })
    const spoil = (code: string, at: number, by: number) =>
      code.slice(0, at) + symbols[(symbols.indexOf(code[at] ?? '') + by) % 32] + code.slice(at + 1)
    fc.assert(
      fc.property(anyCode, position, shift, position, shift, (code, first, by, second, also) => {
        const wrong = first === second ? spoil(code, first, by) : spoil(spoil(code, first, by), second, also)
        return readLink(wrong).kind === 'mistyped'
      }),
      { numRuns: 5_000 },
    )
  })

  it('finds a token in a link, in a sentence and after Bearer', () => {
    const token = `eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiJodHRwczovL3IifQ.${'s'.repeat(86)}`
    const origin = 'https://r.example'
    expect(readLink(token)).toEqual({ kind: 'token', token, origin: null })
    expect(readLink(`Bearer ${token}`)).toEqual({ kind: 'token', token, origin: null })
    expect(readLink(`  "${token}".`)).toEqual({ kind: 'token', token, origin: null })
    expect(readLink(`My token is ${token}, check it`)).toEqual({ kind: 'token', token, origin: null })
    expect(readLink(`${origin}/verify/${token}?x=1`)).toEqual({ kind: 'token', token, origin })
    expect(readLink(`[check](${origin}/api/v1/jwt/verify/${token})`)).toEqual({ kind: 'token', token, origin })
  })

  it('returns a result for any text', () => {
    // Including half a surrogate pair, which no Unicode text has.
    const anyCharacter = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code))
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (text) =>
        ['code', 'token', 'mistyped', 'malformed'].includes(readLink(text).kind),
      ),
      { numRuns: 2_000 },
    )
  })

  it.each([
    'eyJ',
    '[',
    '[](',
    'http://',
    'a-',
    'abcd-',
    '%41',
    '!',
    'a ',
    'a.',
    '/v/',
    'x/v/ ',
    'https://a/v/A ',
    '.',
    '\u200b',
    '\ufdfa',
    'a',
  ])('reads 4096 characters of %j in time', (part) => {
    const text = part.repeat(4_096).slice(0, 4_096)
    readLink(text)
    const startedAt = performance.now()
    for (let round = 0; round < 5; round++) readLink(text)
    // A linear scan takes about 3 ms; a quadratic one takes seconds.
    expect((performance.now() - startedAt) / 5).toBeLessThan(150)
  })
})
