import { expect, it } from 'vitest'
import type { VerificationLink } from '../runtime/link-issuer.ts'
import { createLinkCode } from '../verify/create-link-code.ts'
import { formatLinkCode, readLink } from '../verify/link-code.ts'
import { guardOutput } from './guard-output.ts'

const now = Date.UTC(2026, 0, 5, 12)
const codeOf = (number: number) =>
  formatLinkCode(
    createLinkCode(
      now,
      Uint8Array.from({ length: 8 }, (_, index) => number * 31 + index * 7),
    ),
  )
const [own, foreign] = [codeOf(1), codeOf(2)]
const page = 'models/mdl_06dh0e3x7c9bw4vjz2n8qk5ytm'
const url = `https://registry.example/v/${own}`
const link: VerificationLink = {
  url,
  code: own,
  token: '',
  verificationId: 'vrf_1',
  expiresAt: '',
  challenge: null,
  origin: null,
}
const issued = { get: () => Promise.reject(new Error()), issuedTo: () => [link], isOthers: () => false }
const create = (host: string) =>
  guardOutput({ issued, sessionId: 'chat-1', host, onForeign: 'mark', mark: '(!)', now: () => now })

const inPieces = async (text: string, host: string) => {
  const guard = create(host)
  const reading = (async () => {
    let output = ''
    for await (const chunk of guard.readable) output += chunk
    return output
  })()
  const writer = guard.writable.getWriter()
  for (let at = 0; at < text.length; at += 5) await writer.write(text.slice(at, at + 5))
  await writer.close()
  return reading
}

const expectGuarded = async (written: string, expected: string, host = 'registry.example') => {
  const { text } = create(host).check(written)
  expect(text).toBe(expected)
  expect(await inPieces(written, host)).toBe(expected)
  expect(create(host).check(text).text).toBe(text)
}

const joiners = [';', '!', '$', '.', ',', '~', '+', ':', '', '%3b', '&semi;', '/x']

it.each([
  ...joiners.map((joiner) => ({ written: `${url}${joiner}/../../${page}`, expected: url })),
  ...joiners.map((joiner) => ({
    written: `[Check me](${url}${joiner}/../../${page})`,
    expected: `[Check me](${url})`,
  })),
  ...[';/%2e%2e/../', ';/.%2E/', ';\\..\\..\\', '?', '#', '@evil.example/', '&#47;..&#47;'].map((rest) => ({
    written: `${url}${rest}${page}`,
    expected: url,
  })),
  { written: `(${url})/../../${page} (x)`, expected: `(${url})(!) (x)` },
  { written: `"${url}"/../../${page}`, expected: `"${url}"(!)` },
  { written: `${url}'/../../${page}`, expected: `${url}'(!)` },
  { written: `[${own}](https://evil.example)/../../${page}`, expected: `${url} (!)` },
  { written: `[${own}](https://evil.example)and`, expected: `${url} and` },
  { written: `and[${own}](https://evil.example)`, expected: `and ${url}` },
  { written: `[${own}](https://evil.example)_https://acme.example/`, expected: `${url} _https://acme.example/` },
  {
    written: `[${own}](https://evil.example)_地图https://acme.example/`,
    expected: `${url} _地图https://acme.example/`,
  },
  { written: `${url}_地图https://acme.example/`, expected: `${url} _地图https://acme.example/` },
  { written: `“${url}”，地图`, expected: `“${url}”，地图` },
  { written: `${url}and so on`, expected: `${url} and so on` },
  { written: `${url},and so on`, expected: `${url} ,and so on` },
  { written: `<a href="${url}\n/../../${page}">x</a>`, expected: url },
])('lets no one extend the own link to another address: $written', ({ written, expected }) =>
  expectGuarded(written, expected),
)

const middles = [
  '&af;',
  '&Tab;',
  '&NewLine;',
  '&#10;',
  '&#x0009;',
  '&shy',
  '&#000000000173;',
  '%C2%AD',
  '\u200b'.repeat(64),
  '&zwnj;',
]
const letters = [
  '&ropf;',
  '&rscr;',
  '&Rfr;',
  '&rcaron;',
  '&Racute;',
  '&realpart;',
  '&#00000000000000000114;',
  `&#x${'0'.repeat(40)}72;`,
  '%72',
  '&amp;ropf;',
]

it.each([
  ...middles.map((middle) => `https://regis${middle}try.example/${page}`),
  ...letters.flatMap((letter) => [
    `https://${letter}egistry.example/${page}`,
    `[x](https://${letter}egistry.example/${page})`,
  ]),
  `<a href="https://regis\ntry.example/${page}">x</a>`,
  `<a href="https://regis\t\n\ttry.example/${page}">x</a>`,
  `<a href='https:/\n/registry.exa\n\nmple/${page}'>x</a>`,
  `<area href="https://regis\ntry.example/${page}">`,
  `[${'x'}](<https://regis&Tab;try.example/${page}>)`,
  `https://regis&af;try.example/v/${foreign.replaceAll('-', '&af;')}`,
  `https://regis&af;try.example/v/${foreign.replaceAll('-', '$')}`,
])('decodes what a browser decodes: %s', (written) => expectGuarded(`See ${written} now`, 'See (!) now'))

it.each([
  ['registry.example', 'https://registry.example:08443/'],
  ['registry.example', 'https://registry.example.:443/'],
  ['https://registry.example.', 'https://registry.example/'],
  ['registry.example:80', 'http://registry.example:80/'],
  ['registry.example:8443', 'https://registry.example:0008443/'],
  ['registry.example', 'https://registry.example-verify.evil.example/'],
  ['registry.example', 'registry.example:p@evil.example/'],
  ['registry.example', 'https://registrყ.example/'],
  ['registry.example', 'https://registry.exampⵏe/'],
  ['registry.example', 'https://registry.ex⍺mple/'],
  ...['127.1', '2130706433', '0x7f.0.0.1', '0177.0.0.1', '[::ffff:127.0.0.1]', '127.0.0.1.', 'u:p@127.1'].map(
    (name) => ['http://127.0.0.1:4100', `http://${name}:4100/`],
  ),
  ['http://127.0.0.1:4100', 'http://127.0.0.1:04100/'],
  ['http://[::1]:4100', 'http://[0::1]:4100/'],
])('recognizes %s in %s', (host = '', address) => expectGuarded(`See ${address}${page} now`, 'See (!) now', host))

it.each([',', '=', '!', ')', '(', '→', '" "', '-------', '\n\n', ', ', '<b></b>-', '<!-- -->-', '·', '&af;'])(
  'removes a bare code with %j for hyphens',
  async (separator) => {
    const written = foreign.replaceAll('-', separator)
    const { text } = create('registry.example').check(`It is ${written} now`)
    expect(readLink(text).kind).not.toBe('code')
    expect(await inPieces(`It is ${written} now`, 'registry.example')).toBe(text)
  },
)

const invisible = ['\u200b', '&#8203;', '\u00ad', '%E2%80%8B']

it.each(
  invisible.flatMap((unit) => [
    { written: `${foreign}${unit}word`, expected: '(!)word' },
    { written: `word${unit}${foreign}`, expected: `word${unit}(!)` },
    { written: `${foreign}${unit}${own}`, expected: `(!)${own}` },
    { written: `${own}${unit}${foreign}`, expected: `${own} (!)` },
    { written: `${url}${unit}${foreign}`, expected: '(!)' },
    { written: `${own}${unit}${own.slice(0, 2)}![${own.slice(2)}](x)`, expected: `${own} ${own}](x)` },
    { written: `${url}${unit}${own.slice(0, 2)}![${own.slice(2)}](x)`, expected: `${url} ](x)` },
    { written: `.example/v/${foreign}${unit}${url}`, expected: `(!)${url}` },
  ]),
)('finds a code that only an invisible character separates from a word: $written', ({ written, expected }) =>
  expectGuarded(`See ${written} now`, `See ${expected} now`),
)

it.each([7, 6, 5])('removes a bare code in groups of %i', (size) =>
  expectGuarded(
    `It is ${foreign
      .replaceAll('-', '')
      .replace(new RegExp(`.{${size}}`, 'g'), '$& ')
      .trim()}.`,
    'It is (!).',
  ),
)

it.each([
  `[${url}]: <https://evil.example/>`,
  `[${url}]:      https://evil.example/`,
  `[${url}](https://evil.example/((((x)))))`,
  `<a href="https://evil.example/">${url}</a >`,
  `<a href=https://evil.example/>${url}`,
  `[${url}](https://evil.example/?${'a'.repeat(1_300)})`,
  `[\`]\` ${url}](https://evil.example/)`,
  `[<b title="]">${url}</b>](https://evil.example/)`,
  `[${'a '.repeat(220)}${url}](https://evil.example/)`,
  `<https://evil.example/|${url}>`,
  `[url=https://evil.example/]${url}[/url]`,
  `\\href{https://evil.example/}{${url}}`,
])('does not let the own link label another address: %s', async (written) => {
  const { text } = create('registry.example').check(written)
  expect(text).not.toMatch(/[0-9A-Z][(…]|\]\(https:\/\/evil|\]: *<?https:|href=|\|https|url=|href\{/)
  expect(await inPieces(written, 'registry.example')).toBe(text)
})

it.each([
  '[https://regis**try**.example/x](https://evil.example)',
  '[elpmaxe.yrtsiger](https://evil.example)',
  '[\u202eelpmaxe.yrtsiger//:sptth\u202c](https://evil.example)',
  '[registr&yscr;.example](https://evil.example)',
  '[registry.example]: <https://evil.example>',
])('rejects a label that shows the registry but leads elsewhere: %s', (written) =>
  expectGuarded(`See ${written}\n`, 'See (!)\n'),
)

it.each([
  JSON.stringify({ text: `Link: ${url}\nThanks, and more` }),
  'Ask registry.example:443, or registry.example: it knows',
  '&notanentity; &eacute;t&eacute; &copy;2026 a&b=c &#0; &#x110000; &',
  '[a](b (c (d (e (f)))))) <https://acme.example/|x> [url=https://acme.example]x[/url] \\href{https://acme.example}{x}',
  `<img src="https://acme.example/a\n.png"> a<b && c>d ${'&shy;'.repeat(3_000)}`,
  `See ${url}. [docs](https://acme.example) [1]: x ["a"]: y`,
])('leaves unchanged: %s', (written) => expectGuarded(written, written))

const part = (value: object) => btoa(JSON.stringify(value)).replace(/=+$/, '')
const claims = {
  iss: 'https://registry.example',
  iat: 1,
  exp: 2,
  jti: 'vrf_16dh0e3x7c9bw4vjz2n8qk5ytm',
  model_id: 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm',
  provider_id: 'prv_06dh0e3x7c9bw4vjz2n8qk5ytm',
  model_identifier: 'acme-chat',
  version: '1',
  bound_to_response: false,
}
const [head, body] = [part({ alg: 'EdDSA', typ: 'vt+jwt', kid: 'k' }), part(claims)]
const token = `${head}.${body}.${'A'.repeat(86)}`

it.each([
  ...[1_000, 1_400, 1_450, 1_500, 1_550, 1_700, 1_980, 2_040].map((length) => `${'/'.repeat(length)}${token}`),
  `${'x'.repeat(1_700)}/eyJa.${token}`,
  `${head}.\n${body.slice(0, 40)}\n  ${body.slice(40)}.${'A'.repeat(86)}`,
  `${head.slice(0, 20)}\n${head.slice(20)}.${body}.${'A'.repeat(86)}`,
  `eyJa.eyJb.${token}`,
])('removes a token wherever a long word or a line ends: %#', async (written) => {
  const { text } = create('registry.example').check(`See ${written} now`)
  expect(text).toMatch(/\(!\) now$/)
  expect(text).not.toContain(body.slice(50, 150))
  expect(await inPieces(`See ${written} now`, 'registry.example')).toBe(text)
})

const half = (text: string) => text.slice(text.length / 2)

it.each([
  '&shy;',
  '&#8203;',
  '%C2%AD',
  '\u200b',
  '&amp;',
  '%25',
  '&#0',
  '[',
  '<a ',
  '[a](',
  'eyJ.',
  '\\u00ad',
  '0-',
  'registry.example@',
])('holds back a bounded part of a stream of %j and still decides about it', async (unit) => {
  const text = `a${unit.repeat(30_000 / unit.length)}`
  const guard = create('registry.example')
  const writer = guard.writable.getWriter()
  const reader = guard.readable.getReader()
  let got = 0
  const reading = (async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) got += next.value.length
  })()
  let most = 0
  for (let at = 0; at < text.length; at += 5) {
    await writer.write(text.slice(at, at + 5))
    most = Math.max(most, at - got)
  }
  await writer.close()
  await reading
  if (unit !== 'registry.example@') expect(most).toBeLessThan(9_000)
})

it.each(['&shy;', '&#8203;', '%C2%AD', '\u200b'])(
  'recognizes a host and a code despite any number of %j',
  async (unit) => {
    const many = unit.repeat(20_000 / unit.length)
    for (const written of [`https://regis${many}try.example/${page}`, foreign.replace('-', `-${many}`)]) {
      const shown = await inPieces(`See ${written} now`, 'registry.example')
      expect(shown).toMatch(/\(!\) now$/)
      expect(shown).not.toContain(half(written.replaceAll(unit, '')))
    }
  },
)

it.each([
  ['T', 'Т'],
  ['N', 'Ν'],
  ['T', 't'],
  ['N', 'n'],
])('removes a code that begins with a letter like %s, as %s, after a backslash', (letter, lookalike) => {
  const makeAt = (at: number) => formatLinkCode(createLinkCode(at, new Uint8Array(8).fill(7)))
  let at = now
  while (!makeAt(at).startsWith(letter)) at += 60_000
  const code = makeAt(at)
  const guard = guardOutput({
    issued,
    sessionId: 'chat-1',
    host: 'registry.example',
    onForeign: 'mark',
    mark: '(!)',
    now: () => at,
  })
  const written = `https:\\\\registry.example\\v\\${lookalike}${code.slice(1)}`
  expect(guard.check(`See ${written} now`).text).toBe('See (!) now')
  expect(guard.check(`See ${written.replaceAll('-', '')} now`).text).toBe('See (!) now')
})
