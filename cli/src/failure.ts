import type { ExitCode } from '@countersign/sdk/contract'

/** An error that the command itself reports. */
export class Failure extends Error {
  override name = 'Failure'
  readonly code: string
  readonly exit: ExitCode
  readonly hint: string | null

  constructor(code: string, exit: ExitCode, message: string, hint: string | null = null, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.exit = exit
    this.hint = hint
  }
}

/** A system signal, or Ctrl-C at a prompt. */
export class Interruption extends Error {
  override name = 'Interruption'
  readonly exit: 130 | 143

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super(signal === 'SIGINT' ? 'Interrupted' : 'Terminated')
    this.exit = signal === 'SIGINT' ? 130 : 143
  }
}

/** The person answered no. */
export const cancelled = () => new Failure('cancelled', 1, 'Cancelled.')

export const usage = (message: string, hint: string | null = null) => new Failure('usage', 2, message, hint)

export const missingCredentials = (message: string, hint: string) => new Failure('unauthorized', 4, message, hint)

/** The key would travel unencrypted, and anyone on the way could change the answer. */
export const insecureHttp = (url: string) =>
  new Failure(
    'insecure_http',
    2,
    `${new URL(url).origin} is another machine without encryption, so nothing was sent`,
    'Use its https address. If you trust the network, add --insecure-http',
  )
