import { resembled } from './lookalikes.ts'

/** What names are made of, for people. */
export const nameCharacters = "letters, digits, spaces and . , & ' ’ ( ) + - – / : _ ! #"

const strange = /[^\p{L}\p{M}\p{N} .,&'’()+\-–/:_!#]/u

/** What only the registry says of others, without its blanks. */
const judgements = ['verified', 'certified', 'official', 'trust and safety', 'trust safety', 'Countersign'].map((words) => ({
  letters: resembled(words.replaceAll(' ', '')),
  words,
}))
const longest = Math.max(...judgements.map(({ letters }) => letters.length))

/** Words, also of `VerifiedAcme`, as they look. */
const wordsOf = (text: string) =>
  [text, text.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')].map((each) => resembled(each).match(/[\p{L}\p{N}]+/gu) ?? [])

/** Whole words, also where they are taken apart: `Veri-fied`, `V e r i f i e d`. */
const findJudgement = (words: readonly string[]) => {
  for (let first = 0; first < words.length; first++) {
    let letters = ''
    for (let last = first; last < words.length && letters.length < longest; last++) {
      letters += words[last]
      const found = judgements.find((judgement) => judgement.letters === letters)
      if (found) return found.words
    }
  }
  return undefined
}

/** What is wrong with a name that visitors read beside what the registry says; nothing: it keeps the rules. */
export const nameProblem = (name: string): string | undefined => {
  const [character] = strange.exec(name) ?? []
  if (character !== undefined) return `A name has only ${nameCharacters}; “${character}” is none of them`
  for (const words of wordsOf(name)) {
    const judgement = findJudgement(words)
    if (judgement !== undefined) return `Only the registry says “${judgement}”: leave it out of the name`
  }
  return undefined
}
