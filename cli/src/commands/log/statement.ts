import { createPublicKey, verify } from 'node:crypto'
import type { LogProofs } from '@countersign/sdk/contract'
import { LogError, leafHash } from '@countersign/sdk/log'
import { parseEntry } from '@countersign/sdk/log/entries'
import { z } from 'zod'
import { toBase64 } from './evidence.ts'

/** The registry's signed statement about the verdict on a link. */
const Statement = z.looseObject({
  iat: z.number().int(),
  link: z.string(),
  // Saved statements of earlier versions have none of these.
  jti: z.string().optional(),
  exp: z.number().int().optional(),
  shown: z.string().optional(),
  binding: z.string().nullish(),
  result: z.string(),
  reason: z.string().nullish(),
  change: z.string().nullish(),
  strength: z.string().nullable(),
  facts: z.array(z.strictObject({ index: z.number().int(), leaf: z.string() })),
})

/** How far its time may be from another clock's. */
const clockToleranceMs = 5 * 60_000

const readPart = (part: string): unknown => {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

const readSaid = (statement: LogProofs['statement']) =>
  Statement.safeParse(readPart(statement?.split('.')[1] ?? '')).data

/**
 * Why the registry says that a link is not verified; undefined if it says that it is, or was until it expired, for which it names the proof of
 * the domain. `'unsaid'` if it says nothing.
 */
export const refusalIn = ({ statement, facts }: Pick<LogProofs, 'statement' | 'facts'>) => {
  const said = readSaid(statement)
  if (said === undefined) return 'unsaid'
  if (said.result === 'verified') return undefined
  const { reason = null, change = null } = said
  if (change !== 'expired') return { reason, change }
  return facts.some(({ fact }) => fact.startsWith('domain '))
    ? undefined
    : { reason: 'provider_unverified', change: null }
}

/**
 * The registry’s statement, not yet verified. Throws a `LogError` if it is not about these facts, not of this time, or says that the link
 * was not verified.
 */
export const readStatement = ({ statement, facts }: Pick<LogProofs, 'statement' | 'facts'>, at: number) => {
  const [head = '', body = '', signature = ''] = statement?.split('.') ?? []
  const said = readSaid(statement)
  const header = z.looseObject({ kid: z.string(), typ: z.literal('verdict+jwt') }).safeParse(readPart(head)).data
  if (!header || !said) throw new LogError('There is no statement of the registry')
  const leaves = facts.flatMap(({ index, entry }) =>
    index === null || entry === null ? [] : [{ index, leaf: toBase64(leafHash(Buffer.from(entry))) }],
  )
  if (JSON.stringify(said.facts) !== JSON.stringify(leaves))
    throw new LogError('The registry’s statement is about different entries from its proofs')
  if (said.result !== 'verified') throw new LogError('The registry’s statement does not say that the link was verified')
  const moment = said.iat * 1_000
  if (Math.abs(moment - at) > clockToleranceMs)
    throw new LogError('The registry’s statement is from a different time than the verdict')
  const { link, jti, exp, shown, binding, strength } = said
  return { kid: header.kid, moment, link, jti, exp, shown, binding, strength, signed: `${head}.${body}`, signature }
}

/** The entry of the platform that vouched for the server, if the signed statement is about one. What the registry says of it is not signed. */
export const statedPlatform = ({ facts }: Pick<LogProofs, 'facts'>) => {
  const [platform, ...others] = facts
    .flatMap(({ entry }) => (entry === null ? [] : [parseEntry(Buffer.from(entry))]))
    .filter(({ type }) => type === 'platform.trusted')
  if (others.length > 0) throw new LogError('The registry’s statement is about more than one platform')
  return platform
}

/** Whether the key, in base64url, signed the statement. */
export const isSignedBy = (x: string, { signed, signature }: { signed: string; signature: string }): boolean => {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verify(null, Buffer.from(signed), key, Buffer.from(signature, 'base64url'))
}
