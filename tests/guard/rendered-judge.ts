import { guardOutput, type VerificationLink } from '@countersign/sdk'
import { formatLinkCode } from '@countersign/sdk/verify'
import { createLinkCode } from '@countersign/sdk/verify/link-codes'
import type { Written } from './hostile-markup.ts'
import { isPromisedAfter } from './promise.ts'
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

/** The faults in the guard's output for a text. */
export const judge = async ({ text, good }: Written, onForeign: 'strip' | 'mark', sizes: readonly number[]) => {
  const output = create(onForeign).check(text).text
  const pages = rendered(output)
  const lies = pages.flatMap(({ name, html }) => {
    // TeX shows no spaces. The guard leaves codes whose groups vary in size.
    const found = findLies(html, name === 'TeX' ? { ...registry, foreign: [] } : registry)
    return found.map((lie) => `${name}: ${lie}`)
  })
  const promised = registry.own.filter(
    ({ url }, index) => good.includes(index) && isPromisedAfter(text.slice(0, text.lastIndexOf(url))),
  )
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
