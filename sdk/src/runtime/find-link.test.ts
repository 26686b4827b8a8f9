import { expect, it } from 'vitest'
import { formatLinkCode, isLinkCode } from '../verify/link-code.ts'
import { guardOutput } from './guard-output.ts'
import type { VerificationLink } from './link-issuer.ts'

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

it('lets an own link through where digits of its host, its port and its own beginning happen to make up another code', () => {
  const own = '01WXSGTCAV4B0VJE'
  expect(isLinkCode('0146798V01WXSGTC')).toBe(true)
  for (const written of [linkOf(own).url, linkOf(own).url.toLowerCase(), `**${linkOf(own).url}**`]) {
    const { text, findings } = guard(own).check(`Check me: ${written} (15 minutes)`)
    expect(text).toContain(linkOf(own).url)
    expect(findings.map(({ kind }) => kind)).not.toContain('foreign')
  }
})

it('takes out a foreign code that stands before or after the own one in the same address', () => {
  const own = '01WXSGTCAV4B0VJE'
  const foreign = formatLinkCode('0146798V01WXSGTC')
  for (const written of [`${linkOf(own).url}?next=${foreign}`, `${host}/${foreign}/v/${own}`, `http://${foreign}@127.0.0.1:46798/v/${own}`])
    expect(guard(own).check(`See ${written} now`).text).not.toContain(foreign)
})
