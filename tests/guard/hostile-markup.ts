import fc from 'fast-check'
import { type Registry, reverse } from './rendering.ts'

const evil = [
  'https://evil.example/',
  'https://evil.example/login?a=(b)',
  '//evil.example',
  'http://other.example/x',
  'page.html',
  '/login',
]
const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values)

/* ---- markup that programs read differently ---- */

const marks = [
  '`',
  '``',
  '```',
  '~~~',
  '~~',
  '*',
  '**',
  '_',
  '\\',
  '\\\\',
  '[',
  ']',
  '![',
  '](',
  '][',
  ']: ',
  '(',
  ')',
  '<',
  '>',
  '"',
  "'",
  '|',
  '$',
  '&',
  '\\[',
  '\\]',
  '\\`',
  '&#91;',
  '&#93;',
  '&lbrack;',
  '&lt;',
  '&gt;',
  '&amp;',
  '&#96;',
  '［',
  '］',
  '`]`',
  '`[`',
  '``]``',
  '`](`',
  '`</a>`',
  '<!-- ] -->',
  '<!-- > -->',
  '<!-- </a> -->',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<? ?>',
  '<b title="]">',
  '<b title="a>b">',
  "<b title='</a>'>",
  '<i x=">">',
  '</b>',
  '<br>',
  '<wbr>',
  '<svg>',
  '<title>',
  '</title>',
  '</svg>',
  '<table><td>',
  '</table>',
  '<p>',
  '</p>',
  '<textarea>',
  '</textarea>',
  '<a>',
  '</a>',
  '</a >',
  '</a/>',
  '</A>',
  '&lt;/a&gt;',
  '<a name="x">',
  '<details><summary>',
  '<button>',
  '<code>',
  '</code>',
  '<pre>',
  '</pre>',
  '![](x)',
  '![][1]',
  '[](x)',
  '[1]',
  '[x](y)',
  '<https://acme.example/[>',
  'https://acme.example/[',
  'https://acme.example/]',
  '\u200b',
  '\u00ad',
] as const
const gaps = [
  '',
  '',
  '',
  ' ',
  '\n',
  '\n\n',
  '\n    ',
  '\n- ',
  '\n> ',
  '\n# ',
  '\n1. ',
  '\n\n    ',
  ' | ',
  '\t',
  '\n***\n',
  '\n```\n',
  '\n~~~\n',
] as const
const words = ['see', 'this page', 'a', 'b.', 'x, y', '42', '地图', 'docs'] as const

/** Characters that some programs ignore or treat as spaces. */
const odd = [
  '\u200b',
  '\u00ad',
  '\u2060',
  '\ufeff',
  '\u202e',
  '\u00a0',
  '\u000b',
  '\f',
  '\r',
  '\t',
  '\n',
  '\u2028',
  '\u3000',
  '\u0000',
  '\\',
  '/',
  '&#8203;',
  '＜',
  '＞',
  '／',
] as const

/** Invisible text between two letters of a name. */
const within = [
  '',
  '**',
  '_',
  '~~',
  '`',
  '<b>',
  '</b>',
  '<b title="a>b">',
  '<!-- x -->',
  '<!-- > -->',
  '<wbr>',
  '\u200b',
  '&shy;',
  '![](x)',
  '<i></i>',
  '](https://evil.example)[',
  '</a><a href="https://evil.example">',
  '<span class="x y">',
  '}{',
  '\\text{',
  '}\\mathrm{',
  ' ',
  '<!---->',
  '<?x?>',
  '\\',
] as const

const split = (text: string): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(fc.integer({ min: 1, max: text.length - 1 }), oneOf(within)), { maxLength: 3 })
    .map((cuts) =>
      cuts
        .sort(([left], [right]) => right - left)
        .reduce((written, [at, part]) => written.slice(0, at) + part + written.slice(at), text),
    )

/** A name with parts inside images. */
const inImages = (name: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.integer({ min: 0, max: name.length - 1 }), fc.integer({ min: 1, max: name.length }), fc.nat(6))
    .map(([from, length, kind]) => {
      const to = Math.min(from + length, name.length)
      const [before, part, after] = [name.slice(0, from), name.slice(from, to), name.slice(to)]
      const image = [
        `<img alt="${part}">`,
        `<img alt=${part}>`,
        `<img title="a>b" src=x alt = '${part}' class=y>`,
        `<img title=">" alt=${part} src=x>`,
        `![${part}](x)`,
        `![${part}](<x y> "t")`,
        `<img\nalt="${part}"\n/>`,
      ][kind]
      return before + image + (kind % 2 === 1 && after !== '' ? `<img src=x alt="${after}">` : after)
    })

/** HTML elements, and some that do not exist. */
const elements =
  'address applet article b blockquote body br button caption center col colgroup dd desc dialog div dl dt embed fieldset font footer foreignObject form frame frameset h1 head header hr html iframe image img input keygen legend li link listing main marquee math menu meta mi mo mtext annotation-xml nav nobr noembed noframes noscript object ol optgroup option p param plaintext pre rb rp rt rtc ruby script search section select source style summary svg table tbody td template textarea tfoot th thead title tr track ul xmp x-y https:'.split(
    ' ',
  )

/** A text, and the session's links that it uses correctly. */
export interface Written {
  text: string
  good: readonly number[]
}

const plain = (text: string): Written => ({ text, good: [] })
const join = (parts: readonly Written[], between = ''): Written => ({
  text: parts.map(({ text }) => text).join(between),
  good: parts.flatMap(({ good }) => good),
})

const around = (before: string, { text, good }: Written, after: string): Written => ({
  text: before + text + after,
  good,
})

/** Outputs of a model under a hostile prompt. */
export const hostileMarkup = ({ host, own, foreign }: Registry): fc.Arbitrary<Written> => {
  const shown = fc.oneof(
    { arbitrary: fc.constant(host), weight: 3 },
    { arbitrary: split(host), weight: 4 },
    { arbitrary: oneOf([host, ...own.map(({ code }) => code)]).chain(inImages), weight: 3 },
    { arbitrary: oneOf(own.flatMap(({ url, code }) => [url, url, code])), weight: 3 },
    {
      arbitrary: fc.constantFrom(
        host.toUpperCase(),
        `www.${host}`,
        host.replace('.', '&period;'),
        host.replace('e', '&#101;'),
        host.replace('.', '\\.'),
        `\u202e${reverse(host)}\u202c`,
        `<bdo dir=rtl>${reverse(host)}</bdo>`,
        `${host}@evil.example`,
        `${host}+x@evil.example`,
        `${host}.evil.example`,
        `https://${host}.evil.example/v`,
        host.replace('e', 'е'),
        host.replace('s', 'ѕ'),
        ...foreign.flatMap((code) => [` ${code} `, `https://${host}/v/${code}`]),
      ),
      weight: 2,
    },
  )
  const filler = fc
    .tuple(oneOf(['a ', 'word ', 'x', '\u200b', '[a] ', '`b` ']), fc.integer({ min: 40, max: 900 }))
    .map(([unit, length]) => unit.repeat(length / unit.length))
  const open = (address: string) => [
    `<a href="${address}">`,
    `<a title="a>b" href='${address}'>`,
    `<a\nhref=${address} >`,
    `<A HREF="${address}" x="[">`,
    `<math href="${address}">`,
    `<math title="a>b" href='${address}'><mtext>`,
    `<math title="<a x>" y=a<b href=${address}>`,
    `<svg><g xlink:href="${address}">`,
    `\\href{${address}}{`,
    `\\href {${address}}%\n {\\text{`,
  ]
  const pieces = fc.oneof(
    { arbitrary: shown.map(plain), weight: 6 },
    { arbitrary: oneOf(marks).map(plain), weight: 6 },
    {
      arbitrary: oneOf(elements.flatMap((name) => [`<${name}>`, `</${name}>`, `[<${name}>](x)`])).map(plain),
      weight: 1,
    },
    { arbitrary: oneOf(gaps).map(plain), weight: 2 },
    { arbitrary: oneOf(words).map(plain), weight: 3 },
    { arbitrary: filler.map(plain), weight: 1 },
    {
      arbitrary: oneOf(evil)
        .chain((address) =>
          oneOf([
            `](${address})`,
            `](<${address}>)`,
            `]( ${address} "t")`,
            `](\n${address}\n)`,
            '][1]',
            '][]',
            ...open(address),
          ]),
        )
        .map(plain),
      weight: 6,
    },
  )
  const soup = fc.array(pieces, { minLength: 1, maxLength: 9 }).map((parts) => join(parts))
  const label = fc.oneof({ arbitrary: shown.map(plain), weight: 2 }, { arbitrary: soup, weight: 2 })
  const links = fc
    .tuple(label, label, oneOf(evil), fc.nat(34), oneOf(odd))
    .map(([first, second, address, kind, blank]) => {
      const [a, b] = [first.text, second.text]
      const [{ url } = { url: '' }] = own
      return plain(
        [
          `[${a}](${address})`,
          `[${a}](<${address}> "${b}")`,
          `[${a}](${address})[${b}](${address})`,
          `[${a}][1] ${b}\n\n[1]: ${address}\n`,
          `[${a}]\n\n[${a}]: ${address}\n`,
          `[${a}][]\n\n[${a}]:\n  <${address}>\n`,
          `<a href="${address}">${a}</a>`,
          `<a href="${address}" title="${b.replace(/"/g, '')}">${a}</a>`,
          `<a href=${address}>${a}<a href="${address}">${b}</a></a>`,
          `[![${a}](${address})${b}](${address})`,
          `![${a}](b[c) ${b}](${address})`,
          `[${a} [${b}] c](${address})`,
          `<a href="${address}">\n\n${a}\n\n</a>`,
          `# <a href="${address}">\n    </a>\n\n${a}`,
          `<map><area alt="${a.replace(/"/g, '')}" href="${address}"></map>`,
          `<area title=">" href='${address}' alt='${a.replace(/'/g, '')}' x="${b}">`,
          `<math href="${address}"><mtext>${a}</mtext>${b}</math>`,
          `<mi title="a>b" href=${address}>${a}</mi>`,
          `<svg><text xlink:href="${address}">${a}</text></svg>`,
          `<math x=a" y=">" href="${address}">${a}</math>`,
          `\\href{${address}}{${a}}`,
          `\\href {${address}} {\\text{${a}}\\mathrm{${b}}}`,
          `$\\href{${address}}{${a}}\\href{${address}}{${b}}$`,
          `\\href{${address}}%x\n{{${a}}{}${b}}`,
          `<iframe srcdoc="<a href=${address}>${a.replace(/"/g, '&quot;')}</a>"></iframe>`,
          `<iframe srcdoc='&lt;a href="${address}"&gt;${a.replace(/'/g, '')}'></iframe> ${b}`,
          `<math><${a} <a href="${address}">${b}</a>`,
          `<math><x\n${a} href="${address}">${b}</x>`,
          `<base href="${address}"><a href="v/x">${a}</a>`,
          `[${a}](<${url} /../../models/mdl_1>)`,
          `<${url}${blank}/../../models/mdl_1> ${a}`,
          `[x](${url}${blank}/../../models/mdl_1)`,
          `https://evil.example/${blank}${url}${blank}/../x`,
          `${a}${blank}${url}${blank}${b}`,
          `<meta http-equiv=refresh content="0;url=${address}"> ${a}`,
        ][kind] ?? '',
      )
    })
  const good = fc.tuple(fc.nat(own.length - 1), fc.nat(6)).map(([index, kind]): Written => {
    const { url } = own[index] ?? { url: '' }
    const text =
      [
        url,
        `<${url}>`,
        `[Check me](${url})`,
        `[${url}](${url})`,
        `**${url}**`,
        `See ${url}.`,
        `<a href="${url}">${url}</a>`,
      ][kind] ?? ''
    return { text, good: [index] }
  })
  const honest = oneOf([
    'See [the docs](https://acme.example/a) and [more][2].',
    '<a href="https://acme.example/">Acme</a>',
    '<a class="x" href="https://acme.example/"><b>Acme</b> and `code`</a>',
    'Use `list[0]` or list[1](x), as in [a [b] c](https://acme.example).',
    '```ts\nconst a = [1, [2]](x)\n```',
    '- [ ] to do\n- [x] done',
    `Ask ${host}.`,
    '![alt](https://acme.example/x.png)',
    'x < y && y > z',
    'See [the `<input>` element](https://acme.example/) or [&lt;div&gt;](https://acme.example/b).',
    '```jsx\n<Card href="/a" onClick={go}>A</Card>\n```',
    '<https://acme.example/> and <a@acme.example>',
    '| a | b |\n|---|---|\n| [x](https://acme.example/) | `<b>` |',
    'As noted.[^1]\n\n[^1]: By Acme, see https://acme.example/x?a=b&c=[d].',
  ]).map(plain)
  const part = fc.oneof(
    { arbitrary: links, weight: 4 },
    { arbitrary: soup, weight: 4 },
    { arbitrary: good.map((given) => around('\n\n', given, '\n\n')), weight: 3 },
    { arbitrary: good.map((given) => around(' ', given, ' ')), weight: 1 },
    { arbitrary: honest.map((given) => around('\n\n', given, '\n\n')), weight: 2 },
  )
  const whole = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => join(parts))
  const cut = fc.tuple(whole, fc.nat(2_000)).map(([{ text }, length]) => plain(text.slice(0, length)))
  const spoilt = fc
    .tuple(whole, fc.array(fc.tuple(fc.nat(2_000), oneOf(odd)), { minLength: 1, maxLength: 4 }))
    .map(([{ text }, signs]) =>
      plain(
        signs.reduce(
          (written, [at, sign]) => written.slice(0, at % text.length) + sign + written.slice(at % text.length),
          text,
        ),
      ),
    )
  return fc.oneof({ arbitrary: whole, weight: 6 }, { arbitrary: cut, weight: 1 }, { arbitrary: spoilt, weight: 2 })
}
