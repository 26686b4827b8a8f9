import { ApiError, LinkError, type RequestOptions } from '@countersign/sdk'
import type { Change, Check, LinkErrorCode, Reason, VerificationResult } from '@countersign/sdk/contract'
import { useCallback, useEffect, useRef, useState } from 'react'
import useSWR from 'swr'
import { client } from '../../../data/client.ts'
import { elapsedMs, type Instant, readInstant } from './instant.ts'
import { useAskingAgain } from './use-asking-again.ts'
import { forgetWrittenAnswer, readWrittenAnswer } from './written-answer.ts'

/** Why a link was rejected, and what it was for if the registry knows. */
export interface LinkRefusal {
  code: LinkErrorCode
  reason: Reason | null
  change: Change | null
  checks: Check[]
  verification: VerificationResult | null
}

export type LinkAnswer =
  | { kind: 'record'; record: VerificationResult; requestedAt: Instant; token: string }
  | { kind: 'refusal'; refusal: LinkRefusal }

/**
 * The registry's answer about a link, requested on every visit and repeated while the page is visible. `failure` means there
 * is no answer. `ask` keeps the current answer until the next one; `askAnew` discards it at once.
 */
export const useLinkAnswer = (token: string) => {
  const [written, setWritten] = useState(() => readWrittenAnswer(token))
  const known = useRef<Known>({ answer: written, failures: 0 })
  const { data, error, isValidating, mutate } = useSWR<LinkAnswer, unknown>(
    ['verification', token],
    () => askOnce(token, known.current),
    {
      fallbackData: written,
      revalidateOnMount: written === undefined,
    },
  )
  const ask = () => void mutate()
  const askAnew = useCallback(() => {
    setWritten(undefined)
    known.current = { answer: undefined, failures: 0 }
    void mutate(undefined, { revalidate: true })
  }, [mutate])
  useEffect(forgetWrittenAnswer, [])
  const answer = error === undefined ? data : undefined
  useAskingAgain(answer, { isWritten: written !== undefined, ask })
  useEffect(() => {
    // A page restored from the back/forward cache is outdated.
    const restored = (event: PageTransitionEvent) => {
      if (event.persisted) askAnew()
    }
    addEventListener('pageshow', restored)
    return () => removeEventListener('pageshow', restored)
  }, [askAnew])
  return { answer, failure: error, isAsking: isValidating, ask, askAnew }
}

/** Reports that a person has read the page. Failures don't matter. */
export const countOpening = (token: string) => {
  client.verifications.opened(token).catch(() => undefined)
}

interface Known {
  answer: LinkAnswer | undefined
  /** Consecutive failures. After the first, the last answer is shown with its time. */
  failures: number
}

const askOnce = async (token: string, known: Known): Promise<LinkAnswer> => {
  try {
    const answer = await askAbout(token, known.answer && { maxRetries: 0, timeout: 15_000 })
    if (answer.kind === 'refusal' && answer.refusal.code === 'could_not_check' && isBorne(known)) return known.answer
    if (answer.kind === 'record') known.failures = 0
    known.answer = answer
    return answer
  } catch (failure) {
    if (isBorne(known)) return known.answer
    throw failure
  }
}

const isBorne = (known: Known): known is Known & { answer: LinkAnswer } =>
  known.answer !== undefined &&
  known.failures++ === 0 &&
  !(known.answer.kind === 'record' && elapsedMs(known.answer.requestedAt, readInstant()) > 120_000)

const askAbout = async (token: string, options?: RequestOptions): Promise<LinkAnswer> => {
  const requestedAt = readInstant()
  try {
    return { kind: 'record', record: await client.verifications.get(token, options), requestedAt, token }
  } catch (error) {
    const refusal = error instanceof ApiError ? readRefusal(error) : undefined
    if (refusal) return { kind: 'refusal', refusal }
    throw error
  }
}

/** A rejected link is an answer; after any other error, the link's state is unknown. */
const readRefusal = (error: ApiError): LinkRefusal | undefined => {
  if (error instanceof LinkError) {
    const { code, reason, change, checks, verification } = error
    return { code, reason, change, checks, verification }
  }
  // Without a problem document, something other than the registry answered.
  if (error.problem === null) return undefined
  const isMalformed = error.code === 'validation_failed' || error.code === 'bad_request'
  const code = isMalformed ? 'link_malformed' : error.code === 'not_found' ? 'link_unknown' : undefined
  return code && { code, reason: null, change: null, checks: [], verification: null }
}
