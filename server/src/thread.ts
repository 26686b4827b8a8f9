import { readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'

export interface ThreadOptions {
  program: URL
  /** Time limit for one answer. */
  timeoutMs?: number
  /** Time after which an idle thread ends. */
  idleMs?: number
}

const isSource = import.meta.url.endsWith('.ts')

/**
 * For the thread itself: where cores are scarce, the main thread comes first, so that an attack on what is costly does not delay
 * verifications. Only Linux has a priority per thread.
 */
export const yieldToMainThread = () => {
  if (process.platform === 'linux') setPriority(10)
}

/**
 * V8 compiles code and collects garbage in four threads of its own. On a single core they would leave the main thread a fifth of it while
 * it meets a flood.
 */
export const lowerCompilerThreads = () => {
  if (process.platform !== 'linux') return
  try {
    for (const thread of readdirSync('/proc/self/task')) {
      if (readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim() === 'V8Worker') setPriority(Number(thread), 10)
    }
  } catch {
    // A thread ended meanwhile, or /proc is not readable: the registry is only slower under a flood.
  }
}

/** Answers questions one after the other in a thread of its own, which a slow or crashing answer ends. */
export const createThread = <Question, Answer>({ program, timeoutMs = 10_000, idleMs = 60_000 }: ThreadOptions) => {
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  let isKept = false

  const start = () => {
    const started = new Worker(program, {
      execArgv: isSource ? ['--conditions=@countersign/source', '--no-warnings'] : [],
      // The thread gets none of the environment.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    started.unref()
    // Keep the process alive only while a caller waits for an answer.
    started.on('error', () => {})
    started.on('exit', () => {
      if (thread === started) thread = undefined
    })
    return started
  }

  const startIfNone = () => {
    try {
      thread ??= start()
    } catch {
      // Asked again with the next question.
    }
    return thread
  }

  const end = async () => {
    const ended = thread
    thread = undefined
    await ended?.terminate()
  }

  const askNow = async (question: Question): Promise<Answer | undefined> => {
    clearTimeout(idle)
    const worker = startIfNone()
    if (worker === undefined) return undefined
    const { promise, resolve } = Promise.withResolvers<Answer | undefined>()
    const timer = setTimeout(resolve, timeoutMs)
    const fail = () => resolve(undefined)
    worker.once('message', resolve).once('error', fail).once('exit', fail)
    worker.ref()
    worker.postMessage(question)
    const answer = await promise
    clearTimeout(timer)
    worker.removeAllListeners('message').off('error', fail).off('exit', fail)
    worker.unref()
    if (!answer) await end()
    else if (!isKept) idle = setTimeout(end, idleMs).unref()
    return answer
  }

  return {
    /** Starts the thread now, which takes tens of milliseconds of a core, and keeps it also while it is idle. */
    start: () => {
      isKept = true
      startIfNone()
    },
    /** Undefined if the answer took too long or crashed the thread, or the thread could not be started. */
    ask: (question: Question): Promise<Answer | undefined> => {
      waiting++
      const turn = last.then(() => askNow(question))
      last = turn.catch(() => {})
      return turn.finally(() => waiting--)
    },
    /** How many wait, including the one that is being answered. */
    waiting: () => waiting,
    close: async () => {
      clearTimeout(idle)
      await end()
    },
  }
}
