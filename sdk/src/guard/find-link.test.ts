import { expect, it } from 'vitest'
import type { VerificationLink } from '../runtime/link-issuer.ts'
import { formatLinkCode, isLinkCode, mayBeLive } from '../verify/link-code.ts'
import { guardOutput } from './guard-output.ts'

const now = Date.UTC(2026, 10, 21, 16, 10)
const host = 'http://127.0.0.1:46798'

const linkOf = (code: string): VerificationLink => ({
  url: `${host}/v/${formatLinkCode(code)}`,
  code: formatLinkCode(code),
  token: '',
  verificationId: `vrf_${code}`,
  expiresAt: '',
  challenge: null,
  origin: null,
})

const guard = (own: string) => {
  const issued = { get: () => Promise.reject(new Error()), issuedTo: () => [linkOf(own)], isOthers: () => false }
  return guardOutput({ issued, sessionId: 'chat-1', host, now: () => now })
}

it('keeps an own link if digits of its host, port and own beginning form another code by chance', () => {
  const own = '01WXSGTCAV4B0VJE'
  expect(isLinkCode('0146798V01WXSGTC')).toBe(true)
  for (const written of [linkOf(own).url, linkOf(own).url.toLowerCase(), `**${linkOf(own).url}**`]) {
    const { text, findings } = guard(own).check(`Check me: ${written} (15 minutes)`)
    expect(text).toContain(linkOf(own).url)
    expect(findings.map(({ kind }) => kind)).not.toContain('foreign')
  }
})

it('removes a foreign code before or after the own one in the same address', () => {
  const own = '01WXSGTCAV4B0VJE'
  const foreign = formatLinkCode('0146798V01WXSGTC')
  for (const written of [
    `${linkOf(own).url}?next=${foreign}`,
    `${host}/${foreign}/v/${own}`,
    `http://${foreign}@127.0.0.1:46798/v/${own}`,
  ])
    expect(guard(own).check(`See ${written} now`).text).not.toContain(foreign)
})

it('keeps an own link if its scheme, host and port look like a current code', () => {
  const quarters = Array.from({ length: 1_024 }, (_, index) => now + index * 900_000)
  const at = quarters.find((time) => mayBeLive('HT', time)) ?? 0
  const port = Array.from({ length: 50_000 }, (_, index) => 10_000 + index).find((number) =>
    isLinkCode(`HTTP127001${number}V`),
  )
  const own = linkOf('01WXSGTCAV4B0VJE')
  const url = own.url.replace('46798', String(port))
  const issued = { get: () => Promise.reject(new Error()), issuedTo: () => [{ ...own, url }], isOthers: () => false }
  const check = (text: string) =>
    guardOutput({ issued, sessionId: 'chat-1', host: new URL(url).origin, now: () => at }).check(text)
  expect(check(`Here: ${url}`)).toMatchObject({ text: `Here: ${url}`, isClean: true })
  expect(check(`Here: ${url.slice(0, -1)}0`)).toMatchObject({ text: `Here: ${url}`, isClean: true })
})
