import type { VerificationResult } from '@countersign/sdk/contract'
import { type Verdict as Reading, readVerdict as readAnswer } from '@countersign/sdk/verify'
import { type LinkState, linkStateOf } from '@countersign/sdk/words'
import { issuer } from '../../../data/registry.ts'
import { elapsedMs, type Instant } from './instant.ts'
import type { LinkAnswer } from './link-answer.ts'

/** What the page shows: one state, and the SDK's reading of the registry's answer. */
export interface Verdict extends Reading {
  state: LinkState
}

/** The registry's time at an instant of this page, never behind it. */
export const registryTime = (record: VerificationResult, askedAt: Instant, at: Instant) =>
  Date.parse(record.checked_at) + elapsedMs(askedAt, at)

/** The code in an address that has it as it is written; other spellings and tokens are not held against the answer. */
const codeIn = (token: string) => (/^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$/.test(token) ? token : undefined)

/** The SDK reads the answer. This adds the clock, and the state that the words are kept under. */
export const readVerdict = (answer: LinkAnswer | undefined, at: Instant): Verdict => {
  const reading =
    answer?.kind === 'record'
      ? readAnswer(answer.record, { issuer, at: registryTime(answer.record, answer.askedAt, at), link: codeIn(answer.token) })
      : readAnswer(answer?.refusal, { issuer, at: at.wallMs })
  return { ...reading, state: linkStateOf(reading) }
}
