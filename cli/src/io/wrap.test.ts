import { expect, it } from 'vitest'
import { wrap } from './wrap.ts'

it.each([
  { line: 'one two three', columns: undefined, shown: 'one two three' },
  { line: 'one two three', columns: 13, shown: 'one two three' },
  { line: 'one two three', columns: 12, shown: 'one two\nthree' },
  { line: '  - one two three', columns: 9, shown: '  - one\n    two\n    three' },
  { line: 'averylongword and more', columns: 6, shown: 'averylongword\nand\nmore' },
  { line: '\u001b[32mone\u001b[39m two', columns: 7, shown: '\u001b[32mone\u001b[39m two' },
  { line: '世界 世界', columns: 5, shown: '世界\n世界' },
])('breaks $line at $columns columns only between words', ({ line, columns, shown }) => {
  expect(wrap(line, columns, line.startsWith(' ') ? 4 : 0)).toBe(shown)
})
