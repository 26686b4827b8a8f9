import { describe, expect, it } from 'vitest'
import { renderMail, retryAfterMs, tamed } from './rules.ts'

describe('what somebody else wrote', () => {
  it.each([
    ['Acme Labs', 'Acme Labs'],
    ['Win at https://evil.example/x?y now', 'Win at [address] now'],
    ['go to evil.example/login', 'go to [address]'],
    ['two\r\nlines\u202e', 'two lines'],
    ['x'.repeat(100), `${'x'.repeat(59)}…`],
  ])('%j becomes %j', (given, told) => {
    expect(tamed(given)).toBe(told)
  })

  it('is escaped in HTML', () => {
    const { body_html } = renderMail({ subject: 'Hello', lines: [{ quote: '<img src=x onerror=alert(1)>' }] }, 'https://registry.example')
    expect(body_html).not.toContain('<img')
    expect(body_html).toContain('&lt;img')
  })
})

it('a mail that does not leave is tried for about a day, ever more seldom', () => {
  const waits = Array.from({ length: 11 }, (_, attempts) => retryAfterMs(attempts) ?? 0)
  expect(waits).toEqual([...waits].sort((a, b) => a - b))
  expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(86_400_000)
  expect(retryAfterMs(11)).toBeUndefined()
})
