import { expect, it } from 'vitest'
import { mergeTheirs, racedFields } from './raced.ts'

const before = { city: 'Oslo', phone: '', tags: ['a'], year: '2019' }
const theirs = { city: 'Bergen', phone: '1', tags: ['a'], year: '2019' }
const yours = { city: 'Tromsø', phone: '', tags: ['a'], year: '2020' }

it('lists fields that changed elsewhere, conflicts first', () => {
  expect(racedFields(before, theirs, yours)).toEqual([
    { name: 'city', before: 'Oslo', theirs: 'Bergen', yours: 'Tromsø' },
    { name: 'phone', before: '', theirs: '1', yours: undefined },
  ])
  expect(racedFields(before, before, yours)).toEqual([])
})

it('takes over the other person’s changes, and keeps the typed text in other fields', () => {
  expect(mergeTheirs(before, theirs, yours)).toEqual({ city: 'Bergen', phone: '1', tags: ['a'], year: '2020' })
})
