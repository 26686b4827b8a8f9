import type { Prompts } from './io/prompt.ts'

export interface Sink {
  write(text: string): void
  isTerminal: boolean
  /** Width of the terminal, where it is one. */
  columns?: number | undefined
}

/** The process around a run: what it may read, where it may write. A test brings its own. */
export interface World {
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  stdin: { isTerminal: boolean; read(): Promise<Uint8Array> }
  stdout: Sink
  stderr: Sink
  /** Aborted by SIGINT and SIGTERM; its reason is an `Interruption`. */
  signal: AbortSignal
  now(): Date
  fetch?: typeof fetch
  prompts?: Prompts
}
