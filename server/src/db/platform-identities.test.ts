import { expect, it } from 'vitest'
import { shownSubject } from './platform-identities.ts'

it.each([
  { issuer: 'https://accounts.google.com', shown: 'ceo@acme.example' },
  { issuer: 'https://login.microsoftonline.com/0d3c5f7a-0d3c-0d3c-0d3c-0d3c5f7a0d3c/v2.0', shown: '42' },
  { issuer: 'https://accounts.google.com.rival.example', shown: '42' },
])('shows an address only if $issuer verifies addresses', ({ issuer, shown }) => {
  expect(shownSubject({ issuer, subject: '42', claims: '{"email":"ceo@acme.example"}' })).toBe(shown)
  expect(shownSubject({ issuer, subject: '42', claims: '{}' })).toBe('42')
})
