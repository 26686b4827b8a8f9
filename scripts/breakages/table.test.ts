import { expect, it } from 'vitest'
import type { Breakage } from './breakage.ts'
import { type Outcome, updateTable } from './table.ts'

const breakage = (id: string): Breakage => ({
  id,
  package: 'sdk',
  what: `What ${id} | breaks`,
  file: '',
  find: '',
  replace: '',
  tests: [],
})
const page = 'Before\n<!-- breakages: written by `npm run test:breakages` -->\n<!-- end of breakages -->\nAfter\n'
const caught: Outcome = { verdict: 'caught', by: { file: 'a.test.ts', name: 'a > rejects <b> | `c`' } }
const rowsOf = (text: string) => text.split('\n').filter((line) => line.startsWith('| `'))

it('writes a row for each breakage and keeps the result of those that did not run', () => {
  const first = updateTable(page, [breakage('one'), breakage('two')], new Map([['one', caught]]))
  expect(rowsOf(first)).toEqual([
    '| `one` | What one \\| breaks | `` a > rejects <b> \\| `c` `` in `a.test.ts` |',
    '| `two` | What two \\| breaks | not run yet |',
  ])
  const second = updateTable(first, [breakage('one'), breakage('two')], new Map([['two', { verdict: 'missed' }]]))
  expect(rowsOf(second)).toEqual([rowsOf(first)[0], '| `two` | What two \\| breaks | **missed** |'])
  expect(second).toMatch(/^Before\n[\s\S]*\nAfter\n$/)
})

it('removes the row of a deleted breakage', () => {
  const both = updateTable(page, [breakage('one'), breakage('two')], new Map())
  expect(rowsOf(updateTable(both, [breakage('two')], new Map()))).toHaveLength(1)
})
