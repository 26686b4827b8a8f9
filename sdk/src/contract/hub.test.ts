import { expect, it } from 'vitest'
import { languageText, paperUrl } from './hub.ts'

it.each([
  { codes: ['en'], text: 'English' },
  { codes: ['en', 'nb', 'en'], text: 'English, Norwegian Bokmål' },
  { codes: ['multilingual'], text: 'multilingual' },
  { codes: ['code'], text: 'code' },
  { codes: ['\u202e<b>', 'x y'], text: 'b, x y' },
  { codes: [], text: undefined },
  { codes: [''], text: undefined },
])('describes the languages $codes as $text', ({ codes, text }) => {
  expect(languageText(codes)).toBe(text)
})

it('shortens a list of a hundred languages and says how many are missing', () => {
  const codes = Array.from({ length: 100 }, (_, index) => `language number ${index}`)
  const text = languageText(codes) ?? ''
  expect(text.length).toBeLessThanOrEqual(120)
  const named = text.split(' and ')[0]?.split(', ').length ?? 0
  expect(text).toMatch(new RegExp(` and ${100 - named} more$`))
})

it.each([
  { tags: ['pytorch', 'arxiv:2307.09288', 'arxiv:1910.09700'], url: 'https://arxiv.org/abs/2307.09288' },
  { tags: ['arxiv:../../x', 'license:mit'], url: undefined },
  { tags: [], url: undefined },
])('finds the paper of $tags: $url', ({ tags, url }) => {
  expect(paperUrl(tags)).toBe(url)
})
