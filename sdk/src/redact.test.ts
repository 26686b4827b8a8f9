import { expect, it } from 'vitest'
import { redact } from './redact.ts'

const key = `csk_a1b2c3d4_${'k'.repeat(49)}`
const token = `eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiJodHRwczovL3IifQ.${'s'.repeat(86)}`

it.each([
  ['an API key', `Key ${key} was refused`, 'Key [key] was refused'],
  ['a token', `of ${token}.`, 'of [token].'],
  ['the path of a link', 'at https://r.example/v/W904-2CKW-GDNC-X7S1?x', 'at https://r.example/v/[link]?x'],
  ['a link code', 'W904 2CKW GDNC X7S1 and W9042CKWGDNCX7S1', '[link] and [link]'],
  [
    'nothing else',
    'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm is unquestionables',
    'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm is unquestionables',
  ],
])('removes %s', (_name, text, expected) => {
  expect(redact(text)).toBe(expected)
})
