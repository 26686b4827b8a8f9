import type { SearchResult } from '@countersign/sdk/contract'
import { useEffect } from 'react'
import useSWR from 'swr'
import { useDebounced } from '../hooks/use-debounced.ts'
import { client } from './client.ts'
import { log } from './log.ts'
import { minSearchText, searchResults } from './search-limits.ts'

const searchDelayMs = 300

const quickResults = 5

export interface Answer extends SearchResult {
  /** What was asked for; the answer of another question is never taken for it. */
  query: string
  /** How many of a group were asked for. */
  limit: number
}

const ask = async (query: string, limit?: number): Promise<Answer> => ({
  ...(await client.search.find({ q: query, limit })),
  query,
  limit: limit ?? searchResults,
})

const isLong = (query: string) => [...query].length >= minSearchText

/** The best few of both groups, asked for when typing rests. Under two characters nothing is asked. */
export const useQuickSearch = (text: string) => {
  const typed = text.trim()
  const rested = useDebounced(typed, searchDelayMs)
  const isAsked = isLong(typed) && isLong(rested)
  const { data, error } = useSWR<Answer, unknown>(isAsked ? ['search', rested, quickResults] : null, () => ask(rested, quickResults), {
    keepPreviousData: true,
  })
  useEffect(() => {
    if (error !== undefined) log('Search failed', error)
  }, [error])
  const isAbout = data !== undefined && (data.query.startsWith(typed) || typed.startsWith(data.query))
  return isAsked && isAbout && error === undefined ? data : undefined
}

/** Everything that the search finds at once. */
export const useSearch = (query: string) => {
  const isAsked = isLong(query)
  const { data, error, mutate } = useSWR<Answer, unknown>(isAsked ? ['search', query] : null, () => ask(query))
  return { isAsked, answer: error === undefined ? data : undefined, failure: error, again: () => void mutate() }
}
