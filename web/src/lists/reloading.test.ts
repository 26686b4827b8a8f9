import { expect, it } from 'vitest'
import { isReloaded } from './reloading.ts'

it.each([
  { page: 'the first page', index: 0, ageMs: 59_000, reloaded: true },
  { page: 'the tenth page', index: 9, ageMs: 59_000, reloaded: true },
  { page: 'a later page of four minutes', index: 10, ageMs: 240_000, reloaded: false },
  { page: 'a later page of almost five minutes', index: 10, ageMs: 299_000, reloaded: true },
  { page: 'a later page after hours in a hidden tab', index: 40, ageMs: 7_200_000, reloaded: true },
])('reloads $page: $reloaded', ({ index, ageMs, reloaded }) => {
  expect(isReloaded(index, ageMs)).toBe(reloaded)
})
