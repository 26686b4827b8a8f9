import { isId } from '@countersign/sdk/verify'
import { readTypedLink } from './typed-link.ts'

/** The page of a link, code or ID; undefined for anything else. */
export const exactPath = (text: string, ownHost: string): string | undefined => {
  const typed = text.trim()
  if (isId('mdl', typed)) return `/models/${typed}`
  if (isId('prv', typed)) return `/providers/${typed}`
  const link = readTypedLink(typed, ownHost)
  if (link.kind === 'open') return link.path
  // The page says what is wrong with it. Without an address it may just be words.
  if (link.kind === 'foreign' || /^https?:|\/v(erify)?\//i.test(typed)) return `/v?link=${encodeURIComponent(typed)}`
  return undefined
}
