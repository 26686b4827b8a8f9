import { formatLinkCode, readLink } from '@countersign/sdk/verify'

export type TypedLink =
  | { kind: 'open'; path: string }
  | { kind: 'empty' | 'mistyped' | 'malformed' }
  | { kind: 'foreign'; host: string }

/** Classifies the input of the box. A link of another registry is named and never opened. */
export const readTypedLink = (text: string, ownHost: string): TypedLink => {
  if (text.trim() === '') return { kind: 'empty' }
  const reading = readLink(text)
  const host = reading.origin === null ? ownHost : new URL(reading.origin).host
  if (host !== ownHost) return { kind: 'foreign', host }
  if (reading.kind === 'code') return { kind: 'open', path: `/v/${formatLinkCode(reading.code)}` }
  if (reading.kind === 'token') return { kind: 'open', path: `/verify/${reading.token}` }
  return { kind: reading.kind }
}

/** The mistyped code as entered, for correcting it. Surrounding text is left out, because it could say anything. */
export const openedCode = (token: string): string | null => {
  const symbols = token.replace(/[^0-9A-Za-z]/g, '')
  return symbols.length >= 15 && symbols.length <= 17 && token.length <= 32 ? token : null
}
