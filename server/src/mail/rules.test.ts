import { describe, expect, it } from 'vitest'
import { renderMail, retryAfterMs, tamed } from './rules.ts'

describe('text by other people', () => {
  it.each([
    ['Acme Labs', 'Acme Labs'],
    ['Win at https://evil.example/x?y now', 'Win at [address] now'],
    ['go to evil.example/login', 'go to [address]'],
    ['go to пример.рф/x now', 'go to [address] now'],
    ['go to 例え。テスト/x', 'go to [address]'],
    ['go to bücher.example', 'go to [address]'],
    ['go to xn--e1afmkfd.xn--p1ai/x', 'go to [address]'],
    ['at 93.184.216.34/pay', 'at [address]'],
    ['at 93.184.216.34:8080', 'at [address]'],
    ['at [2001:db8::1]/pay', 'at [address]'],
    ['at [::ffff:93.184.216.34]', 'at [address]'],
    ['Acme Labs Inc. 2.5 [Beta]', 'Acme Labs Inc. 2.5 [Beta]'],
    ['two\r\nlines\u202e', 'two lines'],
    ['x'.repeat(100), `${'x'.repeat(59)}…`],
    [`${'x '.repeat(20)}thesis of Mistral. AI Labs`, `${'x '.repeat(20)}thesis of Mistral.…`],
    [
      'Node.js Laboratory for Applied Technology by Mistral. AI Research',
      '[address] Laboratory for Applied Technology by Mistral.…',
    ],
  ])('%j becomes %j', (given, shown) => {
    expect(tamed(given)).toBe(shown)
  })

  it('is escaped in HTML', () => {
    const { body_html } = renderMail(
      { subject: 'Hello', lines: [{ quote: '<img src=x onerror=alert(1)>' }] },
      'https://registry.example',
    )
    expect(body_html).not.toContain('<img')
    expect(body_html).toContain('&lt;img')
  })
})

it('writes a domain so that no email program makes a link of it', () => {
  const mail = renderMail({ subject: 'Hello', lines: [{ domain: 'acme.co.example' }] }, 'https://registry.example')
  for (const body of [mail.body_text, mail.body_html]) {
    expect(body).toContain('acme[.]co[.]example')
    expect(body).not.toContain('acme.co.example')
  }
})

it('shows the whole of a long identity, without its addresses', () => {
  const identity = `“system:serviceaccount:${'production-'.repeat(6)}chats:attacker”`
  for (const [given, shown] of [
    [identity, identity],
    ['“spiffe://evil.example/ns/chats”', '“[address]”'],
  ] as const)
    expect(
      renderMail({ subject: 'Hello', lines: [{ identity: given }] }, 'https://registry.example').body_text,
    ).toContain(`> ${shown}`)
})

it('writes a mailbox so that no email program makes a link of what is in front of its @', () => {
  const mailbox = 'www.openai.com/verify@evil.example'
  const mail = renderMail({ subject: 'Hello', lines: [{ mailbox }] }, 'https://registry.example')
  for (const body of [mail.body_text, mail.body_html]) {
    expect(body).toContain('www[.]openai[.]com/verify@evil[.]example')
    expect(body).not.toContain('openai.com')
  }
})

it('retries an undelivered email for about twelve hours, at growing intervals', () => {
  const waits = Array.from({ length: 11 }, (_, attempts) => retryAfterMs(attempts) ?? 0)
  expect(waits).toEqual([...waits].sort((a, b) => a - b))
  expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(86_400_000)
  expect(retryAfterMs(11)).toBeUndefined()
})
