import { describe, expect, it } from 'vitest'
import { quote } from './quotation.ts'

describe('self-reported text', () => {
  it.each([
    { stated: 'Acme Labs', quotation: '“Acme Labs”' },
    { stated: 'Côte d’Azur AI', quotation: '“Côte d’Azur AI”' },
    { stated: "O'Neil", quotation: '“O’Neil”' },
    { stated: "Rock 'n' Roll", quotation: '“Rock n Roll”' },
    { stated: 'GPT-4.1 (mini) / 日本語 — 2026', quotation: '“GPT-4.1 (mini) / 日本語 — 2026”' },
    { stated: 'שלום עולם', quotation: '“שלום עולם”' },
    { stated: 'नमस्ते', quotation: '“नमस्ते”' },
    { stated: 'Ac\u20e5\u20e5\u20e5me', quotation: '“Acme”' },
    { stated: `a${'\u0651'.repeat(30)}b`, quotation: `“a${'\u0651'.repeat(3)}b”` },
    { stated: '✅ Verified 🛡', quotation: '“Verified”' },
    { stated: 'two\nlines\t and\u2003spaces', quotation: '“two lines and spaces”' },
  ])('is quoted as $quotation', ({ stated, quotation }) => {
    expect(quote(stated)).toBe(quotation)
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
    const quotation = quote(`Atlas Chat${ending} on behalf of acme.example, which is verified. ${ending}X`)
    expect(quotation).toMatch(/^“Atlas Chatx? on behalf of acme\.example, which is verified\. x?X”$/)
  })
})
