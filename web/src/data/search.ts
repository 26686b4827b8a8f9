import type { SearchResult } from '@countersign/sdk/contract'
import { useEffect } from 'react'
import useSWR from 'swr'
import { keptCurrent } from '../hooks/kept-current.ts'
import { useDebounced } from '../hooks/use-debounced.ts'
import { client } from './client.ts'
import { log } from './log.ts'
import { maxSearchText, minSearchText, searchResults } from './search-limits.ts'

const searchDelayMs = 300

const quickResults = 5

export interface Answer extends SearchResult {
  /** The query that these results are for, so that they are never shown for another one. */
  query: string
  /** How many results per group were requested. */
  limit: number
}

export const search = async (query: string, limit?: number): Promise<Answer> => ({
  ...(await client.search.find({ q: query, limit })),
  query,
  limit: limit ?? searchResults,
})

/** As the registry reads digests. */
export const isDigest = (text: string) => /^(sha256:)?[0-9a-f]{64}$/i.test(text.trim())

export const searchPath = (text: string) => `/search?q=${encodeURIComponent(text)}`

/** Links are opened, and never sent as words. */
const isLink = (text: string) => text.length > maxSearchText || /\/v(erify)?\/|^eyJ/.test(text)

const isLong = (query: string) => [...query].length >= minSearchText

/** The best results of both groups, requested when typing pauses, for two or more characters. */
export const useQuickSearch = (text: string) => {
  const typed = text.trim()
  const rested = useDebounced(typed, searchDelayMs)
  const isRequested = isLong(typed) && isLong(rested) && !isLink(typed) && !isLink(rested)
  const { data, error } = useSWR<Answer, unknown>(
    isRequested ? ['search', rested, quickResults] : null,
    () => search(rested, quickResults),
    { ...keptCurrent, keepPreviousData: true },
  )
  useEffect(() => {
    if (error !== undefined) log('Search failed', error)
  }, [error])
  const isAbout = data !== undefined && (data.query.startsWith(typed) || typed.startsWith(data.query))
  return isRequested && isAbout && error === undefined ? data : undefined
}

/** All search results. */
export const useSearch = (query: string) => {
  const isRequested = isLong(query)
  const { data, error, mutate } = useSWR<Answer, unknown>(
    isRequested ? ['search', query] : null,
    () => search(query),
    keptCurrent,
  )
  return { isRequested, answer: error === undefined ? data : undefined, failure: error, again: () => void mutate() }
}
