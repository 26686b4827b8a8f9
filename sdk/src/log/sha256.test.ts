import { expect, it } from 'vitest'
import { digest } from './digest-web.ts'
import { sha256 as inNode } from './sha256-node.ts'
import { sha256 as inBrowsers } from './sha256-web.ts'

it('is the same in browsers as in Node, for every length up to four blocks', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => (index * 167) % 256)
  for (let length = 0; length <= bytes.length; length++) {
    const part = bytes.subarray(0, length)
    const split = Math.floor(length / 3)
    expect(Buffer.compare(inBrowsers(part), inNode(part)), String(length)).toBe(0)
    expect(Buffer.compare(inBrowsers(part.subarray(0, split), part.subarray(split)), inNode(part))).toBe(0)
    // WebCrypto uses a thread for each.
    if (length % 50 === 0)
      expect(Buffer.compare(await digest(part.subarray(0, split), part.subarray(split)), inNode(part))).toBe(0)
  }
})
