import { ApiError, LinkError } from '@countersign/sdk'
import type { Change, Check, LinkErrorCode, Reason, VerificationResult } from '@countersign/sdk/contract'
import { useCallback, useEffect, useState } from 'react'
import useSWR from 'swr'
import { client } from './client.ts'
import { type Instant, readInstant } from './instant.ts'
import { forgetWrittenAnswer, readWrittenAnswer } from './written-answer.ts'

/** Why a link is refused, and what it was where the registry knows it. */
export interface LinkRefusal {
  code: LinkErrorCode
  reason: Reason | null
  change: Change | null
  checks: Check[]
  verification: VerificationResult | null
}

export type LinkAnswer = { kind: 'record'; record: VerificationResult; askedAt: Instant } | { kind: 'refusal'; refusal: LinkRefusal }

/**
 * What the registry says of a link, asked on every visit. `failure` means that there is no answer. `ask` keeps what is
 * shown until the next answer; `askAnew` forgets it at once.
 */
export const useLinkAnswer = (token: string) => {
  const [written, setWritten] = useState(() => readWrittenAnswer(token))
  const { data, error, isValidating, mutate } = useSWR<LinkAnswer, unknown>(['verification', token], () => askAbout(token), {
    fallbackData: written,
    revalidateOnMount: written === undefined,
  })
  const ask = () => void mutate()
  const askAnew = useCallback(() => {
    setWritten(undefined)
    void mutate(undefined, { revalidate: true })
  }, [mutate])
  useEffect(forgetWrittenAnswer, [])
  useEffect(() => {
    // A page that the browser kept alive shows the past.
    const restored = (event: PageTransitionEvent) => {
      if (event.persisted) askAnew()
    }
    addEventListener('pageshow', restored)
    return () => removeEventListener('pageshow', restored)
  }, [askAnew])
  return { answer: error === undefined ? data : undefined, failure: error, isAsking: isValidating, ask, askAnew }
}

/** Tells the registry that a person has read the page. Nothing depends on it. */
export const countOpening = (token: string) => {
  client.verifications.opened(token).catch(() => undefined)
}

const askAbout = async (token: string): Promise<LinkAnswer> => {
  const askedAt = readInstant()
  try {
    return { kind: 'record', record: await client.verifications.get(token), askedAt }
  } catch (error) {
    const refusal = error instanceof ApiError ? readRefusal(error) : undefined
    if (refusal) return { kind: 'refusal', refusal }
    throw error
  }
}

/** A refusal is an answer; anything else that went wrong leaves the question open. */
const readRefusal = (error: ApiError): LinkRefusal | undefined => {
  if (error instanceof LinkError) {
    const { code, reason, change, checks, verification } = error
    return { code, reason, change, checks, verification }
  }
  // Without a problem document it was not the registry that answered.
  if (error.problem === null) return undefined
  const nothingKnown = { reason: null, change: null, checks: [], verification: null }
  if (error.code === 'not_found') return { code: 'link_unknown', ...nothingKnown }
  if (error.code === 'validation_failed' || error.code === 'bad_request') return { code: 'link_malformed', ...nothingKnown }
  return undefined
}
