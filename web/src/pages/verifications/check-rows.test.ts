import type { Check, CheckName } from '@countersign/sdk/contract'
import { expect, it } from 'vitest'
import { rowsOf } from './check-rows.ts'

const check = (name: CheckName, passed: boolean | null): Check => ({
  check: name,
  passed,
  detail: `${name}.`,
  checked_at: '2026-11-20T10:00:00.000Z',
})

it('tells the checks of the link itself in one row with all their details', () => {
  const rows = rowsOf([check('signature', true), check('key', true), check('time', true), check('domain', true), check('chat', null)])
  expect(rows.map(({ about }) => about)).toEqual(['link', 'domain', 'chat'])
  expect(rows[0]).toMatchObject({ passed: true, detail: 'signature. key. time.' })
})

it('keeps a failed check above that row', () => {
  const rows = rowsOf([check('bundle', false), check('signature', true), check('time', true)])
  expect(rows.map(({ about }) => about)).toEqual(['bundle', 'link'])
})

it.each([{ passed: false }, { passed: null }])('tells each by itself as soon as one is $passed', ({ passed }) => {
  const rows = rowsOf([check('time', passed), check('signature', true), check('key', true)])
  expect(rows.map(({ about }) => about)).toEqual(['time', 'signature', 'key'])
})
