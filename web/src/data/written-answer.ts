import type { VerificationResult } from '@countersign/sdk/contract'
import type { LinkAnswer, LinkRefusal } from './verifications.ts'

/** What the server wrote into the page of a link, when it was asked for the page. */
type Written = { token: string } & ({ record: VerificationResult } | { refusal: LinkRefusal })

/** Longer after the page was asked for, the link is asked about once more. */
const freshMs = 10_000

/** Whether this page came from the registry just now. One that a browser kept, or came back to, shows the past. */
const isFresh = () => {
  const [navigation] = performance.getEntriesByType('navigation')
  if (!(navigation instanceof PerformanceNavigationTiming)) return false
  // What a browser fetched or drew ahead is of the time before somebody came.
  const { deliveryType = '', activationStart = 0 } = navigation as { deliveryType?: string; activationStart?: number }
  if (deliveryType !== '' || activationStart > 0 || (document as { prerendering?: boolean }).prerendering) return false
  return navigation.transferSize > 0 && navigation.type !== 'back_forward' && performance.now() < freshMs
}

const readPage = (): Written | undefined => {
  const json = document.getElementById('link-answer')?.textContent
  return json && isFresh() ? (JSON.parse(json) as Written) : undefined
}

let written = readPage()

/** The answer that came with the page, if it is about this link and as good as one that is asked for now. */
export const readWrittenAnswer = (token: string): LinkAnswer | undefined => {
  if (written?.token !== token || !isFresh()) return undefined
  if ('refusal' in written) return { kind: 'refusal', refusal: written.refusal }
  // The registry looked after the visit had begun: counted from there, a link never seems younger than it is.
  return { kind: 'record', record: written.record, askedAt: { wallMs: performance.timeOrigin, steadyMs: 0 } }
}

/** It is the answer to one visit; the next one asks. */
export const forgetWrittenAnswer = () => {
  written = undefined
}
