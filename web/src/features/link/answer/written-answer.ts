import type { VerificationResult } from '@countersign/sdk/contract'
import { isFresh, readWritten } from '../../../data/written-page.ts'
import type { LinkAnswer, LinkRefusal } from './link-answer.ts'

/** What the server wrote into the page of a link, when it was asked for the page. */
type Written = { token: string } & ({ record: VerificationResult } | { refusal: LinkRefusal })

let written = readWritten<Written>('link-answer')

/** The answer that came with the page, if it is about this link and as good as one that is asked for now. */
export const readWrittenAnswer = (token: string): LinkAnswer | undefined => {
  if (written?.token !== token || !isFresh()) return undefined
  if ('refusal' in written) return { kind: 'refusal', refusal: written.refusal }
  // The registry looked after the visit had begun: counted from there, a link never seems younger than it is.
  return { kind: 'record', record: written.record, token, askedAt: { wallMs: performance.timeOrigin, steadyMs: 0 } }
}

/** It is the answer to one visit; the next one asks. */
export const forgetWrittenAnswer = () => {
  written = undefined
}
