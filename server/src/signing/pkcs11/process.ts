import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ModuleKey, TokenSettings } from './token.ts'

export type Question =
  | { ask: 'create' }
  | { ask: 'remove'; key: Pick<ModuleKey, 'kid'> }
  | { ask: 'sign'; key: ModuleKey; input: string }

interface Failure {
  /** A rejected PIN is not tried again, because tokens lock. A missing key says nothing about the other keys. */
  kind: 'pin' | 'missing' | 'other'
  message: string
}

export type Reply = { id: number; value: unknown } | { id: number; error: Failure }

/** The module did not do what it was asked. */
export class ModuleError extends Error {
  override readonly name = 'ModuleError'
  readonly kind: Failure['kind']
  constructor({ kind, message }: Failure) {
    super(`The PKCS#11 module cannot be used: ${message}.`)
    this.kind = kind
  }
}

interface Running {
  child: ChildProcess
  hasAnswered: boolean
  waiting: Map<number, PromiseWithResolvers<unknown>>
}

/** Modules read settings of their own from the environment. */
type Environment = Record<string, string | undefined>

interface Options {
  onFailure?: (error: ModuleError) => void
  /** Time limit for one answer. */
  timeoutMs?: number
  /** Time after which a module that failed is opened again. */
  restMs?: number
  /** How many questions may wait. */
  maxWaiting?: number
}

const isSource = import.meta.url.endsWith('.ts')
const program = fileURLToPath(new URL(isSource ? './program.ts' : './program.js', import.meta.url))

const start = (environment: Environment): Running => {
  const child = fork(program, {
    execArgv: isSource ? ['--no-warnings'] : [],
    env: environment,
    serialization: 'advanced',
    // What a module prints must not end up between the lines of the log.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // Keep the process alive only while a caller waits, which the timer of each question does.
  child.unref()
  child.channel?.unref()
  return { child, hasAnswered: false, waiting: new Map() }
}

/** Signing keys in a PKCS#11 token. The module runs in a process of its own, which is started again after a failure. */
export const createKeyModule = (
  { environment, ...settings }: TokenSettings & { environment: Environment },
  { onFailure = () => {}, timeoutMs = 4_000, restMs = 1_000, maxWaiting = 500 }: Options = {},
) => {
  let current: Running | undefined
  let lastId = 0
  let failed: { error: ModuleError; until: number } | undefined

  const end = (running: Running, failure: Failure) => {
    if (current !== running) return
    current = undefined
    const error = new ModuleError(failure)
    if (failure.kind === 'pin') failed = { error, until: Number.POSITIVE_INFINITY }
    else if (!running.hasAnswered) failed = { error, until: performance.now() + restMs }
    for (const { reject } of running.waiting.values()) reject(error)
    running.child.kill('SIGKILL')
    onFailure(error)
  }

  const receive = (running: Running, reply: Reply) => {
    const question = running.waiting.get(reply.id)
    if ('error' in reply && reply.error.kind !== 'missing') return end(running, reply.error)
    running.hasAnswered = true
    if ('value' in reply) return question?.resolve(reply.value)
    const error = new ModuleError(reply.error)
    onFailure(error)
    question?.reject(error)
  }

  const run = () => {
    const running = start(environment)
    running.child.on('message', (reply: Reply) => receive(running, reply))
    running.child.on('error', ({ message }) => end(running, { kind: 'other', message }))
    running.child.on('exit', (code, signal) =>
      end(running, { kind: 'other', message: `its process ended with ${signal ?? code}` }),
    )
    return running
  }

  const askOnce = async (question: Question) => {
    if (failed && performance.now() < failed.until) throw failed.error
    failed = undefined
    current ??= run()
    const running = current
    if (running.waiting.size >= maxWaiting)
      throw new ModuleError({ kind: 'other', message: `${maxWaiting} signatures are waiting` })
    const id = ++lastId
    const answer = Promise.withResolvers<unknown>()
    running.waiting.set(id, answer)
    const timer = setTimeout(
      () => end(running, { kind: 'other', message: `it did not answer within ${timeoutMs} ms` }),
      timeoutMs,
    )
    running.child.send({ id, settings, question }, (error) => {
      if (error) end(running, { kind: 'other', message: error.message })
    })
    try {
      return await answer.promise
    } finally {
      clearTimeout(timer)
      running.waiting.delete(id)
    }
  }

  /** A session that worked may have ended, for example when the token was restarted: open another one at once. */
  const ask = async (question: Question) => {
    const before = current
    const startedAt = performance.now()
    try {
      return await askOnce(question)
    } catch (error) {
      const isLost = error instanceof ModuleError && error.kind === 'other' && before !== current
      if (!isLost || !before?.hasAnswered || performance.now() - startedAt >= timeoutMs) throw error
      return askOnce(question)
    }
  }

  return {
    /** Makes a key that never leaves the token. Its ID there (CKA_ID) is the `kid`, decoded. */
    create: () => ask({ ask: 'create' }) as Promise<ModuleKey>,
    remove: async (key: Pick<ModuleKey, 'kid'>) => void (await ask({ ask: 'remove', key })),
    /** Throws `ModuleError` unless the signature is by that key. */
    async sign(key: ModuleKey, input: string): Promise<Buffer> {
      return Buffer.from((await ask({ ask: 'sign', key, input })) as Uint8Array)
    },
    /** ID of the process that has the module loaded. */
    pid: () => current?.child.pid,
    close() {
      const running = current
      current = undefined
      running?.child.kill('SIGKILL')
    },
  }
}

export type KeyModule = ReturnType<typeof createKeyModule>
