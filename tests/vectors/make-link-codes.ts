import { createHash } from 'node:crypto'
import { formatLinkCode } from '@countersign/sdk/verify'
import { createLinkCode } from '@countersign/sdk/verify/link-codes'

const symbols = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const origin = 'https://registry.example'

/** Bytes that look random and are the same every time. */
const bytesOf = (name: string) => createHash('sha256').update(name).digest()

const times = [
  '1970-01-01T00:00:00.000Z',
  '1970-01-01T00:15:00.000Z',
  '2026-11-20T10:15:00.000Z',
  '2026-11-20T10:29:59.999Z',
  '2026-11-20T10:30:00.000Z',
  '2106-02-07T06:28:16.000Z',
]

const good = () => [
  { at: times[0], random: '0000000000000000', code: createLinkCode(0, new Uint8Array(8)) },
  { at: times[0], random: 'ffffffffffffffff', code: createLinkCode(0, new Uint8Array(8).fill(255)) },
  ...times.map((at) => {
    const random = bytesOf(at).subarray(0, 8)
    return { at, random: random.toString('hex'), code: createLinkCode(Date.parse(at), random) }
  }),
]

/** Every spelling of one code that must be read as that code. */
const spellings = (code: string) => {
  const hyphened = formatLinkCode(code)
  const link = `${origin}/v/${hyphened}`
  const between = (separator: string) => hyphened.replaceAll('-', separator)
  const bare: Record<string, string> = {
    'as made': code,
    hyphens: hyphened,
    'lower case': hyphened.toLowerCase(),
    'no hyphens, lower case': code.toLowerCase(),
    spaces: between(' '),
    underscores: between('_'),
    dots: between('.'),
    'en dashes': between('–'),
    'em dashes': between('—'),
    'minus signs': between('−'),
    'non-breaking hyphens': between('‑'),
    'spaces around hyphens': between(' - '),
    'every symbol apart': code.split('').join(' '),
    'O for 0': hyphened.replaceAll('0', 'O'),
    'o for 0': hyphened.replaceAll('0', 'o'),
    'I for 1': hyphened.replaceAll('1', 'I'),
    'l for 1': hyphened.replaceAll('1', 'l'),
    'trailing full stop': `${hyphened}.`,
    quotes: `"${hyphened}"`,
    'typographic quotes': `“${hyphened}”`,
    backticks: `\`${hyphened}\``,
    bold: `**${hyphened}**`,
    'angle brackets': `<${hyphened}>`,
    'spaces and line ends around': `\n  ${hyphened} \r\n`,
    'zero-width characters': code.split('').join('\u200b'),
    'soft hyphens': between('\u00ad'),
    'full-width characters': code.replace(/./g, (symbol) =>
      String.fromCodePoint((symbol.codePointAt(0) ?? 0) + 0xfee0),
    ),
    'a sentence': `My code is ${hyphened}, please check it.`,
    'a sentence, no hyphens': `My code is ${code} and nothing else.`,
  }
  const linked: Record<string, string> = {
    link: link,
    'link, lower case': link.toLowerCase(),
    'link, host in capitals': link.replace('registry.example', 'Registry.EXAMPLE'),
    'link, no hyphens': `${origin}/v/${code}`,
    'link with /verify': `${origin}/verify/${hyphened}`,
    'link to the API': `${origin}/api/v1/verify/${hyphened}`,
    'link to the inspection': `${origin}/api/v1/jwt/verify/${hyphened}`,
    'link with a query': `${link}?utm_source=chat`,
    'link with a fragment': `${link}#top`,
    'link with a final slash': `${link}/`,
    'link with a full stop': `${link}.`,
    'link in parentheses': `(${link})`,
    'link in angle brackets': `<${link}>`,
    'link in quotes': `'${link}'`,
    'link in bold': `**${link}**`,
    'link in italics': `_${link}_`,
    'link in backticks': `\`${link}\``,
    'link in markdown': `[Check who I am](${link})`,
    'link in markdown, with a title': `[Check](${link} "verification")`,
    'link in markdown, in bold': `**[Check](${link})**.`,
    'link in an HTML attribute': `<a href="${link}">check</a>`,
    'link in JSON': JSON.stringify({ verification_url: link }),
    'link with spaces for hyphens': `${origin}/v/${between(' ')}`,
    'link with spaces for hyphens, in a sentence': `See ${origin}/v/${between(' ')} and ask.`,
    'link with en dashes, percent-encoded': `${origin}/v/${encodeURIComponent(between('–'))}`,
    'link, percent-encoded': encodeURIComponent(link),
    'link in a sentence': `You can check me at ${link}, if you like.`,
    'link with zero-width characters': link.split('').join('\u200b'),
    'link without a scheme': link.slice('https://'.length),
    'link without a scheme, in a sentence': `Open ${link.slice('https://'.length)}.`,
  }
  return [
    ...Object.entries(bare).map(([name, input]) => ({ name, input, code, origin: null })),
    ...Object.entries(linked).map(([name, input]) => ({ name, input, code, origin })),
  ]
}

const replaced = (code: string, at: number, symbol: string) => code.slice(0, at) + symbol + code.slice(at + 1)

const singleErrors = (code: string) =>
  Array.from(code).flatMap((right, at) =>
    Array.from(symbols.replace(right, ''), (symbol) => formatLinkCode(replaced(code, at, symbol))),
  )

const doubleErrors = (code: string) =>
  Array.from({ length: 300 }, (_, index) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytesOf(`double ${index}`)
    const first = a % 16
    const second = (first + 1 + (b % 15)) % 16
    const other = (at: number, by: number) => symbols[(symbols.indexOf(code[at] ?? '') + 1 + (by % 31)) % 32] ?? ''
    return formatLinkCode(replaced(replaced(code, first, other(first, c)), second, other(second, d)))
  })

const neighboursSwapped = (code: string) =>
  Array.from({ length: 15 }, (_, at) => code.slice(0, at) + code[at + 1] + code[at] + code.slice(at + 2))
    .filter((swapped) => swapped !== code)
    .map(formatLinkCode)

const malformed = (code: string) => [
  { name: 'a question of sixteen letters', input: 'which model are you?' },
  { name: 'nothing', input: '' },
  { name: 'spaces', input: '   ' },
  { name: 'a word', input: 'hello' },
  { name: 'half a code', input: code.slice(0, 8) },
  { name: 'two codes run together', input: code + code },
  { name: 'an API key', input: `csk_${'a'.repeat(8)}_${'b'.repeat(49)}` },
  { name: 'an address without a code', input: `${origin}/models` },
  { name: 'the link page without a code', input: `${origin}/v/` },
  { name: 'more than 4096 characters', input: `${origin}/v/${code}?${'a'.repeat(4_096)}` },
]

/** Links for which the address decides, regardless of the text around it. */
const foreign = (code: string) => {
  const hyphened = formatLinkCode(code)
  const evil = 'https://evil.example'
  return [
    { name: 'another host', input: `${evil}/v/${hyphened}`, origin: evil },
    { name: 'our host as the user', input: `https://registry.example@evil.example/v/${hyphened}`, origin: evil },
    {
      name: 'our host as an escaped user',
      input: `https://registry.example%2F@evil.example/v/${hyphened}`,
      origin: evil,
    },
    {
      name: 'our link as the label of theirs',
      input: `[${origin}/v/${hyphened}](${evil}/v/${hyphened})`,
      origin: evil,
    },
    {
      name: 'our link in the query of theirs',
      input: `${evil}/v/${hyphened}?next=${origin}/v/${hyphened}`,
      origin: evil,
    },
    {
      name: 'our host as a part of theirs',
      input: `https://registry.example.evil.example/v/${hyphened}`,
      origin: 'https://registry.example.evil.example',
    },
    {
      name: 'a letter that only looks like ours',
      input: `https://regіstry.example/v/${hyphened}`,
      origin: 'https://xn--regstry-tog.example',
    },
    { name: 'another port', input: `${origin}:8443/v/${hyphened}`, origin: `${origin}:8443` },
    { name: 'without encryption', input: `http://registry.example/v/${hyphened}`, origin: 'http://registry.example' },
  ]
}

export const linkCodeVectors = () => {
  const codes = good()
  const code = createLinkCode(Date.parse('2026-11-20T10:15:00.000Z'), Buffer.from('0104c9f20dab3a7e', 'hex'))
  return {
    about:
      'Link codes: 2 symbols of floor(time / 15 min) mod 1024, 12 random symbols, 2 check symbols of a Reed–Solomon (16,14) code over GF(32) (x^5+x^2+1, roots a and a^2), in Crockford base32. `good`: time and random bytes make the code. `spellings`: each input reads as the code and origin. `mistyped`: none of these is a code. `malformed`: nothing to do with a code. `foreign`: reads as the code with that origin.',
    code,
    good: codes,
    spellings: spellings(code),
    mistyped: {
      'one symbol wrong': singleErrors(code),
      'two symbols wrong': doubleErrors(code),
      'neighbours swapped': neighboursSwapped(code),
      'one symbol too few': Array.from(code, (_, at) => formatLinkCode(code.slice(0, at) + code.slice(at + 1))),
      'one symbol too many': Array.from(code, (_, at) => formatLinkCode(`${code.slice(0, at)}7${code.slice(at)}`)),
      'a letter that is not a symbol': [`${code.slice(0, 15)}U`, `${code.slice(0, 15)}?`, `${code.slice(0, 15)}Å`],
    },
    malformed: malformed(code),
    foreign: foreign(code),
  }
}
