import { escapeMarkup } from '../markup.ts'
import { shortenedFit } from '../names/rules.ts'

/**
 * A line of an email: our own words, a link, a code, a domain or mailbox that must not become a link, text by other people, or an identity
 * that `quoteExactly` wrote.
 */
export type MailLine =
  | string
  | { link: string; label: string }
  | { code: string }
  | { domain: string }
  | { mailbox: string }
  | { quote: string }
  | { identity: string }

export interface MailText {
  subject: string
  lines: readonly MailLine[]
}

const quoteLength = 60

/** What email programs turn into links: an address with a scheme, an IP address, or a host name in any script. */
const addresses = [
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s”]*/gi,
  /\[[0-9a-f:]*:[0-9a-f:.]*\][^\s”]*/gi,
  /\b\d{1,3}(?:\.\d{1,3}){3}\b[^\s”]*/g,
  /(?:[\p{L}\p{M}\p{N}_-]+[.\u3002\uff0e\uff61])+(?:xn--[a-z0-9-]+|\p{L}[\p{L}\p{M}]+)[^\s”]*/giu,
]

/** The rest is never shown, so don't process it. */
const longestQuote = 1_000

/** `quoteExactly` writes up to nine characters for one, and identities have at most 255. */
const longestIdentity = 3_000

const withoutAddresses = (text: string, max = longestQuote): string => {
  const line = text.slice(0, max).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
  return addresses.reduce((rest, address) => rest.replace(address, '[address]'), line).trim()
}

/** Text by other people, made harmless: one short line without addresses, which cannot lead anywhere or look like ours. */
export const tamed = (text: string): string => {
  const plain = withoutAddresses(text)
  return plain === '' ? '' : shortenedFit(plain, quoteLength, 'company') || '(not shown)'
}

/** Email programs turn a plain domain into a link, also one in front of the @ of a mailbox. */
const notLinked = (domain: string) => domain.replaceAll(/[.\u3002\uff0e\uff61]/g, '[.]')

const shownOf = (line: { quote: string } | { identity: string }): string =>
  'quote' in line ? tamed(line.quote) : withoutAddresses(line.identity, longestIdentity)

const textOf = (line: MailLine): string => {
  if (typeof line === 'string') return line
  if ('link' in line) return `${line.label}:\n${line.link}`
  if ('code' in line) return `    ${line.code}`
  if ('domain' in line) return textOf({ code: notLinked(line.domain) })
  if ('mailbox' in line) return textOf({ domain: line.mailbox })
  return `> ${shownOf(line)}`
}

const htmlOf = (line: MailLine): string => {
  if (typeof line === 'string') return `<p>${escapeMarkup(line)}</p>`
  if ('link' in line)
    return `<p><a href="${escapeMarkup(line.link)}">${escapeMarkup(line.label)}</a><br><small>${escapeMarkup(line.link)}</small></p>`
  if ('code' in line)
    return `<p style="font:600 22px ui-monospace,monospace;letter-spacing:2px">${escapeMarkup(line.code)}</p>`
  if ('domain' in line) return htmlOf({ code: notLinked(line.domain) })
  if ('mailbox' in line) return htmlOf({ domain: line.mailbox })
  return `<blockquote>${escapeMarkup(shownOf(line))}</blockquote>`
}

/** Both forms of an email. The HTML loads nothing. */
export const renderMail = ({ subject, lines }: MailText, publicUrl: string) => {
  const footer = `This email was sent by the Countersign registry at ${publicUrl}.`
  return {
    subject,
    body_text: `${[...lines.map(textOf), '-- ', footer].join('\n\n')}\n`,
    body_html: `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escapeMarkup(subject)}</title><body style="font:16px/1.5 system-ui,sans-serif;max-width:36em;margin:2em auto;padding:0 1em">${lines.map(htmlOf).join('')}<hr><p><small>${escapeMarkup(footer)}</small></p></body></html>`,
  }
}

/** Milliseconds until the next attempt after this many; undefined after about twelve hours. */
export const retryAfterMs = (attempts: number): number | undefined =>
  attempts > 10 ? undefined : Math.min(4 * 3_600_000, 30_000 * 2 ** attempts)
