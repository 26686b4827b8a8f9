import { domainToASCII, domainToUnicode } from 'node:url'
import { describe, expect, it } from 'vitest'
import { domainWords, nearKeys, nearProbes } from './keys.ts'
import { nearDomain, nearName } from './names.ts'
import { decodeLabel } from './punycode.ts'

describe('a domain near yours', () => {
  it.each([
    { candidate: 'northwind.example', near: 'same' },
    { candidate: 'API.Northwind.example', near: 'same' },
    { candidate: 'northwind.net', near: 'other_ending' },
    { candidate: 'northwind.co.uk', near: 'other_ending' },
    { candidate: 'northvvind.example', near: 'lookalike' },
    { candidate: 'nortbwind.example', near: 'typo' },
    { candidate: 'n0rthw1nd.example', near: 'lookalike' },
    { candidate: domainToASCII('n\u043erthwind.example'), near: 'lookalike' },
    { candidate: domainToASCII('nꬽꭇthwind.example'), near: 'lookalike' },
    { candidate: 'north-wind.example', near: 'lookalike' },
    { candidate: 'northwnid.example', near: 'typo' },
    { candidate: 'nothwind.example', near: 'typo' },
    { candidate: 'northwindd.net', near: 'typo' },
    { candidate: 'northwind-login.example', near: 'added_words' },
    { candidate: 'mynorthwind.net', near: 'added_words' },
    { candidate: 'northwind.hosting.net', near: 'added_words' },
    { candidate: 'north.wind.net', near: 'added_words' },
    { candidate: 'eastwind.example', near: undefined },
    { candidate: 'acme.example', near: undefined },
    { candidate: 'nor.example', near: undefined },
  ])('$candidate: $near', ({ candidate, near }) => {
    expect(nearDomain(candidate, 'northwind.example')).toBe(near)
  })

  it.each([
    'acme\uff0eexample',
    'acme\u3002example',
    'acme,example',
    'https://acme.example/login',
    'acme.example:443',
    'acme.example\u200b',
  ])('is found although no registry would prove it: %s', (candidate) => {
    expect(nearDomain(candidate, 'acme.example')).toBeDefined()
  })

  it.each([
    { candidate: 'acmes.example', near: undefined },
    { candidate: 'acmelogin.example', near: undefined },
    { candidate: 'acrne.example', near: 'lookalike' },
    { candidate: 'acme.net', near: 'other_ending' },
  ])('with a short label is compared whole: $candidate, $near', ({ candidate, near }) => {
    expect(nearDomain(candidate, 'acme.example')).toBe(near)
  })
})

it.each([
  { candidate: 'Northwind Labs', near: 'added_words' },
  { candidate: 'NORTHWIND', near: 'same' },
  { candidate: 'Nοrthwind', near: 'lookalike' },
  { candidate: 'north-wind', near: 'lookalike' },
  { candidate: 'Acme', near: undefined },
  { candidate: '', near: undefined },
  { candidate: '—', near: undefined },
])('the name $candidate is near Northwind: $near', ({ candidate, near }) => {
  expect(nearName(candidate, 'Northwind')).toBe(near)
})

it('shares a key with a name that ends the longest one that a registry accepts', () => {
  const long = `${'An assistant for regulated industries and their customers, '.repeat(3).slice(0, 102)}by Northwind Labs`
  expect(long).toHaveLength(119)
  const probes = new Set(nearProbes(long))
  expect([nearName(long, 'Northwind Labs'), nearKeys('Northwind Labs').some((key) => probes.has(key))]).toEqual([
    'added_words',
    true,
  ])
})

it.each(['xn--mnchen-3ya', 'xn--fiqs8s', 'xn--80ak6aa92e', 'plain', 'xn--', 'xn--!'])(
  'decodes %s as Node does',
  (label) => {
    expect(decodeLabel(label)).toBe(domainToUnicode(`${label}.example`).replace(/\.example$/, '') || label)
  },
)

describe('the names that generators of lookalike domains make', () => {
  /** Small forms of the kinds that dnstwist makes; tests/vectors/lookalike-domains.test.ts uses dnstwist itself. */
  const variantsOf = (label: string): string[] => {
    const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
    const at = (make: (index: number) => string[]) =>
      Array.from({ length: label.length }, (_, index) => index).flatMap(make)
    const cut = (index: number, by: string, width = 1) => label.slice(0, index) + by + label.slice(index + width)
    return [
      ...[...letters].map((letter) => label + letter),
      ...at((index) => [...letters].map((letter) => cut(index, letter))),
      ...at((index) => [...letters].map((letter) => cut(index, letter, 0))),
      ...at((index) => [cut(index, '')]),
      ...at((index) => [cut(index, `${label[index + 1] ?? ''}${label[index]}`, 2)]),
      ...at((index) => (index === 0 ? [] : [cut(index, '-', 0)])),
      ...['login', 'secure', 'support', 'ai'].flatMap((word) => [
        `${label}${word}`,
        `${label}-${word}`,
        `${word}-${label}`,
      ]),
    ]
  }
  const labels = ['northwind', 'contoso', 'fabrikam', 'tailspin', 'litware', 'wingtip', 'proseware', 'adatum']

  it('are near, at least 99 of 100', () => {
    const all = labels.flatMap((label) => variantsOf(label).map((variant) => ({ label, variant })))
    const missed = all.filter(({ label, variant }) => !nearDomain(`${variant}.example`, `${label}.example`))
    expect(all.length).toBeGreaterThan(4_000)
    expect(missed.length / all.length).toBeLessThan(0.01)
  })

  it('share a key with each name that they are near', { timeout: 30_000 }, () => {
    const isFound = (candidate: string, own: string) => {
      const keys = new Set(nearKeys(domainWords(own).name))
      return domainWords(candidate).all.some((word) => nearProbes(word).some((probe) => keys.has(probe)))
    }
    const all = labels.flatMap((label) =>
      variantsOf(label).flatMap((variant, index) => {
        const again = variantsOf(variant)
        return [variant, again[(index * 37) % again.length] ?? ''].map((each) => ({ label, variant: each }))
      }),
    )
    const near = all
      .filter((_, index) => index % 3 === 0)
      .filter(({ label, variant }) => nearDomain(`${variant}.example`, `${label}.example`))
    expect(near.length).toBeGreaterThan(2_000)
    expect(near.filter(({ label, variant }) => !isFound(`${variant}.example`, `${label}.example`))).toEqual([])
    expect(isFound('n\u043erthwind.example', 'northwind.example')).toBe(true)
    expect(isFound('acrne.net', 'acme.example')).toBe(true)
    expect(isFound('eastwind.example', 'northwind.example')).toBe(false)
    expect(Math.max(...labels.map((label) => nearKeys(label).length))).toBeLessThanOrEqual(60)
  })

  it('are near other names in at most 1 of 100 cases', () => {
    const syllables = [
      'ba',
      'ce',
      'di',
      'fo',
      'gu',
      'ka',
      'le',
      'mi',
      'no',
      'pu',
      'ra',
      'se',
      'ti',
      'vo',
      'wu',
      'za',
      'nor',
      'win',
      'tel',
    ]
    const names = syllables.flatMap((a) => syllables.flatMap((b) => syllables.map((c) => `${a}${b}${c}`)))
    const few = labels.slice(0, 2)
    const found = few.flatMap((label) => names.filter((name) => nearDomain(`${name}.example`, `${label}.example`)))
    expect(found.length / (names.length * few.length)).toBeLessThan(0.01)
  })
})
