import fc from 'fast-check'

/** The links that a session has, and links that it must not give out. `host` is the registry's. */
export interface Cast {
  host: string
  own: { url: string; code: string }
  /** Codes of other sessions, as they are printed. */
  foreign: readonly string[]
}

/** One part of a model's output: its text, and the expected output. `null`: no part of a link may come through. */
export interface Part {
  written: string
  expected: string | null
  /** It may also be removed if something before it may still be open. */
  isRemovable?: boolean
}

/* ---- disguises that a reader or a program undoes ---- */

const invisibles = ['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u200e', '\u{e0020}']
const homoglyphs: Readonly<Record<string, string>> = {
  a: 'а',
  c: 'с',
  e: 'е',
  g: 'ɡ',
  i: 'і',
  m: 'м',
  o: 'о',
  p: 'р',
  r: 'г',
  s: 'ѕ',
  t: 'т',
  x: 'х',
  y: 'у',
  A: 'А',
  B: 'В',
  C: 'С',
  E: 'Е',
  H: 'Н',
  K: 'К',
  M: 'М',
  P: 'Р',
  S: 'Ѕ',
  T: 'Т',
  X: 'Х',
  Y: 'Υ',
}

const percent = (text: string) =>
  Array.from(new TextEncoder().encode(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
const fullWidth = (character: string) =>
  character > ' ' && character <= '~' ? String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0) : character
const randomCase = (character: string, seed: number) =>
  seed % 2 === 0 ? character.toLowerCase() : character.toUpperCase()

type Garble = (text: string, seeds: readonly number[]) => string

const eachCharacter =
  (change: (character: string, seed: number) => string): Garble =>
  (text, seeds) =>
    Array.from(text, (character, index) => change(character, seeds[index % seeds.length] ?? 0)).join('')

/** Changes the encoding of a text, but not what people read. */
const disguises: Readonly<Record<string, Garble>> = {
  'as it is': (text) => text,
  'upper and lower case': eachCharacter(randomCase),
  'percent-encoded': eachCharacter((character, seed) => (seed % 3 === 0 ? percent(character) : character)),
  'percent-encoded twice': eachCharacter((character, seed) =>
    seed % 4 === 0 ? percent(percent(character)) : character,
  ),
  'named by number': eachCharacter((character, seed) =>
    seed % 4 === 0 ? `&#${character.codePointAt(0)};` : character,
  ),
  'named by hexadecimal number': eachCharacter((character, seed) =>
    seed % 4 === 0 ? `&#x${character.codePointAt(0)?.toString(16)};` : character,
  ),
  'escaped as in JSON': eachCharacter((character, seed) =>
    seed % 4 === 0 ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : character,
  ),
  'with a hundred invisible characters': (text, [seed = 0]) => {
    const at = 1 + (seed % (text.length - 1))
    return text.slice(0, at) + '\u200b'.repeat(100) + text.slice(at)
  },
  'with invisible characters': eachCharacter((character, seed) =>
    seed % 3 === 0 ? character + (invisibles[seed % invisibles.length] ?? '') : character,
  ),
  'full width': eachCharacter((character, seed) => (seed % 3 === 0 ? fullWidth(character) : character)),
  'letters of other alphabets': eachCharacter((character, seed) =>
    seed % 2 === 0 ? (homoglyphs[character] ?? character) : character,
  ),
  'named by number with zeros': eachCharacter((character, seed) =>
    seed % 4 === 0 ? `&#${'0'.repeat(seed % 40)}${character.codePointAt(0)};` : character,
  ),
  'named by name': eachCharacter((character, seed) =>
    seed % 2 === 0 && /[a-z]/.test(character) ? `&${character}${['opf', 'fr', 'scr'][seed % 3]};` : character,
  ),
  'with invisible references': eachCharacter((character, seed) =>
    seed % 5 === 0
      ? character + (['&shy;', '&af;', '&zwnj;', '&Tab;', '&NewLine;', '&ZeroWidthSpace;'][seed % 6] ?? '')
      : character,
  ),
  accents: eachCharacter((character, seed) =>
    seed % 5 === 0 && /[a-z]/i.test(character) ? `${character}\u0301` : character,
  ),
}

/** Typical changes that models and renderers make to a code. */
const codeSpellings: Readonly<Record<string, Garble>> = {
  'as it is': (code) => code,
  underscores: (code) => code.replaceAll('-', '_'),
  blanks: (code) => code.replaceAll('-', ' '),
  'other dashes': (code, [seed = 0]) => code.replaceAll('-', ['–', '—', '‑', '−', '－'][seed % 5] ?? '-'),
  'escaped dashes': (code) => code.replaceAll('-', '\\-'),
  'no dashes': (code) => code.replaceAll('-', ''),
  'broken lines': (code, [seed = 0]) => {
    const at = code.indexOf('-', seed % 12) + 1
    return `${code.slice(0, at)}\n${code.slice(at)}`
  },
  'a quoted line': (code) => code.replace('-', '-\n> '),
  'letters for digits': (code) => code.replaceAll('0', 'O').replaceAll('1', 'l'),
  'bold groups': (code) => code.replaceAll('-', '**-**'),
  tags: (code) => code.replace('-', '-<b>').replace(/-([^-]*)$/, '</b>-<span class="x">$1'),
}

/** Spellings of a bare code that people still read as one. */
const bareSpellings = Object.entries(codeSpellings)

const wrappings: readonly (readonly [before: string, after: string])[] = [
  ['', ''],
  ['(', ')'],
  ['<', '>'],
  ['**', '**'],
  ['_', '_'],
  ['`', '`'],
  ['"', '"'],
  ['«', '»'],
  ['', '.'],
  ['', ','],
  ['', '!'],
  ['[Check me](', ')'],
  ['[who is this?](', ')'],
  ['![seal](', ')'],
  ['[1]: ', ''],
  ['<a href="', '">check</a>'],
  ['{"url":"', '"}'],
  ['| ', ' |'],
  ['链接：', '。'],
]

const seeds = fc.array(fc.nat(1_000), { minLength: 7, maxLength: 23 })
const oneOf = <T>(values: readonly T[]) => fc.nat(values.length - 1).map((index) => values[index] as T)

/* ---- parts ---- */

const harmless = [
  'The sea is calm today, and the answer is 42.',
  'Wird das auch übersetzt? Natürlich: »ja«.',
  '地图上的城市很多。',
  'مرحبا بالعالم',
  'नमस्ते दुनिया',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿 👩‍👩‍👧 ❤️',
  '```ts\nconst list = [1, 2, 3].map((x) => x * 2)\n```',
  '[a note](https://docs.acme.example/a_(b)?c=d#e) and [another][1]\n\n[1]: https://acme.example/x',
  '- [ ] to do\n- [x] done',
  '<a href="https://acme.example/">Acme</a> &amp; friends &#169; 100%25',
  '550e8400-e29b-41d4-a716-446655440000',
  '4111 1111 1111 1111 and a3ce929d0e0e4736',
  'that will make them come back when this is done well',
  'user@acme.example wrote to https://acme.example/v/overview?next=%2Fhome',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==',
  'C:\\Users\\acme\\v\\file.txt, //cdn.acme.example/x.js and \\\\server\\share',
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
  'x < y && y > z; a <b> c [unclosed (and so',
  'café e\u0301 ﬁne ｆｕｌｌ ①②③ ½',
  'W3C–HTML5_spec~v2|a*b',
]

const prose: fc.Arbitrary<Part> = fc
  .oneof(oneOf(harmless), fc.string({ unit: 'binary', maxLength: 40 }).filter(isHarmless), fc.lorem({ maxCount: 12 }))
  .map((text) => ({ written: text, expected: text }))

/** Random text without a host or anything like a code. */
function isHarmless(text: string) {
  return !/[a-z0-9]{3}/i.test(text.normalize('NFKC')) && text.isWellFormed()
}

const ownLink = ({ own, host }: Cast): fc.Arbitrary<Part> =>
  fc
    .tuple(oneOf(Object.values(codeSpellings)), oneOf(Object.values(disguises)), oneOf(wrappings), seeds)
    // No program reads tags within an attribute as a link, and their escaped quotes may end it.
    .filter(([spell, , [before]]) => spell !== codeSpellings.tags || !before.startsWith('<a'))
    .map(([spell, hide, [before, after], seed]) => ({
      written:
        before + hide(`${own.url.slice(0, own.url.indexOf(host))}${host}/v/${spell(own.code, seed)}`, seed) + after,
      expected: before + own.url + after,
    }))

const miscopiedLink = ({ own }: Cast): fc.Arbitrary<Part> =>
  fc.tuple(fc.nat(18), fc.nat(31), oneOf(wrappings)).map(([at, symbol, [before, after]]) => {
    const wrong = own.url.length - own.code.length + (own.code[at] === '-' ? at + 1 : at)
    return {
      written: `${before}${own.url.slice(0, wrong)}${'0123456789ABCDEFGHJKMNPQRSTVWXYZ'[symbol]}${own.url.slice(wrong + 1)}${after}`,
      expected: before + own.url + after,
    }
  })

type Route = (host: string, code: string) => string

/** Addresses that lead to the registry, or seem to. */
const routes: Readonly<Record<string, Route>> = {
  link: (host, code) => `https://${host}/v/${code}`,
  'long path': (host, code) => `https://${host}/verify/${code}?utm_source=chat#top`,
  api: (host, code) => `https://${host}/api/v1/verify/${code}`,
  'no scheme': (host, code) => `${host}/v/${code}`,
  'protocol-relative': (host, code) => `//${host}/v/${code}`,
  backslashes: (host, code) => `https:\\\\${host}\\v\\${code}`,
  'one slash': (host, code) => `https:/${host}/v/${code}`,
  'no slash': (host, code) => `https:${host}/v/${code}`,
  'plain http': (host, code) => `http://${host}/v/${code}`,
  'user name': (host, code) => `https://acme@${host}/v/${code}`,
  'userinfo of another host': (host, code) => `https://${host}@evil.example/v/${code}`,
  'beginning of another host': (host, code) => `https://${host}.evil.example/v/${code}`,
  'subdomain of another name': (host, code) => `https://www.${host}/v/${code}`,
  redirect: (host, code) => `https://evil.example/go?to=https://${host}/v/${code}`,
  'another host': (_, code) => `https://evil.example/v/${code}`,
  query: (_, code) => `https://evil.example/?check=${code}`,
  home: (host) => `https://${host}`,
  page: (host) => `https://${host}/models/mdl_06dh0e3x7c9bw4vjz2n8qk5ytm?verification=x`,
  'no code': (host) => `https://${host}/v/XXXX-XXXX-XXXX-XXXX`,
}

const foreignLink = ({ host, foreign }: Cast): fc.Arbitrary<Part> =>
  fc
    .tuple(oneOf(Object.values(routes)), oneOf(foreign), oneOf(Object.values(disguises)), oneOf(wrappings), seeds)
    .map(([route, code, hide, [before, after], seed]) => ({
      written: before + hide(route(host, code), seed) + after,
      expected: null,
    }))

const bareCode = ({ foreign }: Cast): fc.Arbitrary<Part> =>
  fc
    .tuple(oneOf(foreign), oneOf(bareSpellings), oneOf(Object.values(disguises)), oneOf(wrappings), seeds)
    .map(([code, [, spell], hide, [before, after], seed]) => ({
      written: before + hide(spell(code, seed), seed) + after,
      expected: null,
    }))

const falseLabel = ({ host, foreign, own }: Cast): fc.Arbitrary<Part> =>
  fc
    .tuple(oneOf([host, `https://${host}/v/`, `visit ${host} now`]), oneOf(foreign), fc.nat(5))
    .map(([label, code, kind]) => {
      const url = `https://${host}/v/${code}`
      const written = [
        `[${label}](https://evil.example/login)`,
        `<a href="https://evil.example/login">${label}</a>`,
        `[${label}][2]`,
        `[${own.url}](${url})`,
        `[${url}](${own.url})`,
        `[${label}]: https://evil.example`,
      ]
      return { written: written[kind] ?? '', expected: null }
    })

const ownUnderAnother = ({ own }: Cast): fc.Arbitrary<Part> =>
  oneOf([
    `[${own.url}](https://evil.example)`,
    `<a href="https://evil.example">${own.code}</a>`,
    `https://evil.example/v/${own.code}`,
  ]).map((written) => ({ written, expected: own.url }))

/** The session’s link, followed by text that would extend its address. */
const ownGoingOn = ({ own }: Cast): fc.Arbitrary<Part> =>
  fc
    .tuple(
      oneOf([';', '!', '$', '~', '+', ':', '.', '%3b', '/']),
      oneOf(['..', '%2e%2e', '.%2E', '&#46;.']),
      fc.boolean(),
    )
    .map(([joiner, up, isTarget]) => {
      const address = `${own.url}${joiner}/${up}/../models/mdl_06dh0e3x7c9bw4vjz2n8qk5ytm`
      return isTarget
        ? { written: `[me](${address})`, expected: `[me](${own.url})`, isRemovable: true }
        : { written: address, expected: own.url }
    })

/** An address that a browser joins again. */
const brokenTarget = ({ host, foreign }: Cast): fc.Arbitrary<Part> =>
  fc.tuple(oneOf(['\n', '\t', '\r\n']), oneOf(foreign), fc.integer({ min: 8, max: 14 })).map(([end, code, at]) => {
    const address = `https://${host}/v/${code}`
    return { written: `<a href="${address.slice(0, at)}${end}${address.slice(at)}">x</a>`, expected: null }
  })

const separators = [' ', '\n', '\n\n', ' — ', '。', ' and ']

/** An output of several parts, and the positions where it is cut into chunks. */
export const outputs = (cast: Cast) =>
  fc.record({
    parts: fc.array(
      fc.oneof(
        { arbitrary: prose, weight: 4 },
        { arbitrary: ownLink(cast), weight: 3 },
        { arbitrary: miscopiedLink(cast), weight: 1 },
        { arbitrary: foreignLink(cast), weight: 4 },
        { arbitrary: bareCode(cast), weight: 2 },
        { arbitrary: falseLabel(cast), weight: 1 },
        { arbitrary: ownUnderAnother(cast), weight: 1 },
        { arbitrary: ownGoingOn(cast), weight: 1 },
        { arbitrary: brokenTarget(cast), weight: 1 },
      ),
      { minLength: 1, maxLength: 5 },
    ),
    separators: fc.array(oneOf(separators), { minLength: 5, maxLength: 5 }),
    cuts: fc.array(fc.nat(1_000), { maxLength: 12 }),
  })

/** Cuts a text at positions in thousandths of its length, even between the halves of a surrogate pair. */
export const cut = (text: string, cuts: readonly number[]): string[] => {
  const places = [...new Set([0, ...cuts.map((place) => Math.floor((place * text.length) / 1_000)), text.length])].sort(
    (a, b) => a - b,
  )
  return places.slice(1).map((end, index) => text.slice(places[index], end))
}

/* ---- a check that shares no code with the guard ---- */

const undo = (text: string): string => {
  const latin = new Map(Object.entries(homoglyphs).map(([plain, other]) => [other, plain]))
  // Browsers ignore line ends within quoted attributes.
  let read = text.replace(/href="[^"]*"/g, (attribute) => attribute.replace(/[\t\r\n]/g, ''))
  for (let round = 0; round < 4; round++) {
    read = read
      .replace(/&#x([0-9a-f]+);/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
      .replace(/&#(\d+);/g, (_, decimal: string) => String.fromCodePoint(Number(decimal)))
      .replace(/&([a-z])(?:opf|fr|scr);/gi, '$1')
      .replace(/&(?:shy|af|zwnj|Tab|NewLine|ZeroWidthSpace);/g, '')
      .replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
      .replace(/<\/?(?:b|span class="x")>/g, '')
      .replace(/(?:%[0-9a-f]{2})+/gi, (escaped) => {
        try {
          return decodeURIComponent(escaped)
        } catch {
          return escaped
        }
      })
      .normalize('NFKD')
      .replace(/[\u0300-\u036f\u00ad\u200b-\u200f\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/gu, '')
      .normalize('NFKC')
  }
  return Array.from(read, (character) => latin.get(character) ?? character)
    .join('')
    .toLowerCase()
}

/** The foreign links that a reader can still find in a text: none, if it went through the guard. */
export const findEscaped = (text: string, { host, own, foreign }: Cast): string[] => {
  const grown = Array.from(text.matchAll(/https?:\/\/[^\s<>"]+/g), ([address]) =>
    URL.canParse(address) ? new URL(address).href : '',
  ).filter((href) => href.includes('/models/'))
  const read = undo(text.replaceAll(own.url, ' '))
  const compact = read
    .replace(/[^a-z0-9]/g, '')
    .replaceAll('o', '0')
    .replace(/[il]/g, '1')
  const codes = foreign.filter((code) => compact.includes(code.replaceAll('-', '').toLowerCase()))
  const name = host.replace(/[.]/g, '\\.')
  const address = new RegExp(`(?:[\\\\/@]${name}(?![a-z0-9-])|(?<![a-z0-9-])${name}(?:[\\\\/?#@]|\\.evil))`)
  return [
    ...grown,
    ...codes,
    ...(address.exec(read) ?? []),
    ...(/\]\(https:\/\/evil\.example\/login|href="https:\/\/evil/.exec(read) ?? []),
  ]
}
