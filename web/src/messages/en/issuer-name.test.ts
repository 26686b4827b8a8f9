import { expect, it } from 'vitest'
import { issuerName } from './issuer-name.ts'

it.each([
  ['https://accounts.google.com', 'https://accounts.google.com'],
  ['https://login.microsoftonline.com/8c1f-42/v2.0', 'https://login.microsoftonline.com/8c1f-42/v2.0'],
  ['http://issuer.example', '“http://issuer.example”'],
  ['https://issuer.example/,verified', '“https://issuer.example/,verified”'],
  ['https://issuer.éxample', '“https://issuer.\\u{e9}xample”'],
])('an issuer at %s is shown as %s', (issuer, shown) => {
  expect(issuerName(issuer)).toBe(shown)
})
