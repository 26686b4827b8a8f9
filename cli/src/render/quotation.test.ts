import { expect, it } from 'vitest'
import { widthOf } from '../io/width.ts'
import { quoteBlock, shownAddress } from './quotation.ts'

it.each([
  { name: 'words', text: 'It asked for my password.', rows: ['  │ It asked for', '  │ my password.'] },
  { name: 'lines', text: 'One\n\nTwo', rows: ['  │ One', '  │', '  │ Two'] },
  { name: 'a word that is too long', text: 'a'.repeat(20), rows: [`  │ ${'a'.repeat(14)}`, `  │ ${'a'.repeat(6)}`] },
  { name: 'letters of two columns', text: '日本語日本語日本語', rows: ['  │ 日本語日本語日', '  │ 本語'] },
  { name: 'what acts on a terminal', text: 'a\u001b[2J\u001b]0;x\u0007b\u202ec\rd', rows: ['  │ abcd'] },
])('keeps $name behind its bar, with no row wider than the terminal', ({ text, rows }) => {
  const shown = quoteBlock(text, 18).split('\n')
  expect(shown).toEqual(rows)
  expect(Math.max(...shown.map(widthOf))).toBeLessThanOrEqual(18)
})

it.each([
  { address: 'https://api.acme.example/v1', shown: 'https://api.acme.example/v1' },
  { address: 'https://www.\u043epen\u0430i.com/v1', shown: 'https://www.xn--peni-73d4f.com/v1' },
  { address: 'https://acme.example/✓ verified', shown: 'https://acme.example/%E2%9C%93%20verified' },
  { address: 'no address', shown: '“no address”' },
])('writes the address $address as $shown', ({ address, shown }) => {
  expect(shownAddress(address)).toBe(shown)
})
