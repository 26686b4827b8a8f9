import type { BundleVerdict, DeclaredSigner, SignerTies } from '@countersign/sdk/contract'
import { createThread, type ThreadOptions } from '../thread.ts'

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

const isSource = import.meta.url.endsWith('.ts')
const ownProgram = new URL(isSource ? './check-thread.ts' : './check-thread.js', import.meta.url)

/** A crafted slow or large bundle delays no request, and is stopped with its thread. */
export const createChecker = (options: Partial<ThreadOptions> = {}): Checker => {
  const { ask, waiting, close } = createThread<Question | ProofQuestion, Answer>({ program: ownProgram, ...options })
  return {
    check: async (root, check) => (await ask({ root, check }))?.verdict,
    prove: async (proof) => (await ask({ proof }))?.proof,
    faultOf: async (root) => {
      const answer = await ask({ root, check: null })
      return answer ? (answer.fault ?? null) : 'It could not be read in time'
    },
    waiting,
    close,
  }
}
