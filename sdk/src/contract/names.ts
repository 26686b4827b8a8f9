import { resembled } from './lookalikes.ts'

/** The characters allowed in names, as shown to people. */
export const nameCharacters = "letters, digits, spaces and . , & ' ’ ( ) + - – / : _ ! #"

/** Marks that draw a circle, a box or an arrow with a letter are signs, not letters: with one, `V` looks like a seal. */
const strange = /[^\p{L}\p{M}\p{N} .,&'’()+\-–/:_!#]|\p{Me}|[\u20d0-\u20ff]/u

/* ---- reserved words ---- */

/** Words that only the registry may use about others, compared without spaces. */
const reservedWords = [
  'verified',
  'certified',
  'confirmed',
  'official',
  'trust and safety',
  'trust safety',
  'Countersign',
  'vérifié',
].map((words) => ({ letters: resembled(words.replaceAll(' ', '')), words }))
const longest = Math.max(...reservedWords.map(({ letters }) => letters.length))
const [unofficial, verifie] = [resembled('unofficial'), resembled('vérifié')]

/** Words as they look, including those in `VerifiedAcme`, `Veri-fied2` and `Ver!fied`. */
const wordsOf = (text: string) =>
  [
    text,
    text.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 '),
    text.replace(/\p{N}+(?![\p{L}\p{N}])/gu, ''),
    text.replaceAll('!', 'i').replaceAll('+', 't'),
    text.replace(/rn/gi, 'm').replace(/vv/gi, 'w'),
  ].map((each) => resembled(each).match(/[\p{L}\p{N}]+/gu) ?? [])

/** Matches at either end of a longer word, except `verifier` and `unofficial`. */
const isAtEndOf = (word: string, letters: string) =>
  letters !== verifie && (word.startsWith(letters) || (word.endsWith(letters) && !word.endsWith(unofficial)))

/** Also finds words that are split: `Veri-fied`, `V e r i f i e d`. */
const findReservedWord = (words: readonly string[]) => {
  for (let first = 0; first < words.length; first++) {
    const word = words[first] ?? ''
    let letters = ''
    for (let last = first; last < words.length && letters.length < longest; last++) {
      letters += words[last]
      const found = reservedWords.find((reserved) => reserved.letters === letters || isAtEndOf(word, reserved.letters))
      if (found) return found.words
    }
  }
  return undefined
}

/* ---- alphabets ---- */

const letter = /[\p{L}\p{M}\p{N}]+/gu
/** Alphabets with similar letters. East Asian text without spaces may contain Latin words (UTS 39 §5.2). */
const alphabets = [
  [
    /\p{sc=Latin}/u,
    /^[\p{sc=Latin}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Common}\p{sc=Inherited}]+$/u,
  ],
  [/\p{sc=Cyrillic}/u, /^[\p{sc=Cyrillic}\p{sc=Common}\p{sc=Inherited}]+$/u],
  [/\p{sc=Greek}/u, /^[\p{sc=Greek}\p{sc=Common}\p{sc=Inherited}]+$/u],
  [/\p{sc=Armenian}/u, /^[\p{sc=Armenian}\p{sc=Common}\p{sc=Inherited}]+$/u],
] as const
/** Scripts that UAX 31 does not recommend for names: allowed only in names written entirely in them. */
const isRare =
  /[^\P{L}\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Armenian}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Common}\p{sc=Inherited}\p{sc=Arabic}\p{sc=Bengali}\p{sc=Devanagari}\p{sc=Ethiopic}\p{sc=Georgian}\p{sc=Gujarati}\p{sc=Gurmukhi}\p{sc=Hebrew}\p{sc=Kannada}\p{sc=Khmer}\p{sc=Lao}\p{sc=Malayalam}\p{sc=Myanmar}\p{sc=Oriya}\p{sc=Sinhala}\p{sc=Tamil}\p{sc=Telugu}\p{sc=Thaana}\p{sc=Thai}\p{sc=Tibetan}]/u

const isMixed = (word: string): boolean =>
  alphabets.some(
    ([one, whole]) => one.test(word) && (!whole.test(word) || /(?![0-9])\p{Nd}/u.test(word.normalize('NFKD'))),
  )

const findMixed = (name: string): string | undefined => {
  const words = name.normalize('NFC').match(letter) ?? []
  const rare = words.find((word) => isRare.test(word))
  return (
    words.find(isMixed) ??
    (rare !== undefined && words.some((word) => /\p{L}/u.test(word) && !isRare.test(word)) ? rare : undefined)
  )
}

/** A word of Greek capitals that all look Latin, such as `ΟΡΕΝ`, with at least one whose lower case looks different. */
const isLatinInGreek = (word: string): boolean => /^[ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ\p{M}\p{N}]{2,}$/u.test(word) && /[ΗΜΝΥ]/.test(word)

const findLatinInGreek = (name: string): string | undefined => name.normalize('NFD').match(letter)?.find(isLatinInGreek)

/** What is wrong with a name that visitors read next to the registry's statements; undefined if nothing. */
export const nameProblem = (name: string): string | undefined => {
  const [character] = strange.exec(name) ?? []
  if (character !== undefined) return `A name may only contain ${nameCharacters}; “${character}” is not allowed`
  for (const words of wordsOf(name)) {
    const reserved = findReservedWord(words)
    if (reserved !== undefined) return `Only the registry may say “${reserved}”: remove it from the name`
  }
  const mixed = findMixed(name)
  const latin = findLatinInGreek(name)
  if (mixed === undefined && latin !== undefined)
    return `“${latin.normalize('NFC')}” looks like Latin letters: write the Greek in lower case`
  return mixed === undefined ? undefined : `Write “${mixed}” in the letters and digits of one alphabet`
}
