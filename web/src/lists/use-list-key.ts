import { useLocation } from 'react-router-dom'

/** What a page's filters may ask of a list. */
export type Filters<Query> = Partial<Omit<Query, 'limit' | 'skip' | 'cursor' | 'is_active' | 'is_sample'>>

export const pageSize = 50

/** Each place in the history of the tab has its own list: who comes back finds it as it was, who comes anew gets a new one. */
export const useListKey = (name: string, query: object) => [name, useLocation().key, query]
