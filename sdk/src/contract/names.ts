import { resembled } from './lookalikes.ts'

/** What names are made of, for people. */
export const nameCharacters = "letters, digits, spaces and . , & ' ’ ( ) + - – / : _ ! #"

const strange = /[^\p{L}\p{M}\p{N} .,&'’()+\-–/:_!#]/u

/* ---- judgements ---- */

/** What only the registry says of others, without its blanks. */
const judgements = ['verified', 'certified', 'confirmed', 'official', 'trust and safety', 'trust safety', 'Countersign', 'vérifié'].map(
  (words) => ({ letters: resembled(words.replaceAll(' ', '')), words }),
)
const longest = Math.max(...judgements.map(({ letters }) => letters.length))
const [unofficial, verifie] = [resembled('unofficial'), resembled('vérifié')]

/** Words as they look: also of `VerifiedAcme`, of `Veri-fied2` and of `Ver!fied`. */
const wordsOf = (text: string) =>
  [
    text,
    text.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 '),
    text.replace(/\p{N}+(?![\p{L}\p{N}])/gu, ''),
    text.replaceAll('!', 'i').replaceAll('+', 't'),
    text.replace(/rn/gi, 'm').replace(/vv/gi, 'w'),
  ].map((each) => resembled(each).match(/[\p{L}\p{N}]+/gu) ?? [])

/** Also at an end of a longer word. A verifier is not verified, and who is unofficial says so. */
const isAtEndOf = (word: string, letters: string) =>
  letters !== verifie && (word.startsWith(letters) || (word.endsWith(letters) && !word.endsWith(unofficial)))

/** Words, also where they are taken apart: `Veri-fied`, `V e r i f i e d`. */
const findJudgement = (words: readonly string[]) => {
  for (let first = 0; first < words.length; first++) {
    const word = words[first] ?? ''
    let letters = ''
    for (let last = first; last < words.length && letters.length < longest; last++) {
      letters += words[last]
      const found = judgements.find((judgement) => judgement.letters === letters || isAtEndOf(word, judgement.letters))
      if (found) return found.words
    }
  }
  return undefined
}

/* ---- alphabets ---- */

const letter = /[\p{L}\p{M}\p{N}]+/gu
/** Whose letters look like those of another. What is written with no blanks in East Asia may hold Latin words (UTS 39 §5.2). */
const alphabets = [
  [/\p{sc=Latin}/u, /^[\p{sc=Latin}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Common}\p{sc=Inherited}]+$/u],
  [/\p{sc=Cyrillic}/u, /^[\p{sc=Cyrillic}\p{sc=Common}\p{sc=Inherited}]+$/u],
  [/\p{sc=Greek}/u, /^[\p{sc=Greek}\p{sc=Common}\p{sc=Inherited}]+$/u],
  [/\p{sc=Armenian}/u, /^[\p{sc=Armenian}\p{sc=Common}\p{sc=Inherited}]+$/u],
] as const
/** Scripts of few readers, which UAX 31 does not recommend for names: only in names that have nothing else. */
const isRare =
  /[^\P{L}\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Armenian}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Common}\p{sc=Inherited}\p{sc=Arabic}\p{sc=Bengali}\p{sc=Devanagari}\p{sc=Ethiopic}\p{sc=Georgian}\p{sc=Gujarati}\p{sc=Gurmukhi}\p{sc=Hebrew}\p{sc=Kannada}\p{sc=Khmer}\p{sc=Lao}\p{sc=Malayalam}\p{sc=Myanmar}\p{sc=Oriya}\p{sc=Sinhala}\p{sc=Tamil}\p{sc=Telugu}\p{sc=Thaana}\p{sc=Thai}\p{sc=Tibetan}]/u

const isMixed = (word: string): boolean =>
  alphabets.some(([one, whole]) => one.test(word) && (!whole.test(word) || /(?![0-9])\p{Nd}/u.test(word.normalize('NFKD'))))

const findMixed = (name: string): string | undefined => {
  const words = name.normalize('NFC').match(letter) ?? []
  const rare = words.find((word) => isRare.test(word))
  return words.find(isMixed) ?? (rare !== undefined && words.some((word) => /\p{L}/u.test(word) && !isRare.test(word)) ? rare : undefined)
}

/** Greek capitals that all look Latin, some of them like other letters than their small ones: `ΟΡΕΝ` reads as Latin. */
const isLatinInGreek = (word: string): boolean => /^[ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ\p{M}\p{N}]{2,}$/u.test(word) && /[ΗΜΝΥ]/.test(word)

const findLatinInGreek = (name: string): string | undefined => name.normalize('NFD').match(letter)?.find(isLatinInGreek)

/** What is wrong with a name that visitors read beside what the registry says; nothing: it keeps the rules. */
export const nameProblem = (name: string): string | undefined => {
  const [character] = strange.exec(name) ?? []
  if (character !== undefined) return `A name has only ${nameCharacters}; “${character}” is none of them`
  for (const words of wordsOf(name)) {
    const judgement = findJudgement(words)
    if (judgement !== undefined) return `Only the registry says “${judgement}”: leave it out of the name`
  }
  const mixed = findMixed(name)
  const latin = findLatinInGreek(name)
  if (mixed === undefined && latin !== undefined)
    return `“${latin.normalize('NFC')}” reads as Latin letters: write its Greek in small letters`
  return mixed === undefined ? undefined : `Write “${mixed}” in the letters and digits of one alphabet`
}
