export interface Order {
  port: number
  /** A JSON array of complete HTTP requests, sent in turn. */
  file: string
  ms: number
  connections: number
  /** Each request works once: the order ends early when all were sent. */
  isOnce?: true
  /** A JSON array of client certificates. Then each request has a TLS connection of its own, with the certificates in turn. */
  credentials?: string
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

export interface Attack {
  port: number
  ms: number
  /** Whole requests of a kind, sent in turn. */
  kinds: { name: string; perSecond: number; requests: string[] }[]
  halfOpenPerSecond: number
}

export interface Attacked {
  sent: number
  /** Not sent, because too many were unanswered. */
  dropped: number
  bytes: number
  seconds: number
  /** Per kind and status. */
  statuses: Record<string, Record<string, number>>
  halfOpen: number
  closedByServer: number
}

export interface Visit {
  port: number
  paths: string[]
  everyMs: number
  count: number
}

export interface Visited {
  statuses: Record<string, number>
  /** Milliseconds. */
  p50: number
  p99: number
  longest: number
}
