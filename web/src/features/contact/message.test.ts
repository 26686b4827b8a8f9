import { describe, expect, it } from 'vitest'
import { findProblems, mailtoOf } from './message.ts'

const whole = { name: 'Ada', email: 'ada@example.test', subject: 'Hello', message: 'A question.' }

describe('a message', () => {
  it.each(['name', 'email', 'subject', 'message'] as const)('requires its %s', (name) => {
    expect(Object.keys(findProblems({ ...whole, [name]: '' }))).toEqual([name])
  })

  it.each(['ada', 'ada@', '@example.test', 'ada @example.test', 'a@b@c'])('rejects %j as an email address', (email) => {
    expect(Object.keys(findProblems({ ...whole, email }))).toEqual(['email'])
  })

  it('is complete with all four fields', () => {
    expect(findProblems(whole)).toEqual({})
  })
})

it.each([
  { field: 'subject', text: 'x&bcc=everyone@example.test' },
  { field: 'subject', text: 'x#y?z%0d%0aBcc: everyone' },
  { field: 'message', text: 'Line\nBcc: everyone@example.test\r\n& more' },
  { field: 'name', text: '“日本” <b>' },
] as const)('passes the text to an email program as typed: $text', ({ field, text }) => {
  const url = new URL(mailtoOf('desk@registry.example', { ...whole, [field]: text }))
  expect(url.pathname).toBe('desk@registry.example')
  expect([...url.searchParams.keys()]).toEqual(['subject', 'body'])
  expect(url.hash).toBe('')
  const said = field === 'subject' ? url.searchParams.get('subject') : url.searchParams.get('body')
  expect(said).toContain(text.replace(/\r?\n/g, '\r\n'))
})
