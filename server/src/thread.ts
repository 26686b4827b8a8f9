import { readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'

export interface ThreadOptions {
  program: URL
  /** Time limit for one answer. */
  timeoutMs?: number
  /** Time after which an idle thread ends. */
  idleMs?: number
  /** How many questions may be in the thread at once. If it ends, all of them are lost. */
  atOnce?: number
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

interface Started<Answer> {
  worker: Worker
  /** One for each question in the thread, in the order of the questions. */
  answers: ((answer: Answer | undefined) => void)[]
}

/** Answers questions one after the other in a thread of its own, which a slow or crashing answer ends. */
export const createThread = <Question, Answer>({
  program,
  timeoutMs = 10_000,
  idleMs = 60_000,
  atOnce = 1,
}: ThreadOptions) => {
  let thread: Started<Answer> | undefined
  let idle: NodeJS.Timeout | undefined
  /** In each, one question follows another. */
  const lanes: Promise<unknown>[] = Array.from({ length: atOnce }, () => Promise.resolve())
  let asked = 0
  let waiting = 0

  let isKept = false

  const loseAll = ({ answers }: Started<Answer>) => {
    for (const answer of answers.splice(0)) answer(undefined)
  }

  const start = (): Started<Answer> => {
    const worker = new Worker(program, {
      execArgv: isSource ? ['--conditions=@countersign/source', '--no-warnings'] : [],
      // The thread gets none of the environment.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    const started: Started<Answer> = { worker, answers: [] }
    // Keep the process alive only while a caller waits for an answer.
    worker.unref()
    worker.on('message', (answer: Answer) => started.answers.shift()?.(answer))
    worker.on('error', () => loseAll(started))
    worker.on('exit', () => {
      if (thread === started) thread = undefined
      loseAll(started)
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

  const end = async (ended: Started<Answer> | undefined) => {
    if (thread === ended) thread = undefined
    await ended?.worker.terminate()
  }

  const askNow = async (question: Question): Promise<Answer | undefined> => {
    clearTimeout(idle)
    const started = startIfNone()
    if (started === undefined) return undefined
    const { worker, answers } = started
    const { promise, resolve } = Promise.withResolvers<Answer | undefined>()
    const timer = setTimeout(() => loseAll(started), timeoutMs)
    answers.push(resolve)
    worker.ref()
    worker.postMessage(question)
    const answer = await promise
    clearTimeout(timer)
    if (!answer) await end(started)
    else if (answers.length === 0) {
      worker.unref()
      clearTimeout(idle)
      if (!isKept) idle = setTimeout(() => end(started), idleMs).unref()
    }
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
      const lane = asked++ % atOnce
      const turn = (lanes[lane] ?? Promise.resolve()).then(() => askNow(question))
      lanes[lane] = turn.catch(() => {})
      return turn.finally(() => waiting--)
    },
    /** How many wait, including those in the thread. */
    waiting: () => waiting,
    close: async () => {
      clearTimeout(idle)
      await end(thread)
    },
  }
}
