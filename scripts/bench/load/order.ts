export interface Order {
  port: number
  /** A JSON array of whole HTTP requests, asked in turn. */
  file: string
  ms: number
  connections: number
  /** A pattern whose groups are kept of every answer. */
  collect?: string
}

export interface Answered {
  count: number
  ms: number
  statuses: Record<string, number>
  collected: string[][]
  /** Milliseconds. */
  p50: number
  p99: number
}
