import type { VerificationResult } from '@countersign/sdk/contract'
import { type Verdict as Reading, readVerdict as readAnswer } from '@countersign/sdk/verify'
import { type LinkState, linkStateOf } from '@countersign/sdk/words'
import { issuer } from '../../../data/registry.ts'
import { elapsedMs, type Instant } from './instant.ts'
import type { LinkAnswer } from './link-answer.ts'

/** What the page shows: a state, and the SDK's verdict on the registry's answer. */
export interface Verdict extends Reading {
  state: LinkState
}

/** The registry's time at a moment of this page, never behind it. */
export const registryTime = (record: VerificationResult, requestedAt: Instant, at: Instant) =>
  Date.parse(record.checked_at) + elapsedMs(requestedAt, at)

/** A canonical code in the address, to compare with the answer; other spellings and tokens are not compared. */
const codeIn = (token: string) => (/^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$/.test(token) ? token : undefined)

/** The SDK decides the verdict. This adds the clock, and the state by which the words are looked up. */
export const readVerdict = (answer: LinkAnswer | undefined, at: Instant): Verdict => {
  const reading =
    answer?.kind === 'record'
      ? readAnswer(answer.record, {
          issuer,
          at: registryTime(answer.record, answer.requestedAt, at),
          link: codeIn(answer.token),
        })
      : readAnswer(answer?.refusal, { issuer, at: at.wallMs })
  return { ...reading, state: linkStateOf(reading) }
}
