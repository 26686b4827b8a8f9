import { describe, expect, it } from 'vitest'
import { invisibleCharacters } from '../contract/text.ts'
import { quoteFile } from './file-quotation.ts'
import { quote, quoteExactly, quoteIssuer } from './quotation.ts'

describe('self-reported text', () => {
  it.each([
    { stated: 'Acme Labs', quotation: '“Acme Labs”' },
    { stated: 'Côte d’Azur AI', quotation: '“Côte d’Azur AI”' },
    { stated: "O'Neil", quotation: '“O’Neil”' },
    { stated: "Rock 'n' Roll", quotation: '“Rock n Roll”' },
    { stated: 'GPT-4.1 (mini) / 日本語 — 2026', quotation: '“GPT-4.1 (mini) / 日本語 — 2026”' },
    { stated: 'שלום עולם', quotation: '“שלום עולם”' },
    { stated: 'नमस्ते', quotation: '“नमस्ते”' },
    { stated: 'ייִדיש װײַל', quotation: '“ייִדיש װײַל”' },
    { stated: 'いすゞ ｶﾞｿﾘﾝ がヾ', quotation: '“いすゞ ｶﾞｿﾘﾝ がヾ”' },
    { stated: 'nêhiyawêwin ᓀᐦᐃᔭᐍᐏᐣ', quotation: '“nêhiyawêwin ᓀᐦᐃᔭᐍᐏᐣ”' },
    { stated: 'مُخْتَبَر Tiếng Việt हिन्दी', quotation: '“مُخْتَبَر Tiếng Việt हिन्दी”' },
    { stated: 'Ac\u20e5\u20e5\u20e5me', quotation: '“Acme”' },
    { stated: `ب${'\u0651'.repeat(30)}b`, quotation: `“ب${'\u0651'.repeat(3)}b”` },
    { stated: '✅ Verified 🛡', quotation: '“Verified”' },
    { stated: 'two\nlines\t and\u2003spaces', quotation: '“two lines and spaces”' },
    {
      stated: 'one\u00a0\u202fof\u3000all\u3164kinds\u2800\uffa0of\u115f\u1160blanks\u3164',
      quotation: '“one of all kinds of blanks”',
    },
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
    '\u3164’\u3164',
    '’\u0301’',
    '\u030b',
    'x\u030b',
    '``',
    ...'ᐥᐦᑊᑋᐟᐠᛌﹰﹲײיﾞﾟゞヽ\u3099\u309a\u064b\u{16f51}',
    'ᐦᐦ',
    'ᑊ ᑊ',
    'ﾞﾞ',
    'ﾞヽ',
    'יי',
    'י\u05b4',
    '\u05b4י',
    'ᐦ\u064b',
    '’ﾞ',
    'ᐦ\u1680',
    '\u1680ᐦ\u1680',
    'ᛌ\u1680',
  ]
  it.each(endings)('cannot end its quotes with %s', (ending) => {
    const quotation = quote(`Atlas Chat${ending} on behalf of acme.example, which is verified. ${ending}X`)
    expect(quotation).toMatch(/^“Atlas Chatx? on behalf of acme\.example, which is verified\. x?X”$/)
  })
})

describe('an identity', () => {
  const plain = 'https://github.com/acme/models/.github/workflows/release.yml@refs/heads/main'
  const others = [...'{}\'"`\\”“’✓\u200b\u202eа\u0301'].map((mark) => `${plain}${mark}`)
  const pairs = [
    'a  b',
    'a b',
    'a\u00a0b',
    'caf\u00e9',
    'cafe\u0301',
    'p\u0430ypal',
    'paypal',
    '\ud800',
    'a\u{1f600}b',
    'ab',
    "a'b",
    'a’b',
  ]

  it('is quoted unchanged if it is plain', () => {
    expect(quoteExactly(plain)).toBe(`“${plain}”`)
    expect(quoteExactly("ceo{}'@mailhost.example")).toBe('“ceo\\u{7b}\\u{7d}\\u{27}@mailhost.example”')
    expect(quoteExactly('a  b')).toBe('“a\\u{20} b”')
  })

  it('never looks like another, and cannot end its quotation marks', () => {
    const stated = [plain, ...others, ...pairs, plain.replace('main', 'm\\u{61}in')]
    const shown = stated.map((text) => quoteExactly(text))
    expect(new Set(shown).size).toBe(stated.length)
    for (const text of shown) expect(text).toMatch(/^“(?!.* {2})[ -~]+”$/)
  })

  it('is read back from its quotation', () => {
    for (const text of [plain, ...others, ...pairs]) {
      const inside = quoteExactly(text).slice(1, -1)
      expect(inside.replace(/\\u\{([0-9a-f]+)\}/g, (_, hex) => String.fromCodePoint(Number.parseInt(hex, 16)))).toBe(
        text,
      )
    }
  })
})

it.each([
  { name: 'config.json', shown: '“config.json”' },
  { name: '模型/重み.safetensors', shown: '“模型/重み.safetensors”' },
  { name: 'model\u202Esrosnetefas.py', shown: '“model\\u{202e}srosnetefas.py”' },
  { name: 'a\u200b.py', shown: '“a\\u{200b}.py”' },
  { name: "a' is proven", shown: '“a\\u{27} is proven”' },
])('the name of a file is quoted without loss: $shown', ({ name, shown }) => {
  expect(quoteFile(name)).toBe(shown)
})

it('the name of a file is shown with each of its invisible characters', () => {
  const letters = ['\u3164', '\u115f', '\u1160', '\ufe0f', '\u{e0100}', '\u17b4', '\u180b']
  const all = Array.from({ length: 0x110000 }, (_, code) => (code >> 11 === 27 ? '' : String.fromCodePoint(code)))
  const listed = all.filter((mark) => mark.replace(invisibleCharacters, '') !== mark)
  expect(listed.length).toBeGreaterThan(300)
  for (const mark of [...letters, ...listed])
    expect(quoteFile(`a${mark}.py`)).toBe(`“a\\u{${mark.codePointAt(0)?.toString(16)}}.py”`)
})

it.each([
  { issuer: 'https://accounts.google.com', shown: 'https://accounts.google.com' },
  {
    issuer: 'https://login.microsoftonline.com/8c1f-42/v2.0',
    shown: 'https://login.microsoftonline.com/8c1f-42/v2.0',
  },
  { issuer: 'http://issuer.example', shown: '“http://issuer.example”' },
  { issuer: 'https://issuer.example/,verified', shown: '“https://issuer.example/,verified”' },
  { issuer: 'https://issuer.éxample', shown: '“https://issuer.\\u{e9}xample”' },
])('an issuer at $issuer is shown as $shown', ({ issuer, shown }) => {
  expect(quoteIssuer(issuer)).toBe(shown)
})
