import { table } from './lookalike-table.ts'
import { rareOf } from './rare-lookalikes.ts'
import { rowsOf } from './rows.ts'

/** Characters that look like two letters. */
const pairs = `ss ß
ae æᴁ
oe œɶ
th þ`

/** Greek capitals that look like another Latin letter than their lower case. */
export const greekCapitals: Readonly<Record<string, string>> = { Η: 'H', Μ: 'M', Ν: 'N', Υ: 'Y' }

const boxed = Array.from({ length: 26 }, (_, i) =>
  // From U+1F150 in black circles, from U+1F170 in black squares.
  [0x1f150, 0x1f170].map((first) => [String.fromCodePoint(first + i), String.fromCharCode(97 + i)] as const),
).flat()

let point = 0
/** Decoded as scripts/generate/lookalikes.ts explains. */
const singles = Array.from(table.matchAll(/([0-9a-z]*)([A-Z])/g), ([, distance, latin = '']) => {
  point += Number.parseInt(distance || '1', 36)
  return [latin.toLowerCase(), String.fromCodePoint(point)] as const
})

/** The Latin letter that each character is read as. */
export const latinOf: ReadonlyMap<string, string> = new Map([
  ...boxed,
  ...[...singles, ...rowsOf(pairs)].flatMap(([latin = '', others = '']) =>
    Array.from(others.toLowerCase() + others, (other) => [other, latin] as const),
  ),
])

const asLatin = (character: string) => latinOf.get(character) ?? character

/** Text as it looks: without case and marks, and with Latin letters in place of similar letters of other alphabets. */
export const resembled = (text: string): string => {
  // The ASCII characters of the table; this takes a third of the time, and most texts are ASCII.
  if (/^[\0-~]*$/.test(text)) return text.toLowerCase().replace(/[@1i|0$]/g, asLatin)
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '')
  const isMixed = /\p{Script=Latin}/u.test(plain)
  const small = plain
    .replace(/[^\0-~]/gu, (letter) => rareOf.get(letter) ?? ((isMixed && greekCapitals[letter]) || letter))
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
  return Array.from(small, asLatin).join('')
}
