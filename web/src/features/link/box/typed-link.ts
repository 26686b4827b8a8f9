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

/** The spelling of a mistyped code as it was opened, to be looked at and mended. A text around it could say anything and is left out. */
export const openedCode = (token: string): string | null => {
  const symbols = token.replace(/[^0-9A-Za-z]/g, '')
  return symbols.length >= 15 && symbols.length <= 17 && token.length <= 32 ? token : null
}
