import { formatLinkCode } from '@countersign/sdk/verify'
import { createLinkCode } from '@countersign/sdk/verify/link-codes'
import { expect, it } from 'vitest'
import { exactPath } from './exact-path.ts'

const host = 'registry.example'
const code = formatLinkCode(
  createLinkCode(Date.parse('2026-11-20T10:00:00Z'), new Uint8Array([9, 8, 7, 6, 5, 4, 3, 2])),
)
const wrong = `${code.slice(0, -1)}${code.endsWith('0') ? '1' : '0'}`
const body = '06h0avn7m9rg9as28ypcxn2c60'

it.each([
  { text: `https://${host}/v/${code}`, path: `/v/${code}` },
  { text: ` ${code.toLowerCase().replaceAll('-', ' ')} `, path: `/v/${code}` },
  { text: `mdl_${body}`, path: `/models/mdl_${body}` },
  { text: `prv_${body}`, path: `/providers/prv_${body}` },
  { text: `https://evil.example/v/${code}`, path: `/v?link=${encodeURIComponent(`https://evil.example/v/${code}`)}` },
  { text: `https://${host}/v/${wrong}`, path: `/v?link=${encodeURIComponent(`https://${host}/v/${wrong}`)}` },
  { text: 'stable diffusion', path: undefined },
  { text: 'stablediffusion3', path: undefined },
  { text: 'acme.example', path: undefined },
  { text: `mdl_${body}0`, path: undefined },
  { text: '9f2c41d7'.repeat(8), path: undefined },
])('the search box opens $path for "$text"', ({ text, path }) => {
  expect(exactPath(text, host)).toBe(path)
})
