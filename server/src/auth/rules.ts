import { invalidField, type Refusal } from '@countersign/sdk/contract'
import { commonPaths, commonWords } from './common-passwords.ts'

export const setupLifetimeMs = 24 * 3_600_000
export const resetLifetimeMs = 3_600_000

// Not `@zxcvbn-ts`: it scores guesses and needs dictionaries for that. We reject what is common or public, and can say which.

const simple = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')

const reversed = (text: string) => [...text].reverse().join('')
const paths = commonPaths.flatMap((path) => [path, reversed(path)])
const isOnPath = (text: string) => paths.some((path) => path.includes(text))

/** Digits that people append to a word: a few, or a row of them. */
const withoutNumber = (text: string) =>
  text.replace(/\d+$/, (digits) => (digits.length <= 4 || isOnPath(digits) || isRepeated(digits) ? '' : digits))

const withoutNumbers = (text: string) => reversed(withoutNumber(reversed(withoutNumber(text))))

/** The same one to four characters repeated. */
const isRepeated = (text: string) => /^(.{1,4}?)\1+$/su.test(text)

const lookAlikes: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
}
const plain = (text: string) => text.replace(/[@4310!$57]/g, (character) => lookAlikes[character] ?? '')

/** A common word or number, such a word twice, or a row of keys. */
const isCommonWord = (text: string): boolean => {
  const half = text.slice(0, text.length / 2)
  return (
    commonWords.has(text) || (text === half + half && commonWords.has(half)) || (text.length >= 4 && isOnPath(text))
  )
}

/** Common passwords, even with a number before or after, with signs added, or with signs in place of letters. */
const isCommon = (password: string): boolean => {
  const lower = password.toLowerCase()
  const bare = simple(lower)
  const ends = lower.replace(/[^a-z0-9@$]+$/, '')
  const texts = [
    lower,
    plain(lower),
    plain(withoutNumber(ends)),
    simple(plain(ends)),
    ...(bare.length * 2 > lower.length ? [bare] : []),
  ]
  return texts.some((text) => [text, withoutNumber(text), withoutNumbers(text)].some(isCommonWord))
}

/** Why a password is rejected: it is common, or it follows from public facts about the account. There are no other rules. */
export const passwordRefusal = (
  password: string,
  { email, company_name }: { email?: string | null; company_name?: string | null },
  field = 'password',
): Refusal | undefined => {
  const refuse = (message: string) => invalidField(field, message)
  if (isCommon(password)) return refuse('This password is too common. Choose another')
  if (isRepeated(password)) return refuse("Don't just repeat characters. Choose another password")
  const [local = '', domain = ''] = (email ?? '').split('@')
  const known = [local, domain.split('.')[0] ?? '', company_name ?? '', 'countersign']
    .map(simple)
    .filter((word) => word.length >= 4)
  if (known.some((word) => withoutNumber(simple(password)) === word))
    return refuse('This password contains your name or address. Choose another')
  return undefined
}
