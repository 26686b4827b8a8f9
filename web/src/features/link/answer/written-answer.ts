import type { VerificationResult } from '@countersign/sdk/contract'
import { isFresh, readWritten } from '../../../data/written-page.ts'
import type { LinkAnswer, LinkRefusal } from './link-answer.ts'

/** The answer that the server wrote into the link page. */
type Written = { token: string } & ({ record: VerificationResult } | { refusal: LinkRefusal })

let written = readWritten<Written>('link-answer')

/** The answer in the page, if it is about this link and still fresh. */
export const readWrittenAnswer = (token: string): LinkAnswer | undefined => {
  if (written?.token !== token || !isFresh()) return undefined
  if ('refusal' in written) return { kind: 'refusal', refusal: written.refusal }
  // The registry checked after the visit began; counting from there never makes a link appear younger than it is.
  return { kind: 'record', record: written.record, token, requestedAt: { wallMs: performance.timeOrigin, steadyMs: 0 } }
}

/** The answer is for one visit; the next one requests its own. */
export const forgetWrittenAnswer = () => {
  written = undefined
}
