import { describe, expect, it } from 'vitest'
import {
  documentOfModel,
  documentOfProvider,
  fold,
  isSamePlace,
  listQueryOf,
  movesAt,
  placeOf,
  ranked,
  searchQueryOf,
  standingOf,
  textQueryOf,
  titleOf,
  yearOf,
} from './rules.ts'

const provider = {
  id: 'prv_1',
  company_name: 'Acme Labs',
  description: 'Maps.',
  domain: 'acme.example',
  domain_verified_at: 1,
  industry: null,
  hq_city: 'Oslo',
  hq_state: null,
  hq_country: null,
  opened_count: 0,
  created_at: Date.UTC(2026, 0, 1),
}

describe('folded text ignores', () => {
  it.each([
    { what: 'case', text: 'ATLAS Chat', folded: 'atlas chat' },
    { what: 'accents', text: 'Café São', folded: 'cafe sao' },
    { what: 'accents that are characters of their own', text: 'Cafe\u0301', folded: 'cafe' },
    { what: 'width', text: 'ＡＢＣ１', folded: 'abc1' },
    { what: 'ligatures', text: 'ﬁne ĳ', folded: 'fine ij' },
    { what: 'letters that only some have', text: 'Straße Ørsted Æther Łódź', folded: 'strasse orsted aether lodz' },
    { what: 'forms at the end of a word', text: 'ΛΌΓΟΣ λόγος', folded: 'λογοσ λογοσ' },
    { what: 'the dot of a Turkish capital', text: 'İstanbul ılık', folded: 'istanbul ilik' },
    { what: 'punctuation', text: ' gpt-4.1_mini (new!) ', folded: 'gpt 4 1 mini new' },
    { what: 'signs of the index', text: '¶a|§b', folded: 'a b' },
    { what: 'anything, where there are no letters', text: '%_*"-🙂', folded: '' },
    { what: 'halves of characters', text: 'a\ud800b', folded: 'a b' },
  ])('$what', ({ text, folded }) => {
    expect(fold(text)).toBe(folded)
    expect(fold(folded)).toBe(folded)
  })
})

describe('a query', () => {
  it.each([
    { text: 'Atlas', terms: ['atlas*'], key: '¶atlas', part: 'atlas' },
    { text: 'at', terms: ['at*'], key: '¶at', part: null },
    { text: 'gpt-4', terms: ['gpt*', '4'], key: '¶gpt4', part: null },
    { text: '日本', terms: ['日本*'], key: '¶日本', part: null },
    { text: '𝒶𝒷𝒸', terms: ['abc*'], key: '¶abc', part: 'abc' },
  ])(
    '$text is searched by words, by the beginning of a name, and if it has three characters by any part of one',
    ({ text, terms, key, part }) => {
      const query = textQueryOf(text)
      expect(query?.terms.map(({ text: term, isPrefix }) => `${term}${isPrefix ? '*' : ''}`)).toEqual(terms)
      expect(query).toMatchObject({ key, part })
    },
  )

  it('is bounded for any input', () => {
    const long = textQueryOf('word '.repeat(40))
    expect(long?.terms).toHaveLength(8)
    const rare = textQueryOf(`a${'\u{20000}'.repeat(60)}`)
    expect(rare?.terms[0]?.text.isWellFormed()).toBe(true)
    const wide = textQueryOf('ﷺ'.repeat(200))
    expect(Math.max(...(wide?.terms ?? []).map(({ text }) => text.length))).toBeLessThanOrEqual(16)
    expect(wide?.key?.length).toBeLessThanOrEqual(61)
  })

  it.each(['', ' ', 'a', ' a ', '!!', 'a!', '"', '🙂🙂'])('finds nothing for %j', (text) => {
    expect(searchQueryOf(text)).toBeUndefined()
  })

  it('of a list may be a letter, a place, both or neither', () => {
    expect(listQueryOf(undefined, undefined)).toBe('everything')
    expect(listQueryOf('a', undefined)).toMatchObject({ terms: [{ text: 'a', isPrefix: false }], key: '¶a' })
    expect(listQueryOf('!', undefined)).toBe('nothing')
    expect(listQueryOf('acme', '?')).toBe('nothing')
    expect(listQueryOf('?', 'Oslo')).toBe('nothing')
    expect(listQueryOf('acme', 'Oslo')).toEqual({
      terms: [
        { text: 'acme', isPrefix: true },
        { text: '§oslo', isPrefix: true },
      ],
      key: null,
      part: null,
    })
  })
})

describe('what is indexed', () => {
  it('of a provider: its names, its proven domain among them, its words and its place', () => {
    const proven = documentOfProvider(provider)
    expect(proven.names).toBe('acme labs|acme example|acme')
    expect(proven.words.split(' ')).toEqual(
      expect.arrayContaining(['acme', 'labs', 'maps', '¶acmelabs', '¶acmeexample', '¶acme', '§oslo']),
    )
    const claimed = documentOfProvider({ ...provider, domain_verified_at: null })
    expect(claimed.names).toBe('acme labs')
    expect(claimed.words.split(' ')).toContain('example')
    expect(claimed.words).not.toContain('¶acme ')
  })

  it('of a model: its three names once each, and words of its provider', () => {
    const { names, words } = documentOfModel({
      id: 'mdl_1',
      display_name: 'GPT-4',
      model_name: 'gpt 4',
      api_model_identifier: 'gpt-4-0613',
      family_name: null,
      description: 'Answers.',
      opened_count: 0,
      created_at: 0,
      company_name: 'Acme',
      domain: 'acme.example',
      domain_verified_at: null,
    })
    expect(names).toBe('gpt 4|gpt 4 0613')
    expect(words.split(' ').sort()).toEqual(['0613', '4', 'acme', 'answers', 'gpt', '¶gpt4', '¶gpt40613'])
  })
})

describe('the place of a row', () => {
  const base = { id: 'prv_aaaaaaaa', domain_verified_at: 1, opened_count: 0, created_at: Date.UTC(2026, 0, 1) }

  it.each([
    {
      better: {},
      worse: { domain_verified_at: null, opened_count: 2 ** 40 },
      why: 'a proven domain before any popularity',
    },
    { better: { opened_count: 3 }, worse: { opened_count: 2 }, why: 'twice as many openings' },
    { better: { opened_count: 1 }, worse: { opened_count: 0, created_at: 0 }, why: 'one opening before any age' },
    { better: {}, worse: { created_at: base.created_at + 1 }, why: 'the older of two' },
  ])('is better for $why', ({ better, worse }) => {
    expect(placeOf({ ...base, ...better })).toBeLessThan(placeOf({ ...base, ...worse }))
  })

  it('is exact, and stays within a group of a hundred', () => {
    for (const row of [
      base,
      { ...base, domain_verified_at: null, created_at: Date.UTC(2090, 0, 1) },
      { ...base, opened_count: 1e15, created_at: 0 },
    ]) {
      expect(Number.isSafeInteger(placeOf(row))).toBe(true)
      expect(placeOf(row)).toBeGreaterThanOrEqual(0)
    }
    expect(isSamePlace(placeOf(base), placeOf({ ...base, id: 'prv_bbbbbbbb', opened_count: 0 }))).toBe(true)
    expect(isSamePlace(placeOf(base), placeOf({ ...base, opened_count: 1 }))).toBe(false)
  })

  it('changes only after a few numbers of openings, and is saved each time', () => {
    const moving = Array.from({ length: 1_000 }, (_, count) => count).filter(movesAt)
    expect(moving).toEqual([1, 3, 7, 15, 31, 63, 127, 255, 511])
    for (let count = 1; count < 1_000; count++)
      expect(movesAt(count)).toBe(
        !isSamePlace(placeOf({ ...base, opened_count: count }), placeOf({ ...base, opened_count: count - 1 })),
      )
  })
})

it('ranks exact names, then beginnings, words, parts and the rest; proven before unproven, also across exact and beginning', () => {
  const query = textQueryOf('atlas')
  if (!query) throw new Error('no query')
  const rows = [
    { names: 'other', isProven: true, as: 'elsewhere' },
    { names: 'xatlasx', isProven: false, as: 'part, unproven' },
    { names: 'xatlas', isProven: true, as: 'part' },
    { names: 'the atlas', isProven: false, as: 'word, unproven' },
    { names: 'the atlas', isProven: true, as: 'word' },
    { names: 'atlas two', isProven: false, as: 'beginning, unproven' },
    { names: 'at las', isProven: false, as: 'exact, unproven' },
    { names: 'atlas two', isProven: true, as: 'beginning' },
    { names: 'first|atlas', isProven: true, as: 'exact' },
  ].map((row, index) => ({
    ...row,
    place: placeOf({ id: `x${index}`, opened_count: 0, created_at: 0, domain_verified_at: row.isProven ? 1 : null }),
  }))
  expect(ranked(rows, query).map(({ as }) => as)).toEqual(rows.map(({ as }) => as).reverse())
})

it('sorts lists by folded names, and reads years', () => {
  expect([titleOf('Ätna'), titleOf(null), titleOf('x'.repeat(300)).length]).toEqual(['atna', '', 80])
  expect([standingOf(provider), standingOf({ company_name: 'B', domain_verified_at: null })]).toEqual([
    '0acme labs',
    '1b',
  ])
  expect(['2026', '2026-05-01', null, 'soon'].map(yearOf)).toEqual([2026, 2026, 0, 0])
})
