import { useLocation } from 'react-router-dom'

/** The filters of a list. */
export type Filters<Query> = Partial<Omit<Query, 'limit' | 'skip' | 'cursor' | 'is_active' | 'is_sample'>>

export const pageSize = 50

/** Each history entry has its own list: going back restores it, and a new visit loads a new one. */
export const useListKey = (name: string, query: object) => [name, useLocation().key, query]
