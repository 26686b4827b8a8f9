import { describe, expect, it } from 'vitest'
import { nextSort, readPage, readSort, sortOf, textOf } from './sorting.ts'

const usual = { column: 'created', isDescending: true }

describe('the order of a list', () => {
  it.each(['name', '-name'])('is written and read as %s', (text) => {
    expect(textOf(sortOf(text))).toBe(text)
  })

  it.each([
    { text: null, sort: usual },
    { text: '', sort: usual },
    { text: '-nonsense', sort: usual },
    { text: '-name', sort: { column: 'name', isDescending: true } },
    { text: 'name', sort: { column: 'name', isDescending: false } },
  ])('is read from $text in the address', ({ text, sort }) => {
    expect(readSort(text, ['name', 'created'], usual)).toEqual(sort)
  })

  it('is reversed when the same heading is pressed again, and starts in the default direction of another heading', () => {
    expect(nextSort(usual, 'created')).toEqual({ column: 'created', isDescending: false })
    expect(nextSort(usual, 'name')).toEqual({ column: 'name', isDescending: false })
    expect(nextSort({ column: 'name', isDescending: false }, 'created', true)).toEqual(usual)
  })
})

describe('the page of a list', () => {
  it.each([
    { text: null, count: 500, page: 1 },
    { text: '3', count: 500, page: 3 },
    { text: '11', count: 500, page: 10 },
    { text: '2', count: 0, page: 1 },
    { text: '7', count: undefined, page: 7 },
    { text: '0', count: 500, page: 1 },
    { text: '-1', count: 500, page: 1 },
    { text: '1e3', count: 500, page: 1 },
  ])('is $page for $text in the address and $count rows', ({ text, count, page }) => {
    expect(readPage(text, count, 50)).toBe(page)
  })
})
