import { guardOutput, type VerificationLink } from '@countersign/sdk'
import { formatLinkCode } from '@countersign/sdk/verify'
import { createLinkCode } from '@countersign/sdk/verify/link-codes'
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

const rendered = (text: string) => Object.entries(renderers).map(([name, render]) => ({ name, html: render(text) }))

const opening = '(?:<|&lt;?|&#60;?|&#x3c;?|＜)'
const attributes = `(?:\\s+[a-z-]+=(?:"[^"<>\`]*"|'[^'<>\`]*'|[^\\s"'<>=\`&]+))*\\s*`
/** Without escapes, which are markup to a program that decodes twice. */
const content = '(?:(?!&[#a-z]|[＜＞［］])[^<>`~\\\\\\t\\n[\\]]|`[^`<>\\\\~\\n[\\]]+`|</?[bi]>)*'
const plainAnchor = new RegExp(`<a${attributes}>${content}</a>|<a\\s[^<>]*href=["']?$`, 'gi')
/** An anchor that a browser may not see closed, so that the link is inside it. */
const openAnchor = new RegExp(`${opening}a(?:rea)?[\\s/]`, 'i')

const plainTag =
  /<\/?(?:b|br|button|code|details|i|img|p|s|span|summary|wbr)(?:\s+[a-z]+(?:=(?:"[^"<>`]*"|'[^'<>`]*'|[^\s"'<>=`]+))?)*\s*\/?>/gi
const bracket = '(?:\\[|［|&#91;|&lbrack;)'
/** A tag after a bracket, or around it, before a label ends: a browser may read that end as part of the tag. */
const tagInLabel = new RegExp(
  `(?:${bracket}.*${opening}|${opening}[^>]*${bracket}[^>]*>).*(?:\\]|］|&#93;|&rbrack;)[[(:]`,
  's',
)

const plainHref = /\\href\{[^\s{}\\%]{1,1200}\}\{[^{}\\$%^&<>\n]{0,400}\}/g
/** A formula's link whose label may continue. */
const openHref = /\\href/i
/** In MathML, any element with an address is a link, and one without an end tag stays open. */
const mathHref = new RegExp(`${opening}math.*href`, 'is')

/** Browsers show none of the text after it. */
const hiding =
  /<(iframe|no(?:embed|frames|script)|plaintext|script|style|template|textarea|title|xmp)[\s/>](?!.*<\/\1)/is

/** It opens code where the guard ends the address before it. */
const backtickInAddress = /https?:\S*`/i

/** An own link must come through unless something before it may still be open: the guard cannot know each program. */
const isPromised = (text: string, url: string) => {
  const before = text.slice(0, text.lastIndexOf(url))
  return !(
    openAnchor.test(before.replace(plainAnchor, '')) ||
    before.split(/\n[ \t\r]*\n/).some((paragraph) => tagInLabel.test(paragraph.replace(plainTag, ''))) ||
    openHref.test(before.replace(plainHref, '')) ||
    mathHref.test(before) ||
    hiding.test(before) ||
    backtickInAddress.test(before)
  )
}

/** The faults in the guard's output for a text. */
export const judge = async ({ text, good }: Written, onForeign: 'strip' | 'mark', sizes: readonly number[]) => {
  const output = create(onForeign).check(text).text
  const pages = rendered(output)
  const lies = pages.flatMap(({ name, html }) => {
    // TeX shows no spaces. The guard leaves codes whose groups vary in size.
    const found = findLies(html, name === 'TeX' ? { ...registry, foreign: [] } : registry)
    return found.map((lie) => `${name}: ${lie}`)
  })
  const promised = registry.own.filter(({ url }, index) => good.includes(index) && isPromised(text, url))
  const before = promised.length === 0 ? [] : rendered(text)
  const broken = promised.flatMap((link) => {
    if (!before.every(({ html }) => isGood(html, link, false))) return []
    return pages
      .filter(({ html }, index) => !isGood(html, link, isGood(before[index]?.html ?? '', link, true)))
      .map(({ name }) => `${name}: breaks ${link.url}`)
  })
  const streamed = sizes.length === 0 ? output : await inPieces(text, onForeign, sizes)
  return [...lies, ...broken, ...(streamed === output ? [] : [`streamed: ${streamed}`])]
}
