import { limits } from '@countersign/sdk/contract'
import { expect, it } from 'vitest'
import { maxSearchText, minSearchText, searchResults } from './search-limits.ts'

it('searches within the limits of the contract', () => {
  expect({ minSearchText, searchText: maxSearchText, searchResults }).toEqual({
    minSearchText: limits.minSearchText,
    searchText: limits.searchText,
    searchResults: limits.searchResults,
  })
})
