export interface Order {
  port: number
  /** A JSON array of complete HTTP requests, sent in turn. */
  file: string
  ms: number
  connections: number
  /** A pattern whose groups are collected from every response. */
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
