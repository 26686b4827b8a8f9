import { expect, it } from 'vitest'
import { hashResponse } from './hash-response.ts'

it.each([
  { text: '', hash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' },
  { text: 'hello', hash: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824' },
  { text: 'héllo\r\n', hash: 'c9f0d761d6738e2884e0c20ff19a2d5b58c62b09f663db0ad2c8eb280390c120' },
])('hashes the exact UTF-8 bytes of $text', async ({ text, hash }) => {
  expect(await hashResponse(text)).toBe(hash)
})
