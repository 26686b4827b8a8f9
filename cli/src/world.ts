import type { Prompts } from './io/prompt.ts'

export interface Sink {
  write(text: string): void
  isTerminal: boolean
  /** Terminal width; undefined if the output is not a terminal. */
  columns?: number | undefined
}

/** The process around a run: its inputs and outputs. Tests provide their own. */
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
