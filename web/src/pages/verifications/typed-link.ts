import { formatLinkCode, readLink } from '@countersign/sdk/verify'

export type TypedLink = { kind: 'open'; path: string } | { kind: 'empty' | 'mistyped' | 'malformed' } | { kind: 'foreign'; host: string }

/** What someone put into the box. A link of another registry is named and never opened. */
export const readTypedLink = (text: string, ownHost: string): TypedLink => {
  if (text.trim() === '') return { kind: 'empty' }
  const reading = readLink(text)
  const host = reading.origin === null ? ownHost : new URL(reading.origin).host
  if (host !== ownHost) return { kind: 'foreign', host }
  if (reading.kind === 'code') return { kind: 'open', path: `/v/${formatLinkCode(reading.code)}` }
  if (reading.kind === 'token') return { kind: 'open', path: `/verify/${reading.token}` }
  return { kind: reading.kind }
}
