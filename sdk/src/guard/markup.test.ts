import { expect, it } from 'vitest'
import { createLinkCode, formatLinkCode } from '../verify/link-code.ts'
import { guardOutput } from './guard-output.ts'

const now = Date.UTC(2026, 0, 5, 12)
const code = formatLinkCode(createLinkCode(now, new Uint8Array([7, 1, 2, 3, 4, 5, 6, 7])))
const url = `https://registry.example/v/${code}`
const link = { url, code, token: '', verificationId: 'vrf_1', expiresAt: '', challenge: null, origin: null }
const issued = { get: () => Promise.reject(new Error()), issuedTo: () => [link], isOthers: () => false }
const create = () => guardOutput({ issued, sessionId: 'chat-1', host: 'registry.example', onForeign: 'mark', mark: '(!)', now: () => now })

const inPieces = async (text: string, size: number) => {
  const guard = create()
  const reading = (async () => {
    let output = ''
    for await (const chunk of guard.readable) output += chunk
    return output
  })()
  const writer = guard.writable.getWriter()
  for (let at = 0; at < text.length; at += size) await writer.write(text.slice(at, at + size))
  await writer.close()
  return reading
}

const expectGuarded = async (written: string, expected: string) => {
  expect(create().check(written).text).toBe(expected)
  for (const size of [1, 7, 64]) expect(await inPieces(written, size)).toBe(expected)
}

const long = 'word '.repeat(300)

it.each([
  // Adjacent labels that a reader sees as one name.
  {
    written: '[registry](https://evil.example)[.example](https://evil.example)',
    expected: '[registry](https://evil.example)[(!)](https://evil.example)',
  },
  { written: 'registry[.example](https://evil.example)', expected: 'registry[(!)](https://evil.example)' },
  { written: '[see registry](https://evil.example).example', expected: '[see registry](https://evil.example)(!)' },
  { written: 'regis<a href="https://evil.example">try.example</a>', expected: 'regis<a href="https://evil.example">(!)</a>' },
  { written: '[regis![](x)try.example](https://evil.example)', expected: '[regis![](x)(!)](https://evil.example)' },
  // Labels that a code span makes longer.
  { written: `[a \`]\` ${url}](https://evil.example)`, expected: `[a \`]\` ${url} (!)` },
  { written: `[a \`](x)\` registry.example](https://evil.example)`, expected: '[a `](x)` registry.example(!)' },
  { written: `[a \\[b](x) registry.example](https://evil.example)`, expected: '[a \\[b](x) registry.example(!)' },
  { written: `[${url} ![a](b[c) d](https://evil.example)`, expected: `[${url} ![a](b[c) d(!)` },
  // Labels without end.
  { written: `[${long}registry.example ${long}](https://evil.example)`, expected: `[${long}registry.example ${long}(!)` },
  { written: `[${long}${url}][1]`, expected: `[${long}${url} (!)1]` },
  {
    written: `<a href="https://evil.example">${long}registry.example ${long}</a> ${url}`,
    expected: `<a href="https://evil.example">${long}(!) ${long}</a> ${url}`,
  },
  // Values of attributes that hold what ends a tag.
  {
    written: '<a title="a>b" href="https://evil.example">registry.example</a>',
    expected: '<a title="a>b" href="https://evil.example">(!)</a>',
  },
  {
    written: '<a href="https://evil.example"><b title="</a>">registry.example</b></a>',
    expected: '<a href="https://evil.example"><b title="</a>">(!)</b></a>',
  },
  {
    written: '<a title=\' href="x" \' href="https://evil.example">regis<b title="a>b">try.example</b></a>',
    expected: '<a title=\' href="x" \' href="https://evil.example">regis<b title="a>b">(!)</b></a>',
  },
  { written: '[a <b title="]"> registry.example</b>](https://evil.example)', expected: '[a <b title="]"> registry.example</b>(!)' },
  // Comments within labels.
  {
    written: '<a href="https://evil.example">x<!-- </a> -->registry.example</a>',
    expected: '<a href="https://evil.example">x<!-- </a> -->(!)</a>',
  },
  { written: '[a <!-- ] --> registry.example](https://evil.example)', expected: '[a <!-- ] --> registry.example(!)' },
  {
    written: '<a href="https://evil.example">regis<!-- > -->try.example</a>',
    expected: '<a href="https://evil.example">regis<!-- > -->(!)</a>',
  },
  // Parts in the texts of images.
  { written: '<a href=//evil.example><img alt="registry">.example</a>', expected: '<a href=//evil.example><img alt="registry">(!)</a>' },
  { written: '<a href=x><img title=">" alt=registry src=x>.example</a>', expected: '<a href=x><img title=">" alt=registry src=x>(!)</a>' },
  {
    written: `<a href=x><img alt="${code.slice(0, 7)}"><img alt="${code.slice(7)}"></a>`,
    expected: `<a href=x><img alt="${code.slice(0, 7)}"><img alt="(!)"></a>`,
  },
  {
    written: `<a href=x><img alt="registry" src="${'x'.repeat(500)}">.example</a>`,
    expected: `<a href=x><img alt="registry" src="${'x'.repeat(500)}">(!)</a>`,
  },
  { written: `[registry](${'x'.repeat(500)})[.example](x)`, expected: `[registry](${'x'.repeat(500)})[(!)](x)` },
  { written: '[<img alt="registry">.example](//evil.example)', expected: '[<img alt="registry">.example(!)' },
  { written: '[![registry](x).example](//evil.example)', expected: '[![registry](x)(!)](//evil.example)' },
  { written: '<area alt="registry.example" href="//evil.example">', expected: '(!)' },
  { written: `<area alt="${url}" href="//evil.example">`, expected: '<area alt="(!)" href="//evil.example">' },
  // Other elements with an address, and TeX's.
  { written: '<math href=x><mi>registry.example</mi></math>', expected: '<math href=x><mi>(!)</mi></math>' },
  { written: `<math title="a>b" href=x>${url}</math>`, expected: '<math title="a>b" href=x>(!)</math>' },
  { written: '<svg><g xlink:href="x">registry.example</g></svg>', expected: '<svg><g xlink:href="x">(!)</g></svg>' },
  { written: '\\href{x}{\\text{registry.example}}', expected: '\\href{x}{\\text{(!)}}' },
  { written: `\\href {x} {{${url}}}`, expected: '\\href {x} {{(!)}}' },
  { written: '\\href{x}{registry}\\href{x}{.example}', expected: '\\href{x}{registry}\\href{x}{(!)}' },
  // Ends that are none.
  { written: '<a href="https://evil.example">![</a>](x) registry.example', expected: '<a href="https://evil.example">![</a>](x) (!)' },
  { written: `# <a href="https://evil.example">\n    </a>\n\n${url}`, expected: '# <a href="https://evil.example">\n    </a>\n\n(!)' },
  { written: '<a href="https://evil.example">`</a>` registry.example', expected: '<a href="https://evil.example">`</a>` (!)' },
  { written: '<a href="https://evil.example">&lt;/a> registry.example', expected: '<a href="https://evil.example">&lt;/a> (!)' },
  { written: `[a \`b\r\n${url}](https://evil.example)`, expected: `[a \`b\r\n${url} (!)` },
])('lets no label that programs read in different ways show the registry and lead elsewhere: $written', ({ written, expected }) =>
  expectGuarded(written, expected),
)

it.each([
  `[${url}](${url}) [Check me](${url}) <a href="${url}">registry.example</a> <a class="x" href='${url}'>${url}</a>`,
  `Ask registry.example, see [the docs](https://acme.example/a_(b)), then ${url}`,
  `<a href="https://acme.example"><b>Acme</b> and \`code\`</a> ${url}`,
  `list[0](x) registry.example [docs](https://acme.example) ${url}`,
  `a [b] c ${url} [d](https://acme.example "e")`,
  `\\href{https://acme.example}{the docs} \\href{${url}}{Check me} \\href{${url}}{\\text{Check me}} ${url}`,
  `<link rel="x" href="y.css"> <area alt="Check me" href="${url}"> <img alt="Acme" src=x> ${url}`,
  `<b title="a>b">x</b> <a href="${url}">Check me</a> ${url}`,
  `x < y, <b>bold</b> and <a name="x"></a> ${url}`,
  `[a \`b\n\nregistry.example [c](https://acme.example) \`d\`](https://acme.example)`,
])('leaves an own link alone, and labels that show nothing of the registry: %s', (written) => expectGuarded(written, written))

it.each([
  { written: `${url}[1]`, expected: `${url} [1]` },
  { written: `${url}](x) a`, expected: `${url} ](x) a` },
  { written: `${url}registry.example/models/mdl_1`, expected: `${url} (!)` },
])('puts a blank behind an own link where a program would make a longer address of it: $written', ({ written, expected }) =>
  expectGuarded(written, expected),
)

it.each([url.toLowerCase(), url.replaceAll('-', '−'), url.replace(/-([^-]*)$/, '-<b>$1')])(
  'repairs an own link as the address of an anchor: %s',
  (written) =>
    expectGuarded(
      `<a href="${written}">check</a> <a class='x' href=${written}>check</a>`,
      `<a href="${url}">check</a> <a class='x' href=${url}>check</a>`,
    ),
)

it('reads a name that the stroke of a table ends', () => expectGuarded('[registry.example|](https://evil.example)', '(!)'))

it.each([
  '[',
  '`[',
  '<a href="x">',
  'r<b>',
  'registry.exampl<',
  '[r](',
  '![',
  '](',
  '<!--',
  '\\[',
  `${url} `,
  'registry.example ',
  '<a ',
  'registry.exam](x)[',
  'r\\text{',
  'registr" ',
  '<math x="',
])('takes time in proportion to a text of %j', { timeout: 60_000 }, (unit) => {
  const timeOf = (length: number) => {
    const text = unit.repeat(length / unit.length)
    const start = process.cpuUsage().user
    create().check(text)
    return (process.cpuUsage().user - start) / 1_000
  }
  timeOf(80_000)
  const rounds = Array.from({ length: 7 }, () => timeOf(80_000) / Math.max(timeOf(20_000), 1)).sort((a, b) => a - b)
  expect(rounds[3]).toBeLessThan(6)
})
