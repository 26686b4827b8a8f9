import { guardOutput, type VerificationLink } from '@countersign/sdk'
import { createLinkCode, formatLinkCode } from '@countersign/sdk/verify'
import type { Written } from './hostile-markup.ts'
import { findLies, isGood, type Registry, renderers } from './rendering.ts'

const now = Date.UTC(2026, 0, 5, 12)
const codeOf = (number: number) =>
  formatLinkCode(
    createLinkCode(
      now,
      Uint8Array.from({ length: 8 }, (_, index) => number * 31 + index * 7),
    ),
  )
const host = 'registry.example'
const linkOf = (code: string): VerificationLink => ({
  url: `https://${host}/v/${code}`,
  code,
  token: '',
  verificationId: `vrf_${code}`,
  expiresAt: '',
  challenge: null,
  origin: null,
})
const links = [1, 2, 3].map(codeOf).map(linkOf)
export const registry: Registry = { host, own: links, foreign: [codeOf(4)] }
const issued = { get: () => Promise.reject(new Error()), issuedTo: () => links, isOthers: () => false }
export const create = (onForeign: 'strip' | 'mark') =>
  guardOutput({ issued, sessionId: 'chat-1', host, onForeign, now: () => now })

const inPieces = async (text: string, onForeign: 'strip' | 'mark', sizes: readonly number[]) => {
  const guard = create(onForeign)
  const reading = (async () => {
    let output = ''
    for await (const chunk of guard.readable) output += chunk
    return output
  })()
  const writer = guard.writable.getWriter()
  for (let at = 0, index = 0; at < text.length; index++) {
    const size = sizes[index % sizes.length] ?? 1
    await writer.write(text.slice(at, at + size))
    at += size
  }
  await writer.close()
  return reading
}

/** Addresses do not become links in HTML and TeX. */
const leadsIn = (name: string) => name !== 'HTML' && name !== 'TeX'
const rendered = (text: string) => Object.entries(renderers).map(([name, render]) => ({ name, html: render(text) }))

const plainAnchor = /<a(?:\s[^<>`]*)?>(?:[^<>`~\\\t\n\]]|`[^`<>\\~\n]+`|<\/?[bi]>)*<\/a>|<a\s[^<>]*href=["']?$/gi
/** Elements whose end a browser may not find: an anchor, or a label with tags. */
const endless = /<a[\s/]|<.*\][[(:]/is

const plainTag = /<(?!a[\s/>])[a-z][a-z0-9-]*(?:\s+[a-z-]+(?:=(?:"[^"<>`]*"|'[^'<>`]*'|[^\s"'<>=`]+))?)*\s*\/?>/gi
const plainHref = /\\href\{[^\s{}\\%]{1,1200}\}\{[^{}\\$%^&<>\n]{0,400}\}/g
/** An element other than an anchor with an address, or one that may still get it. */
const oddElement = /\\href|(?:<|&lt;?|&#60;?|&#x3c;?)(?!a\s)[a-z].*href/is

/** An own link must come through unless something before it may still be open. */
const isPromised = (text: string, url: string) => {
  const before = text.slice(0, text.lastIndexOf(url))
  const odd = before.replace(plainHref, '').replace(plainTag, (tag) => (tag.includes('href') ? tag : ''))
  return !endless.test(before.replace(plainAnchor, '')) && !oddElement.test(odd)
}

/** The faults in the guard's output for a text. */
export const judge = async ({ text, good }: Written, onForeign: 'strip' | 'mark', sizes: readonly number[]) => {
  const output = create(onForeign).check(text).text
  const pages = rendered(output)
  const lies = pages.flatMap(({ name, html }) => findLies(html, registry).map((lie) => `${name}: ${lie}`))
  const promised = registry.own.filter(({ url }, index) => good.includes(index) && isPromised(text, url))
  const before = promised.length === 0 ? [] : rendered(text)
  const broken = promised.flatMap((link) => {
    if (!before.every(({ name, html }) => isGood(html, link, leadsIn(name)))) return []
    return pages
      .filter(({ name, html }) => !isGood(html, link, leadsIn(name)))
      .map(({ name }) => `${name}: breaks ${link.url}`)
  })
  const streamed = sizes.length === 0 ? output : await inPieces(text, onForeign, sizes)
  return [...lies, ...broken, ...(streamed === output ? [] : [`streamed: ${streamed}`])]
}
