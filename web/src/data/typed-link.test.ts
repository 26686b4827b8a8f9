import { formatLinkCode } from '@countersign/sdk/verify'
import { createLinkCode } from '@countersign/sdk/verify/link-codes'
import { expect, it } from 'vitest'
import { openedCode, readTypedLink } from './typed-link.ts'

const host = 'registry.example'
const code = formatLinkCode(
  createLinkCode(Date.parse('2026-11-20T10:00:00Z'), new Uint8Array([9, 8, 7, 6, 5, 4, 3, 2])),
)
const wrong = `${code.slice(0, -1)}${code.endsWith('0') ? '1' : '0'}`
const token = `eyJhbGciOiJFZERTQSJ9.${'a'.repeat(40)}.${'b'.repeat(40)}`

it.each([
  { name: 'nothing', text: '  ', typed: { kind: 'empty' } },
  { name: 'the code', text: code, typed: { kind: 'open', path: `/v/${code}` } },
  {
    name: 'the code without hyphens, in lower case',
    text: code.replaceAll('-', '').toLowerCase(),
    typed: { kind: 'open', path: `/v/${code}` },
  },
  { name: 'the whole link', text: `https://${host}/v/${code}`, typed: { kind: 'open', path: `/v/${code}` } },
  {
    name: 'the link in a sentence',
    text: `Check it here: https://${host}/v/${code}.`,
    typed: { kind: 'open', path: `/v/${code}` },
  },
  { name: 'a token', text: token, typed: { kind: 'open', path: `/verify/${token}` } },
  { name: 'one wrong character', text: wrong, typed: { kind: 'mistyped' } },
  { name: 'a question', text: 'are you real?', typed: { kind: 'malformed' } },
  {
    name: 'a link of another registry',
    text: `https://other.example/v/${code}`,
    typed: { kind: 'foreign', host: 'other.example' },
  },
  {
    name: 'another registry, mistyped',
    text: `https://other.example/v/${wrong}`,
    typed: { kind: 'foreign', host: 'other.example' },
  },
  {
    name: 'a host that only begins like ours',
    text: `https://${host}.evil.example/v/${code}`,
    typed: { kind: 'foreign', host: `${host}.evil.example` },
  },
  {
    name: 'our host as a user name',
    text: `https://${host}@evil.example/v/${code}`,
    typed: { kind: 'foreign', host: 'evil.example' },
  },
])('$name', ({ text, typed }) => {
  expect(readTypedLink(text, host)).toEqual(typed)
})

it.each([
  { name: 'a code', token: wrong, shown: wrong },
  { name: 'a code with a missing character', token: code.slice(1), shown: code.slice(1) },
  { name: 'spaces for hyphens', token: wrong.replaceAll('-', ' '), shown: wrong.replaceAll('-', ' ') },
  { name: 'a sentence around it', token: `Call us: ${wrong}`, shown: null },
  { name: 'a code with many symbols', token: wrong.replaceAll('-', '!!!!!!!!'), shown: null },
])('shows a mistyped link only if it is spelled like a code: $name', ({ token, shown }) => {
  expect(openedCode(token)).toBe(shown)
})
