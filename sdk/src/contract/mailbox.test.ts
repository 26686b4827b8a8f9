import { expect, it } from 'vitest'
import { inboxOf, mailboxOf } from './mailbox.ts'

it.each([
  'ada@acme.example',
  ' Ada@ACME.example ',
  'ａｄａ@acme.example',
  'ada@ａｃｍｅ.example',
  'ada@acme。example',
  'ada@acme．example',
  'ada＠acme.example',
  'a\u00adda@ac\u00adme.example',
  'ada@acme\u200b.example',
  'ada@\u{1d41a}cme.example',
])('reads %j as ada@acme.example', (address) => {
  expect(mailboxOf(address)).toBe('ada@acme.example')
})

it('normalizes letters with marks, and writes hosts in ASCII', () => {
  expect(mailboxOf('jose\u0301@bücher.example')).toBe('josé@xn--bcher-kva.example')
})

it('keeps other addresses apart', () => {
  for (const other of ['ada+1@acme.example', 'ad.a@acme.example', 'ada@acme.example.northwind.example', 'ada', ''])
    expect(mailboxOf(other)).not.toBe('ada@acme.example')
})

it.each([
  { address: 'Ada+news+2@Acme.example', inbox: 'ada@acme.example' },
  { address: 'ada.l@acme.example', inbox: 'ada.l@acme.example' },
  { address: 'A.da+1@googlemail.com', inbox: 'ada@gmail.com' },
  { address: '+1@acme.example', inbox: '+1@acme.example' },
])('counts $address as $inbox', ({ address, inbox }) => {
  expect(inboxOf(address)).toBe(inbox)
})
