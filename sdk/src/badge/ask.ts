import { formatLinkCode, type LinkReading, readLink } from '../verify/link-code.ts'
import { readToken } from '../verify/token.ts'
import { type BadgeVerdict, badgeOf } from './verdict.ts'

const timeoutMs = 10_000

/** A page's link, and the registry to check it with. */
export interface Question {
  registry: string
  reading: LinkReading
  /** The registry's page of the link. Null for a token until the registry's answer has its code. */
  page: string | null
}

/** A token in an address would end up in histories and logs. */
export const pageOf = (registry: string, code: string): string => `${registry}/v/${code}`

export const readQuestion = (registry: string, link: string): Question => {
  const reading = readLink(link)
  const isOwn = reading.origin === null || reading.origin === registry
  const page = isOwn && reading.kind === 'code' ? pageOf(registry, formatLinkCode(reading.code)) : null
  return { registry, reading, page }
}

/** Rejects links of other registries and unreadable input without a request. */
const refusalOf = ({ registry, reading }: Question): BadgeVerdict | undefined => {
  if (reading.origin !== null && reading.origin !== registry) return { state: 'not-verified', why: 'foreign' }
  if (reading.kind === 'malformed' || reading.kind === 'mistyped') return { state: 'not-verified', why: reading.kind }
  return undefined
}

/** Checks the link with the registry, without a key or cookie. Never throws: failures are `could-not-check`. */
export const askRegistry = async (question: Question, pageOrigin: string): Promise<BadgeVerdict> => {
  const refusal = refusalOf(question)
  if (refusal) return refusal
  const { registry, reading } = question
  const requestedAtMs = performance.now()
  const token = reading.kind === 'code' ? formatLinkCode(reading.code) : reading.kind === 'token' ? reading.token : ''
  try {
    const response = await fetch(`${registry}/api/v1/verify/${encodeURIComponent(token)}`, {
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const answer: unknown = await response.json()
    const link = reading.kind === 'token' ? (readToken(token)?.claims.jti ?? '') : token
    return badgeOf(answer, {
      registry,
      link,
      pageOrigin,
      elapsedMs: performance.now() - requestedAtMs,
      nowMs: Date.now(),
    })
  } catch {
    return { state: 'could-not-check' }
  }
}
