import { expect, it } from 'vitest'
import { createLinkCode } from '../verify/create-link-code.ts'
import { formatLinkCode } from '../verify/link-code.ts'
import { guardOutput } from './guard-output.ts'

const now = Date.UTC(2026, 0, 5, 12)
const code = formatLinkCode(createLinkCode(now, new Uint8Array([7, 1, 2, 3, 4, 5, 6, 7])))
const url = `https://registry.example/v/${code}`
const link = { url, code, token: '', verificationId: 'vrf_1', expiresAt: '', challenge: null, origin: null }
const issued = { get: () => Promise.reject(new Error()), issuedTo: () => [link], isOthers: () => false }
const create = () =>
  guardOutput({ issued, sessionId: 'chat-1', host: 'registry.example', onForeign: 'mark', mark: '(!)', now: () => now })

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
  {
    written: 'regis<a href="https://evil.example">try.example</a>',
    expected: 'regis<a href="https://evil.example">(!)</a>',
  },
  { written: '[regis![](x)try.example](https://evil.example)', expected: '[regis![](x)(!)](https://evil.example)' },
  // Labels that a code span extends.
  { written: `[a \`]\` ${url}](https://evil.example)`, expected: `[a \`]\` ${url} (!)` },
  { written: `[a \`](x)\` registry.example](https://evil.example)`, expected: '[a `](x)` registry.example(!)' },
  { written: `[a \\[b](x) registry.example](https://evil.example)`, expected: '[a \\[b](x) registry.example(!)' },
  { written: `[${url} ![a](b[c) d](https://evil.example)`, expected: `[${url} ![a](b[c) d(!)` },
  // Labels without end.
  {
    written: `[${long}registry.example ${long}](https://evil.example)`,
    expected: `[${long}registry.example ${long}(!)`,
  },
  { written: `[${long}${url}][1]`, expected: `[${long}${url} (!)1]` },
  {
    written: `<a href="https://evil.example">${long}registry.example ${long}</a> ${url}`,
    expected: `<a href="https://evil.example">${long}(!) ${long}</a> ${url}`,
  },
  // Attribute values that contain the end of a tag.
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
  {
    written: '[a <b title="]"> registry.example</b>](https://evil.example)',
    expected: '[a <b title="]"> registry.example</b>(!)',
  },
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
  {
    written: '<a href=//evil.example><img alt="registry">.example</a>',
    expected: '<a href=//evil.example><img alt="registry">(!)</a>',
  },
  {
    written: '<a href=x><img title=">" alt=registry src=x>.example</a>',
    expected: '<a href=x><img title=">" alt=registry src=x>(!)</a>',
  },
  {
    written: `<a href=x><img alt="${code.slice(0, 7)}"><img alt="${code.slice(7)}"></a>`,
    expected: `<a href=x><img alt="${code.slice(0, 7)}"><img alt="(!)"></a>`,
  },
  {
    written: `<a href=x><img alt="registry" src="${'x'.repeat(500)}">.example</a>`,
    expected: `<a href=x><img alt="registry" src="${'x'.repeat(500)}">(!)</a>`,
  },
  { written: `[registry](${'x'.repeat(500)})[.example](x)`, expected: `[registry](${'x'.repeat(500)})[(!)](x)` },
  { written: '[<img alt="registry">.example](//evil.example)', expected: '[<img alt="registry">(!)](//evil.example)' },
  { written: '[![registry](x).example](//evil.example)', expected: '[![registry](x)(!)](//evil.example)' },
  { written: '<area alt="registry.example" href="//evil.example">', expected: '(!)' },
  { written: `<area alt="${url}" href="//evil.example">`, expected: '<area alt="(!)" href="//evil.example">' },
  // Names in pieces: a program that makes links of bare addresses links the part after the cut.
  { written: '**r**egistry.example, or so', expected: '**r**(!), or so' },
  { written: 'r<wbr>egistry.example/models', expected: 'r<wbr>(!)/models' },
  { written: '<img alt="r">egistry.example`x@evil.example', expected: '<img alt="r">(!)`x@evil.example' },
  { written: '\\text{regis}try.example', expected: '\\text{regis}(!)' },
  // A name next to something that some programs show and others leave out.
  ...['\u0000', '\u0001', '\u00ad', '\u200b'].flatMap((sign) => [
    { written: `[x${sign}registry.example](https://evil.example)`, expected: '(!)' },
    { written: `[registry.example${sign}x](https://evil.example)`, expected: '(!)' },
  ]),
  // Other elements with an address, and TeX's.
  { written: '<math href=x><mi>registry.example</mi></math>', expected: '<math href=x><mi>(!)</mi></math>' },
  { written: `<math title="a>b" href=x>${url}</math>`, expected: '<math title="a>b" href=x>(!)</math>' },
  { written: '<svg><a xlink:href="x">registry.example</a></svg>', expected: '<svg>(!)</svg>' },
  { written: '\\href{x}{\\text{registry.example}}', expected: '\\href{x}{\\text{(!)}}' },
  { written: `\\href {x} {{${url}}}`, expected: '\\href {x} {{(!)}}' },
  { written: '\\href{x}{registry}\\href{x}{.example}', expected: '\\href{x}{registry}\\href{x}{(!)}' },
  // Tags that contain a link of the session.
  {
    written: `<math><${url} <a href="https://evil.example">x</a> ${url}`,
    expected: `<math><${url} <a href="https://evil.example">x</a> (!)`,
  },
  { written: `<https://evil.example/\u3000${url}>`, expected: '<https://evil.example/\u3000(!)>' },
  {
    written: `<https://evil.example/${'x'.repeat(500)}\u3000${url}>`,
    expected: `<https://evil.example/${'x'.repeat(500)}\u3000(!)>`,
  },
  {
    written: '<iframe srcdoc="<a title=&quot;a>b&quot; href=x>registry.example</a>"></iframe>',
    expected: '<iframe srcdoc="<a title=&quot;a>b&quot; href=x>(!)</a>"></iframe>',
  },
  {
    written: 'r<a href="x">egistry.exampl</a><a hr\u000bef="x">e</a>',
    expected: 'r<a href="x">egistry.exampl</a><a hr\u000b(!)="x">(!)</a>',
  },
  // Names that run from right to left.
  {
    written: '[a `]` \u202eelpmaxe.yrtsiger\u202c](https://evil.example)',
    expected: '[a `]` \u202e(!)](https://evil.example)',
  },
  {
    written: '<a href="https://evil.example">x <p><bdo dir=rtl>elpmaxe.yrtsiger</bdo></a>',
    expected: '(!)',
  },
  // Closing marks that close nothing.
  ...[
    '</a\u200b>',
    '</a\u00a0>',
    '</a\u000b>',
    '</a\u2028>',
    '</a\n>',
    '</a\r>',
    '<\u200b/a>',
    '</\u200ba>',
    '＜/a>',
    '</a＞',
  ].map((end) => ({
    written: `<a href="https://evil.example">x${end} registry.example`,
    expected: `<a href="https://evil.example">x${end} (!)`,
  })),
  {
    written: '<a href="https://evil.example">![</a>](x) registry.example',
    expected: '<a href="https://evil.example">![</a>](x) (!)',
  },
  {
    written: `# <a href="https://evil.example">\n    </a>\n\n${url}`,
    expected: '# <a href="https://evil.example">\n    </a>\n\n(!)',
  },
  ...['\t', '\\t'].map((tab) => ({
    written: `<a href="https://evil.example">\n\na\n\n${tab}</a>${url}`,
    expected: `<a href="https://evil.example">\n\na\n\n${tab}</a>(!)`,
  })),
  {
    written: '<a href="https://evil.example">`</a>` registry.example',
    expected: '<a href="https://evil.example">`</a>` (!)',
  },
  {
    written: '<a href="https://evil.example">&lt;/a> registry.example',
    expected: '<a href="https://evil.example">&lt;/a> (!)',
  },
  { written: `[a \`b\r\n${url}](https://evil.example)`, expected: `[a \`b\r\n${url} (!)` },
])(
  'rejects a label that some programs show as the registry and that leads elsewhere: $written',
  ({ written, expected }) => expectGuarded(written, expected),
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
  `<${url}\`\n\n<a href="https://acme.example/">Acme</a>\n\n${url}`,
  `[&lt;/a&gt;](x)\n\n${url}`,
  `[the &lt;input&gt; element](https://acme.example/) [\`<input>\`](https://acme.example/) [<b>](x) ${url}`,
  `\`\`\`jsx\n<Card href="/a" onClick={go}>A</Card>\n\`\`\`\n${url}`,
  `<svg><use href="#a"/><image href="b.png"/><g>${url}</g></svg>`,
  `{"docs":"https://acme.example/x","me":"${url}"} [docs](https://acme.example/a) (${url}), Me:${url}`,
])('keeps an own link, and labels that do not show the registry: %s', (written) => expectGuarded(written, written))

it.each([
  { written: `${url}[1]`, expected: `${url} [1]` },
  { written: `${url}](x) a`, expected: `${url} ](x) a` },
  { written: `${url}registry.example/models/mdl_1`, expected: `${url} (!)` },
  ...['\u2800', '地', '\u00a0', '，'].flatMap((sign) =>
    [url, code].map((own) => ({
      written: `https://evil.example/a${sign}${own} b`,
      expected: `https://evil.example/a${sign} ${own} b`,
    })),
  ),
  { written: `https://evil.example/)[${url}](https://evil.example) b`, expected: `https://evil.example/) ${url} b` },
])('adds a space next to an own link if a program would extend its address: $written', ({ written, expected }) =>
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

it.each([
  { written: `[x](<${url}＞ /../../models/x>) b`, expected: `[x](<${url}＞ (!)>) b` },
  // A code on the next line: text right after it belongs to the address.
  { written: `<a href="${url.replace('/v/', '/v/\n')}/">x</a> b`, expected: `<a href="${url}">x</a> b` },
  { written: `${url.replace('/v/', '/v/\r')}/＜../../models/x b`, expected: `${url}＜..(!) b` },
  { written: `[x](<${url} /. ./../models/x>) b`, expected: `[x](<${url} (!) .(!)>) b` },
  { written: `[x](<${url} /../../models/x>) b`, expected: `[x](<${url} (!)>) b` },
  { written: `[${long}](<${url} a/../../../models/x>) b`, expected: `[${long}](<${url} a (!)>) b` },
  ...['\u3000', '\u2800', '\u00a0', '\u000b'].map((blank) => ({
    written: `<${url}${blank}/../../models/x> [x](${url}${blank}/../../models/x) ${url}${blank}/../../models/x b`,
    expected: `<${url}${blank}(!)> [x](${url}${blank}(!) ${url}${blank}(!) b`,
  })),
])(
  'removes a path from an own link to another page after a space that does not end the address: %j',
  ({ written, expected }) => expectGuarded(written, expected),
)

it('keeps the end of a fence inside a label', () =>
  expectGuarded(
    `[registry.example\n\`\`\`\n]\n\n[registry.example\n\`\`\`\n]: https://evil.example/\n\n${url}`,
    `[registry.example\n\`\`\`\n]\n\n[registry.example\n\`\`\`\n(!) https://evil.example/\n\n${url}`,
  ))

it.each([
  'registry.example@evil.example',
  'registry.example.x@evil.example',
  'registry.example@地图.example',
  'registry.example@＞evil.example',
  ...Array.from("!#$%&'*+-/=?^_`{|}~", (sign) => `registry.example${sign}x@evil.example`),
  `registry.example!${'x'.repeat(200)}@evil.example`,
])('removes an email address that begins with the name of the registry: %s', async (written) => {
  const { text, isClean } = create().check(`Write to ${written} now`)
  expect(isClean).toBe(false)
  expect(text).not.toMatch(/registry\.example\S*@/)
  expect(await inPieces(`Write to ${written} now`, 7)).toBe(text)
})

it.each(['`', '+', '|', '~', '地'])('removes a name that ends the host of an email address, after %s', (sign) =>
  expectGuarded(`Write to x@evil.example${sign}registry.example now`, `Write to x@evil.example${sign}(!) now`),
)

it.each([
  'registr\u0443.example',
  'r&#101;gistry.example',
  'regis\u200btry.example',
  'registry%2Eexample',
  'reg1stry.example',
  'www.registr\u0443.example',
  'xn--registr-lkg.example',
])('removes a bare name that only looks like the registry’s, because programs make a link of it: %s', (written) =>
  expectGuarded(`Ask ${written} now`, 'Ask (!) now'),
)

it.each(['registry.example', 'REGISTRY.example', 'Registry.Example.', 'registry.example:443', 'help@registry.example'])(
  'leaves the plain name alone: %s',
  (written) => expectGuarded(`Ask ${written} now`, `Ask ${written} now`),
)

it.each(['evil.example/', 'www.evil.example?', 'evil.example:8080/a?u='])(
  'repairs an own link in an address without a scheme: %s',
  (before) => expectGuarded(`See ${before}${url} now`, `See ${url} now`),
)

it.each([
  '[Check me](\u200bURL) b',
  '[URL](\u2060URL) b',
  '<a href="\u200bURL">Check me</a> b',
  '<a title="\u00e9" href="\u00adURL">x</a> b',
])('repairs an own link made relative by invisible characters: %j', (written) =>
  expectGuarded(written.replaceAll('URL', url), `${url} b`),
)

it('reads a name that ends at a table’s pipe', () => expectGuarded('[registry.example|](https://evil.example)', '(!)'))

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
])('takes linear time for a text of %j', { timeout: 60_000 }, (unit) => {
  /** Of as many texts of this length as have 20,000 characters together. */
  const timeOf = (length: number) => {
    const text = unit.repeat(length / unit.length)
    const start = process.cpuUsage().user
    for (let left = 20_000; left > 0; left -= length) create().check(text)
    return (process.cpuUsage().user - start) / 1_000
  }
  timeOf(2_500)
  // What else the process does only adds to a time.
  const rounds = Array.from({ length: 2 }, () => ({ long: timeOf(20_000), short: timeOf(2_500) }))
  const long = Math.min(...rounds.map((round) => round.long))
  const short = Math.min(...rounds.map((round) => round.short))
  // 1 if the time is linear, 8 if it is quadratic.
  expect(long / Math.max(short, 1)).toBeLessThan(4)
})

it('ends a label at the first bracket that programs read, not after a look-alike of one', () =>
  expectGuarded(
    `[［${url}](https://evil.example/) and ${url} ](https://evil.example/)`,
    `${url} and ${url} ](https://evil.example/)`,
  ))

it.each(['［', '&#91;', '&lbrack;'])('removes only the target after the look-alike of a bracket %s', (bracket) =>
  expectGuarded(
    `${bracket}registry.example ${url} [](page.html)](https://evil.example/) and ${url}`,
    `${bracket}registry.example ${url} [](page.html)(!) and ${url}`,
  ),
)

it('repairs no code across a quote, so that no attribute stays open', () =>
  expectGuarded(`<img alt="${code.slice(0, 1)}">${code.slice(1)} ${url}`, `<img alt="${code.slice(0, 1)}">(!) ${url}`))

const foreign = formatLinkCode(createLinkCode(now, new Uint8Array([9, 1, 2, 3, 4, 5, 6, 7])))
const [first = '', second = '', third = '', fourth = ''] = foreign.split('-')

it.each([
  `[${first}](https://evil.example)-${second}-${third}-${fourth}`,
  `[${first}-${second}](https://evil.example/(a)?b=c "title")-${third}-${fourth}`,
  `${first}-${second}-[${third}](x)-${fourth}`,
  `${first}-${second}-${third}[-](https://evil.example)${fourth}`,
  `[${first}${second}](https://evil.example)${third}${fourth}`,
  `[${first}][1]-[${second}][note]-${third}-${fourth}`,
  `${first}[^1]-${second}-${third}-${fourth}[^2]`,
  `<a href="https://evil.example/?a=1">${first}</a>-${second}-<A HREF=x>${third}</A>-${fourth}`,
  `[url=https://evil.example]${first}[/url]-${second}-${third}-${fourth}`,
  `<https://evil.example|${first}>-<https://evil.example|${second}>-${third}-${fourth}`,
  `[${first}][${second}][${third}][${fourth}]`,
  `${first}](${second}-${third}-${fourth})`,
  `${first}-[^${second}]-${third}-${fourth}`,
  `${first}][${second}-${third}-${fourth} and more`,
  `${first}<!-->-${second}-${third}<!-- x -->-${fourth}`,
  `${first}-<mailto:ada@acme.example|${second}>-${third}-<!date^1^{date}|${fourth}>`,
  `[${first}](https://evil.example/(a(b(c))))-${second}-${third}-${fourth}`,
  `${first}<span title="> x < y">-${second}</span>-${third}-${fourth}`,
  `${first}${'<b></b>'.repeat(9)}-${second}-${third}-${fourth}`,
  `[${first}](https://a.example/Ohm's_law)-[${second}](https://a.example/Moore's_law)-${third}-${fourth}`,
  `[${first}](https://a.example/<1)-[${second}](https://a.example/2>)-${third}-${fourth}`,
  `${first}-[${second}](https://a.example/it's "don't)z")-${third}-${fourth}`,
  `${first}-[${second}](https://a.example "x\\"y)z")-[${third}](https://a.example 'it\\'s)z')-${fourth}`,
  `${first}-<i title='x>y'>${second}</i>-${third}<a title='x>1' href=y>-</a>${fourth}`,
  `${first}-<?1?>${second}-<!1>${third}-</ x1>${fourth}`,
  `[${first}](\nhttps://evil.example\n)-${second}-${third}-${fourth}`,
  `[${first}](https://evil.example\n'it (is')-${second}-${third}-${fourth}`,
  `[${first}](https://evil.example "a)b")-${second}-${third}-${fourth}`,
  `[${first}](https://evil.example/A_(b_(c)_d))-${second}-${third}-${fourth}`,
  `[${first}](https://evil.example/\\()-${second}-${third}-${fourth}`,
  `[${first}](<https://evil.example/(a> "t")-${second}-${third}-${fourth}`,
  `[${first}](https://evil.example/${'x'.repeat(900)})-${second}-${third}-${fourth}`,
  `[${first}][my\nref]-[${second}][n\\]x]-[${third}][${'x'.repeat(200)}]-${fourth}`,
  `${first}-![x](\ny)${second}-![x][y]${third}-${fourth}`,
  `${first}<span\nstyle="color:inherit;font-weight:inherit;text-decoration:none">-${second}</span>-${third}-${fourth}`,
  `${first}<!-- ${'x'.repeat(90)} > -->-${second}<?x y?>-${third}<![CDATA[x]]>-${fourth}`,
  `${first}<b x="<"></b>-${second}-${third}-${fourth}`,
  `[${first}](x "a)u")-${second}<b x=">u"></b>-${third}-${fourth}`,
  `[${first}](https://evil.example/Foo%29bar)-${second}-[${third}](x&#41;y\\u0029)-${fourth}`,
  `[${first}](https://ja.example/東京（都)-[${second}](y%5C)-${third}-${fourth}`,
  `<a href="https://evil.example/?q=%22a">${first}</a>-<a href='x&#39;s>y'>${second}</a>-<b x="&quot;1>2">${third}</b>-${fourth}`,
  `${first}<!-- 1 --&gt; 2 -->-[${second}][x&rsqb;1]-${third}-${fourth}`,
  `${first}${' '.repeat(900)}-${second}${'<b></b>'.repeat(60)}-${third}${'&nbsp;'.repeat(90)}-${fourth}`,
  `${first}\r\n\r\n${second}\r\n\r\n${third}\r\n\r\n${fourth}`,
  `[${first}](x "1\n2\n3\n4\n5")-${second}<span\ntitle="1\n2\n3\n4\n5">-${third}</span>-${fourth}`,
  `[${first}](x ")${'u'.repeat(450)}")-${second}-[${third}](x(${'y'.repeat(450)}))-${fourth}`,
  `![${first}](https://e.example/x)-![${second}](y)-![${third}][z]-![${fourth}](w)`,
  `<img alt="${first}" src=q>-<img src=q alt='${second}'>-<img src="q" alt="${third}" />-<img alt="${fourth}">`,
  `${first}&bull;${second}&rarr;${third}&HorizontalLine;${fourth}`,
  `${first}![our logo](https://acme.example/dash.png)${second}![up](/p)${third}![x y z][pp]${fourth}`,
  `[url=http://e.example]${first}[/url]-${second}[color=purple]-[/color]${third}[url=http://e.example][/url]${fourth}`,
  `${first} < ${second}<>${third}<${fourth}`,
  `${first}<b title=a<b>${second}<b <i>${third}<b c<d e>${fourth}`,
  `${first}&middot${second}&laquo${third}&deg${fourth}`,
  `**${first[0]}**${first.slice(1)}-${second}-${third}-${fourth}`,
  `${first.slice(0, 2)}[${first.slice(2)}](x)-${second[0]}<b></b>${second.slice(1)}-${third}-${fourth}`,
  ...['<!-- a | b -->', '<b:|>', '<!x|y>', '[^1]', '[url=q][/url]', '[b][/b]', '[color=red]'].map(
    (within) => `${first[0]}${within}${first.slice(1)}-${second}-${third}-${fourth}`,
  ),
])('finds a code of another session that markup divides: %s', async (written) => {
  for (const text of [written, `Here: ${written} and more.`]) {
    const seen = create().check(text)
    expect(seen.findings.map(({ kind }) => kind)).toEqual(['foreign'])
    expect(seen.text).toContain('(!)')
    for (const size of [1, 7, 64]) expect(await inPieces(text, size)).toBe(seen.text)
  }
})

it.each(['<!--><!-->', '<b:|<b:|>'])('reads a code around repeated %s quickly', (piece) => {
  const text = `${foreign[0]}${piece.repeat(40)}.${foreign.slice(1)}`
  expect(create().check(text).findings).toEqual([])
})

it.each(['<', '<<', '</', '<@', '&middot', '&sect', '&rarr;'])(
  'finds a code of another session whose groups begin with letters after %s',
  async (between) => {
    const codes = Array.from({ length: 2_000 }, (_, index) =>
      formatLinkCode(createLinkCode(now, new Uint8Array([1, 31, 57, 91, 101, 143, 173, 199].map((by) => index * by)))),
    )
    const lettered = codes.find((each) => /^.{4}(-[A-Z].{3}){3}$/.test(each)) ?? ''
    for (const text of [lettered.replaceAll('-', between), lettered.replace(/-(?=.{4}$)/, between)]) {
      const seen = create().check(text)
      expect(seen.findings.map(({ kind }) => kind)).toEqual(['foreign'])
      for (const size of [1, 2, 5, 7]) expect(await inPieces(text, size)).toBe(seen.text)
    }
  },
)

it('replaces a link over a part of an own code by the link of the code', async () => {
  const [start, rest] = [code.slice(0, 4), code.slice(4)]
  await expectGuarded(`See [${start}](https://evil.example)${rest} now`, `See ${url} ${rest} now`)
})

it('keeps links between short texts', async () => {
  const text = '[A](https://a.example)-[B](https://b.example)-[C1](https://c.example/1) [2](x) [^1] <a href="x">3</a>'
  await expectGuarded(text, text)
})
