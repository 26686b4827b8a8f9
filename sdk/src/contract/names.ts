import { quote, strayMarks } from '../words/quotation.ts'
import { judgements, judgementsWithin } from './judgements.ts'
import { resembled } from './lookalikes.ts'

/** The characters allowed in names, as shown to people. */
export const nameCharacters = "letters, digits, spaces and . , & ' ’ ( ) + - – / : _ ! #"

/** Marks that draw a circle, a box or an arrow with a letter are signs, not letters: with one, `V` looks like a seal. */
const strange = /[^\p{L}\p{M}\p{N} .,&'’()+\-–/:_!#]|\p{Me}|[\u20d0-\u20ff]/u

/** Latin letters outside the common alphabets, such as phonetic and medieval ones and clicks: most look like another, as `ǀ` like `l`. */
const rareLatin =
  /(?![A-Za-zªºÀ-ķĹ-ľŁ-ňŊ-žƁƆƉƊƎ-ƔƖ-ƚƝ-ơƤƥƩƬ-ƴƷǍ-ǰǴǵǸ-țȞ-ȠȦ-ȳȺ-ȾɁɂɄɓɔɖɗəɛɠɣɨɩɲɵʃʈ-ʋʒʔḀ-ẙẞẠ-ỹⅠ-ⅿⱥⱦﬀ-ﬄＡ-Ｚａ-ｚ])\p{sc=Latin}/u

/* ---- letters that look like signs ---- */

/**
 * Beside a name these letters and numbers look like a tick, a trade mark or a badge: superscript and subscript letters, spacing accents,
 * numbers in circles, the eye `ꙮ` and the masu mark `〼`. The ranges include signs and Latin letters that are rejected above.
 */
const drawn =
  /[\u02b0-\u02ba\u02c0-\u02ff\u037a\u03d2-\u03d4\u03f2\u03f9-\u03fb\u1d2c-\u1dbf\u2460-\u24ff\u2776-\u2793\u3031-\u3035\u303c\u3192-\u3195\u3220-\u32bf\ua668-\ua66e\ua69c\ua69d\ua717-\ua71f\ua788\u{1d6a8}-\u{1d7cb}\u{1f100}-\u{1f10c}]/u

/** A katakana `レ`, or a stroke of Han, that no kana follows, and neither kana nor Han precedes, looks like a tick. `東レ` and `レーザー` are words. */
const tick =
  /(?<![\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}ー\uff70\uff9e\uff9f])[レﾚㇾ乚𠄌]+(?![\p{sc=Hiragana}\p{sc=Katakana}ー\uff70])/u
/** The same, except as the first word of a name in kana, such as `レ ミゼラブル`. */
const tickInJapanese =
  /(?<![\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}ー\uff70\uff9e\uff9f])[レﾚㇾ乚𠄌]+(?! ?[\p{sc=Hiragana}\p{sc=Katakana}ー\uff70])/u

/** A single letter or digit of an alphabet that has no one-letter words beside Latin names, or a character that looks like a box or a cross. */
const alone =
  /^(?:(?![\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Armenian}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Common}])\p{L}\p{M}*|[\u1100-\u11ff〇〤囗口回卍卐乂乄]|(?![0-9])\p{Nd})$/u

/** Numerals that are not digits, such as the Bengali `৴` and the Mayan `𝋠`. `²`, `½` and `Ⅳ` are written with digits and Latin letters. */
const numeral = /[\p{No}\p{Nl}]/u

/**
 * Marks that no language writes above, below or through the letters of a name: letters (`ͮ` is a small v), strokes and lines, those of
 * music and chant, and dots beside a letter. The dot of `o͘` is Taiwanese. Also marks without a letter.
 */
const drawnMark =
  /[\u0305\u0332-\u0338\u033f\u0346-\u034e\u0350-\u0357\u0359-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u2de0-\u2dff]|[\u1cd0-\u1cf9]|[\u302a-\u302f]|[\u{101fd}\u{102e0}\u{16ff0}\u{16ff1}]|[\u{1cf00}-\u{1cf46}]|[\u{1d165}-\u{1d244}]|(?<![Oo]\p{M}*)\u0358|[\ufe20-\ufe2f]|[\ua66f-\ua67d\ua69e\ua69f]|(?<![\p{L}\p{M}\p{N}])\p{M}/u

/** What chats turn into pictures: `:white_check_mark:`. `llama:7b:q4` has none. */
const pictureCode =
  /(?<![\p{L}\p{N}]):[a-z0-9_+-]+:(?![\p{L}\p{N}])|:[a-z0-9_+-]*(?:_|check|tick|lock|star|shield|medal|rosette|trophy|\+)[a-z0-9_+-]*:/iu

/** A tick made of other characters: signs, `v` or `y` alone in parentheses, which some chats turn into pictures; `_/`, `v/`, `-v-`. */
const drawing =
  /\([^\p{L}\p{N}]*[vyνѵγү]?[^\p{L}\p{N}]*(?:\)|$)|(?<![\p{L}\p{N}])(?:[_.,:'’–-] ?\/|[vνѵ]\/|[_:'’+–-] ?[vyνѵγү] ?[_:'’+–-])(?![\p{L}\p{N}])/iu

/** What in a name people read as a tick, a seal or a badge. */
const findSign = (name: string): string | undefined => {
  const [sketch] =
    pictureCode.exec(name) ??
    drawing.exec(name) ??
    drawnMark.exec(name.normalize('NFD')) ??
    name.normalize('NFC').match(strayMarks()) ??
    []
  if (sketch !== undefined) return sketch
  const hasLatin = /\p{sc=Latin}/u.test(name)
  const found = (hasLatin ? tick : tickInJapanese).exec(name)?.[0]
  if (found !== undefined || !hasLatin) return found
  const plain = name.normalize('NFKC')
  const words = plain.match(letter) ?? []
  const hasOther = words.some((word) => word.length > 1 && /[^\P{L}\p{sc=Latin}\p{sc=Common}]/u.test(word))
  return hasOther ? undefined : (numeral.exec(plain)?.[0] ?? words.find((word) => alone.test(word)))
}

/* ---- reserved words ---- */

const withLetters = (words: string) => [resembled(words).replace(/[^\p{L}\p{N}]/gu, ''), words] as const
/** Words that only the registry may use about others, compared without spaces. */
const reservedWords = [
  'verified',
  'certified',
  'confirmed',
  'official',
  'trust and safety',
  'trust safety',
  'Countersign',
].map(withLetters)
const reserved = new Map(reservedWords)
const foreignStems = new Map(judgements.filter(({ isStem }) => isStem).map(({ words }) => withLetters(words)))
/** Not in nouns of agents and actions: `verificador`, `подтверждение`. */
const asPattern = (stem: string) => `${stem}(?!${resembled('ени')}${stem.endsWith('d') ? '|or' : ''})`
const foreignStem = new RegExp(`^(?:${[...foreignStems.keys()].map(asPattern).join('|')})`, 'u')
const negations = ['in', 'un', 'no', 'non', 'ne', 'не'].map(resembled).join('|')
/** Within a word, such as `GPToficial`. Short stems are part of other words, `inoffiziell` says the opposite, and `sämtlich` (all) contains `amtlich`. */
const foreignWithin = new RegExp(
  `(?<!^(?:${negations}))(?!(?<=^s)${resembled('amtlich')})(?:${[...foreignStems.keys()]
    .filter(({ length }) => length > 6)
    .map(asPattern)
    .join('|')})`,
  'u',
)
/** By their letters, because minting looks for them in every challenge. */
const allWords = new Map([...judgements.map(({ words }) => withLetters(words)), ...reservedWords])
const longest = Math.max(...Array.from(allWords.keys(), ({ length }) => length))
const someWord = new RegExp([...allWords.keys(), ...foreignStems.keys()].join('|'))
const unofficial = resembled('unofficial')

/** Digits that stand for letters; `0` and `1` look like them. */
const lettersOf: Readonly<Record<string, string>> = { 3: 'e', 4: 'a', 5: 's', 7: 't' }

const asLetters = (text: string) => text.replace(/[3457]/g, (digit) => lettersOf[digit] ?? digit)

/** Reads `rn` and `vv` as one letter, also in `Confirr-ned`. */
const asOneLetter = (text: string) =>
  text.replace(/r[^\p{L}\p{N}]{0,2}n/giu, 'm').replace(/v[^\p{L}\p{N}]{0,2}v/giu, 'w')
/** `verifiecl` and `verifieçl`; not `verificación` */
const withD = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[cC][^\p{L}\p{N}]{0,3}[lł1I|!]/gu, 'd')

/** Words as they look, including those in `VerifiedAcme`, `Veri-fied2`, `V3rified` and `Ver!fied`. */
const wordsOf = (text: string) => {
  const readings = new Set([
    text,
    text.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 '),
    text.replace(/\p{N}+(?![\p{L}\p{N}])/gu, ''),
    ...[text, withD(text)].flatMap((each) => [
      asOneLetter(each),
      asOneLetter(asLetters(each.replaceAll('!', 'i').replaceAll('+', 't'))),
    ]),
  ])
  return [...readings].map((each) => resembled(each).match(/[\p{L}\p{N}]+/gu) ?? [])
}

/** Also matches within a longer word, except in `unofficial`. */
const holds = (word: string, letters: string) =>
  word.includes(letters) && word.replaceAll(unofficial, '').includes(letters)

/** Whether a foreign word or stem that begins in one word and ends in another reads as one: `veri ficado`, `veri fica do`, `o f i c i a l`; not `viral link`, `verifica dati`. */
const readsAsOne = (words: readonly string[], length: number) => {
  let [last, before] = [0, 0]
  for (; before + (words[last] ?? '').length < length; last++) before += (words[last] ?? '').length
  const rest = before + (words[last] ?? '').length - length
  const longestPart = Math.max(...words.slice(0, last + 1).map((word) => word.length))
  return last === 0 || (length - before > 2 && rest < 5) || longestPart < 3 || (last > 1 && longestPart < 5)
}

/** Also finds words that are split: `Veri-fied`, `V e r i f i e d`. */
const findReservedWord = (words: readonly string[]) => {
  for (let first = 0; first < words.length; first++) {
    const word = words[first] ?? ''
    let found = reservedWords.find(([known]) => holds(word, known))?.[1]
    let letters = ''
    for (let last = first; !found && last < words.length && letters.length < longest; last++) {
      letters += words[last]
      found = allWords.get(letters)
      if (found && !reserved.has(letters) && !readsAsOne(words.slice(first), letters.length)) found = undefined
    }
    const [stem] = foreignStem.exec(letters) ?? []
    if (stem && readsAsOne(words.slice(first), stem.length)) found ??= foreignStems.get(stem)
    found ??= foreignStems.get((word.length > 7 && foreignWithin.exec(word)?.[0]) || '')
    if (found) return found
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
  /[^\P{L}\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Armenian}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Common}\p{sc=Inherited}\p{sc=Arab}\p{sc=Beng}\p{sc=Deva}\p{sc=Ethi}\p{sc=Geor}\p{sc=Gujr}\p{sc=Guru}\p{sc=Hebr}\p{sc=Knda}\p{sc=Khmr}\p{sc=Laoo}\p{sc=Mlym}\p{sc=Mymr}\p{sc=Orya}\p{sc=Sinh}\p{sc=Taml}\p{sc=Telu}\p{sc=Thaa}\p{sc=Thai}\p{sc=Tibt}]/u

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

/** All readings of such a phrase have the same letters, except at its end. */
const simple = /^(?!.*(?:r {0,2}n|v {0,2}v|c {0,3}[li1]))[a-z ]*[0-9]*$/i

/** Most challenges are simple and without such words; this takes a quarter of the time that looking for the word takes. */
const isHarmless = (text: string): boolean =>
  simple.test(text) && !someWord.test(resembled(asLetters(text)).replaceAll(' ', ''))

/** The first words in a text that only the registry may say about others. */
export const judgementIn = (text: string): string | undefined => {
  if (isHarmless(text)) return undefined
  const found = wordsOf(text).map(findReservedWord).find(Boolean)
  const whole = text.normalize('NFKC')
  const within = judgementsWithin.exec(whole) ?? judgementsWithin.exec(whole.replace(/[^\p{L}\p{M}\p{N}]/gu, ''))
  return found ?? within?.[0]
}

/** Stands for a name that is withheld. */
const likeNumber = /^# ?\p{N}+$/u

const claimIn = (name: string): string | undefined => {
  const judgement = judgementIn(name)
  return judgement === undefined ? undefined : `Only the registry may say “${judgement}”: remove it from the name`
}

const problemIn = (name: string): string | undefined => {
  const [character] = strange.exec(name) ?? rareLatin.exec(name) ?? drawn.exec(name) ?? []
  if (character !== undefined) return `A name may only contain ${nameCharacters}; “${character}” is not allowed`
  if (likeNumber.test(name)) return `“${name}” looks like the number of a version: remove the #`
  const claim = claimIn(name)
  if (claim !== undefined) return claim
  const mixed = findMixed(name)
  if (mixed !== undefined) return `Write “${mixed}” in the letters and digits of one alphabet`
  const latin = findLatinInGreek(name)
  if (latin !== undefined) return `“${latin.normalize('NFC')}” looks like Latin letters: write the Greek in lower case`
  const sign = findSign(name)
  return sign === undefined ? undefined : `“${sign}” looks like a sign here: remove it from the name`
}

/** A name as pages show it between quotation marks. */
export const asQuoted = (name: string): string => quote(name).slice(1, -1)

/** A name of these characters can only be wrong in what it says. */
const plain = /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/

/** What is wrong with a name that visitors read next to the registry's statements, as stored or as quoted; undefined if nothing. */
export const nameProblem = (name: string): string | undefined => {
  if (plain.test(name)) return claimIn(name)
  const shown = asQuoted(name)
  return problemIn(name) ?? (shown === name ? undefined : problemIn(shown))
}
