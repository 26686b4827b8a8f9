import { expect, it } from 'vitest'
import { cleanLine, cleanText } from './text.ts'

it.each([
  { name: 'a paragraph', text: 'A model.\n\nFor chats.', cleaned: 'A model.\n\nFor chats.' },
  { name: 'two empty lines', text: 'A model.\n\n\nFor chats.', cleaned: 'A model.\n\nFor chats.' },
  { name: 'many line breaks', text: `A model.${'\r\n'.repeat(60)}Checked by us`, cleaned: 'A model.\n\nChecked by us' },
  { name: 'lines of spaces', text: 'A model.\n \n\t\n\u3000\n  Checked', cleaned: 'A model.\n\n  Checked' },
  { name: 'lines of invisible letters', text: 'A model.\n\u200b\n\u2060\nChecked', cleaned: 'A model.\n\nChecked' },
])('keeps at most one empty line in a text with $name', ({ text, cleaned }) => {
  expect(cleanText(text)).toBe(cleaned)
})

it('cleans a long text of line breaks in time', () => {
  expect(cleanText(`${'\n '.repeat(100_000)}.`)).toBe('.')
})

it('turns every kind of space in a line into a plain one', () => {
  expect(cleanLine('\u00a0a\u00a0b\u2007c\u202fd\u3000e\r\nf\u0085g\th\ufeffi\u3000')).toBe('a b c d e f g hi')
})
