import { expect, it } from 'vitest'
import { line, requiredText, text, wordList } from './fields.ts'

const breaks = ['\n', '\r\n', '\r', '\u2028', '\u2029', '\u0085']

it.each(breaks)('a line break (%j) in one line is a space, and no two words become one', (end) => {
  expect(line(100).parse(`First line${end}Second line`)).toBe('First line Second line')
})

it.each(breaks)('text keeps its line break (%j)', (end) => {
  expect(text(100).parse(`First line${end}Second line`)).toBe('First line\nSecond line')
  expect(requiredText(1, 100, 'Required').parse(`${end}First line${end}${end}Second line${end}`)).toBe('First line\n\nSecond line')
})

it('takes out what cannot be seen, of one line and of many', () => {
  expect(line(100).parse(' Ac\u200bme\u202e\tCo\u0000 ')).toBe('Acme Co')
  expect(text(100).parse(' Ac\u200bme\u202e\n\tCo\u0000 ')).toBe('Acme\n\tCo')
})

it.each([
  { given: 'SOC 2, ISO 27001', words: ['SOC 2', 'ISO 27001'] },
  { given: 'SOC 2\nISO 27001\r\n\r\nHIPAA,', words: ['SOC 2', 'ISO 27001', 'HIPAA'] },
  { given: ['ISO\n27001', ' ', 'SOC 2'], words: ['ISO 27001', 'SOC 2'] },
])('a list of words is read from $given', ({ given, words }) => {
  expect(wordList(5).parse(given)).toEqual(words)
})
