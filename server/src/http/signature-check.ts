import { Refusal } from '@countersign/sdk/contract'
import { createThread } from '../thread.ts'
import type { ToVerify } from './signature-keys.ts'

interface Waiting {
  toVerify: ToVerify
  answer: (isSigned: boolean) => void
  fail: (error: Refusal) => void
}

const maxBatch = 64
const maxWaiting = 2_000
/** Starting a thread takes longer than a thousand verifications. */
const idleMs = 3_600_000

const isSource = import.meta.url.endsWith('.ts')
const program = new URL(isSource ? './signature-thread.ts' : './signature-thread.js', import.meta.url)

const unavailable = () => new Refusal('unavailable', 'The signature could not be verified. Try again in a moment.')

/**
 * Verifies signatures in one thread, those that arrive together in one message. Handing each to Node's pool takes 75 µs of the event loop
 * (docs/benchmarks.md).
 */
export const createSignatureCheck = () => {
  const thread = createThread<ToVerify[], boolean[]>({ program, idleMs })
  let waiting: Waiting[] = []
  let isPlanned = false

  const flush = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxBatch)
      waiting = waiting.slice(maxBatch)
      const answers = await thread.ask(batch.map(({ toVerify }) => toVerify))
      for (const [index, { answer, fail }] of batch.entries()) {
        const isSigned = answers?.[index]
        if (isSigned === undefined) fail(unavailable())
        else answer(isSigned)
      }
    }
    isPlanned = false
  }

  return {
    isSigned: (toVerify: ToVerify) =>
      new Promise<boolean>((answer, fail) => {
        if (waiting.length >= maxWaiting) {
          fail(unavailable())
          return
        }
        waiting.push({ toVerify, answer, fail })
        if (isPlanned) return
        isPlanned = true
        setImmediate(flush)
      }),
    close: thread.close,
  }
}

export type SignatureCheck = ReturnType<typeof createSignatureCheck>
