import { Refusal } from '@countersign/sdk/contract'
import { createThread } from '../thread.ts'
import type { ToVerify } from './signature-keys.ts'

interface Waiting {
  toVerify: ToVerify
  answer: (isSigned: boolean) => void
  fail: (error: Refusal) => void
}

const maxBatch = 16
/** While one batch is verified, the next is in the thread, so that neither the thread nor the event loop waits for the other. */
const atOnce = 2
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
  const thread = createThread<ToVerify[], boolean[]>({ program, idleMs, atOnce })
  let waiting: Waiting[] = []
  let asked = 0
  let isPlanned = false

  const askNext = async () => {
    const batch = waiting.slice(0, maxBatch)
    waiting = waiting.slice(maxBatch)
    asked++
    const answers = await thread.ask(batch.map(({ toVerify }) => toVerify))
    asked--
    for (const [index, { answer, fail }] of batch.entries()) {
      const isSigned = answers?.[index]
      if (isSigned === undefined) fail(unavailable())
      else answer(isSigned)
    }
    flush()
  }

  const flush = () => {
    isPlanned = false
    while (waiting.length > 0 && asked < atOnce) void askNext()
  }

  return {
    isSigned: (toVerify: ToVerify) =>
      new Promise<boolean>((answer, fail) => {
        if (waiting.length >= maxWaiting) {
          fail(unavailable())
          return
        }
        waiting.push({ toVerify, answer, fail })
        if (isPlanned || asked === atOnce) return
        isPlanned = true
        setImmediate(flush)
      }),
    close: thread.close,
  }
}

export type SignatureCheck = ReturnType<typeof createSignatureCheck>
