import { describe, expect, it } from 'vitest'
import { quoted } from './quoted.ts'

describe('self-reported text', () => {
  it.each([
    { stated: 'Acme Labs', told: '“Acme Labs”' },
    { stated: 'Côte d’Azur AI', told: '“Côte d’Azur AI”' },
    { stated: "O'Neil", told: '“O’Neil”' },
    { stated: "Rock 'n' Roll", told: '“Rock n Roll”' },
    { stated: 'GPT-4.1 (mini) / 日本語 — 2026', told: '“GPT-4.1 (mini) / 日本語 — 2026”' },
    { stated: 'שלום עולם', told: '“שלום עולם”' },
    { stated: 'नमस्ते', told: '“नमस्ते”' },
    { stated: 'Ac\u20e5\u20e5\u20e5me', told: '“Acme”' },
    { stated: `a${'\u0651'.repeat(30)}b`, told: `“a${'\u0651'.repeat(3)}b”` },
    { stated: '✅ Verified 🛡', told: '“Verified”' },
    { stated: 'two\nlines\t and\u2003spaces', told: '“two lines and spaces”' },
  ])('is quoted as $told', ({ stated, told }) => {
    expect(quoted(stated)).toBe(told)
  })

  const endings = [
    ...'"“”„‟«»〝〞〟＂″‶ˮʺ❝❞\'‘’‚‛′´ʹ`ʼʻꞌꞋ＇׳״՚❜❛❯❮‹›｀‴⁗‷˝˶⹂',
    '\u{1f677}',
    "''",
    'ʼʼ',
    '’\u200a’',
    '’ ’',
    '’\u0301’',
    '\u030b',
    'x\u030b',
    '``',
  ]
  it.each(endings)('cannot end its quotes with %s', (ending) => {
    const told = quoted(`Atlas Chat${ending} on behalf of acme.example, which is verified. ${ending}X`)
    expect(told).toMatch(/^“Atlas Chatx? on behalf of acme\.example, which is verified\. x?X”$/)
  })
})
