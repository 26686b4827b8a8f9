import { Worker } from 'node:worker_threads'
import type { BundleVerdict, DeclaredSigner, SignerTies } from '@countersign/sdk/contract'

/** The trusted certificates and logs: `json` of a `trusted_root.json`, or the one that comes with the packages. */
export interface Root {
  /** Equal for equal content. */
  id: string
  json: string | undefined
}

export interface BundleToCheck {
  bundle: Uint8Array
  digest: string | null
  /** The version's files, if known. */
  files?: readonly { name: string; digest: string }[]
  signers: readonly DeclaredSigner[]
  /** Proven to be the provider's own. */
  ties?: SignerTies
  /** Milliseconds since 1970. */
  now: number
}

export interface ProofToCheck {
  signer: DeclaredSigner
  message: string
  signature: string
  certificateChain: string | undefined
  /** Milliseconds since 1970. */
  now: number
}

export type ProofAnswer = { key: string } | { fault: string }

export interface Question {
  root: Root
  /** If absent, only the root is checked. */
  check: BundleToCheck | null
}

/** Whether a challenge was signed. */
export interface ProofQuestion {
  proof: ProofToCheck
}

export interface Answer {
  verdict?: BundleVerdict
  /** What is wrong with the root. */
  fault?: string | null
  proof?: ProofAnswer
}

export interface Checker {
  /** Undefined if the check took too long or crashed its thread. */
  check: (root: Root, check: BundleToCheck) => Promise<BundleVerdict | undefined>
  /** Undefined if the check took too long. */
  prove: (proof: ProofToCheck) => Promise<ProofAnswer | undefined>
  /** Why a root cannot be used; null if it can. */
  faultOf: (root: Root) => Promise<string | null>
  /** How many may wait. */
  waiting: () => number
  close: () => Promise<void>
}

interface Options {
  /** Time limit of a check. */
  timeoutMs?: number
  /** Time after which an idle thread ends. */
  idleMs?: number
  program?: URL
}

const isSource = import.meta.url.endsWith('.ts')
const ownProgram = new URL(isSource ? './check-thread.ts' : './check-thread.js', import.meta.url)

/**
 * Checks bundles one after the other in a thread of their own: a crafted slow or large bundle delays no request and is stopped with its
 * thread.
 */
export const createChecker = ({ timeoutMs = 10_000, idleMs = 60_000, program = ownProgram }: Options = {}): Checker => {
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

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

  const end = async () => {
    const ended = thread
    thread = undefined
    await ended?.terminate()
  }

  const ask = async (question: Question | ProofQuestion): Promise<Answer | undefined> => {
    clearTimeout(idle)
    thread ??= start()
    const asked = thread
    const { promise, resolve } = Promise.withResolvers<Answer | undefined>()
    const timer = setTimeout(resolve, timeoutMs)
    const fail = () => resolve(undefined)
    asked.once('message', resolve).once('error', fail).once('exit', fail)
    asked.ref()
    asked.postMessage(question)
    const answer = await promise
    clearTimeout(timer)
    asked.removeAllListeners('message').off('error', fail).off('exit', fail)
    asked.unref()
    if (answer) idle = setTimeout(end, idleMs).unref()
    else await end()
    return answer
  }

  const inTurn = async (question: Question | ProofQuestion): Promise<Answer | undefined> => {
    waiting++
    const turn = last.then(() => ask(question))
    last = turn.catch(() => {})
    return turn.finally(() => waiting--)
  }

  return {
    check: async (root, check) => (await inTurn({ root, check }))?.verdict,
    prove: async (proof) => (await inTurn({ proof }))?.proof,
    faultOf: async (root) => {
      const answer = await inTurn({ root, check: null })
      return answer ? (answer.fault ?? null) : 'It could not be read in time'
    },
    waiting: () => waiting,
    close: async () => {
      clearTimeout(idle)
      await end()
    },
  }
}
