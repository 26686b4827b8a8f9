import { Digest, isId, limits } from '@countersign/sdk/contract'

/* ---- folded text ---- */

const maxWord = 60
/** Longer words are searched by their beginning: engines index beginnings of this length. */
const maxTerm = 16
const maxTerms = 8

/** Letters that Unicode does not decompose, as people without them on their keyboard type them. */
const respelled: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
}

/** Ignores case, accents and spelling variants. Done here and not in SQL, so that every engine compares alike. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßæœøđðþłħıς]/g, (letter) => respelled[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Never splits a character. */
const cut = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/, '')

const wordsOf = (folded: string): string[] => (folded === '' ? [] : folded.split(' ').map((word) => cut(word, maxWord)))

/** A name without its gaps: `GPT-4` and `gpt4` are the same key. */
const keyOf = (folded: string): string => cut(folded.replaceAll(' ', ''), maxWord)

/** Folded words never contain these characters, so a word behind one is distinct from all others. */
const marks = { key: '¶', location: '§' } as const

/* ---- the query ---- */

/** A word of the query: a single character stands for the whole word, so that it finds a few rows and not half of them. */
export interface Term {
  text: string
  isPrefix: boolean
}

/**
 * What the engines search for: rows that have every term, or a name that begins with `key`, or, if there are few, a name that contains
 * `part`. It consists of letters and digits, and at most one mark, so no engine reads an operator in it.
 */
export interface TextQuery {
  terms: readonly Term[]
  /** After its mark. */
  key: string | null
  part: string | null
}

const termOf = (text: string): Term => ({ text: cut(text, maxTerm), isPrefix: [...text].length > 1 })

/** `undefined` if there is nothing to search for. */
export const textQueryOf = (text: string): TextQuery | undefined => {
  const folded = fold(text)
  const terms = wordsOf(folded).slice(0, maxTerms).map(termOf)
  const [first] = terms
  if (!first) return undefined
  const isPart = terms.length === 1 && [...first.text].length >= 3
  return { terms, key: marks.key + keyOf(folded), part: isPart ? first.text : null }
}

/** The same for people: fewer than two characters find nothing. */
export const searchQueryOf = (text: string): TextQuery | undefined => {
  const query = textQueryOf(text)
  const isLong =
    [...text.trim()].length >= limits.minSearchText && [...(query?.key ?? '')].length > limits.minSearchText
  return isLong ? query : undefined
}

/** What names one thing exactly, instead of words. */
export type ExactQuery = { digest: string } | { model_id: string } | { provider_id: string }

export const exactQueryOf = (text: string): ExactQuery | undefined => {
  const typed = text.trim()
  const digest = Digest.safeParse(typed)
  if (digest.success) return { digest: digest.data }
  if (isId('mdl', typed)) return { model_id: typed }
  return isId('prv', typed) ? { provider_id: typed } : undefined
}

/** If a list is filtered by place and words, both must match. */
export const listQueryOf = (
  search: string | undefined,
  location: string | undefined,
): TextQuery | 'everything' | 'nothing' => {
  if (!search && !location) return 'everything'
  const words = search ? textQueryOf(search) : undefined
  if (search && !words) return 'nothing'
  if (!location) return words ?? 'nothing'
  const places = wordsOf(fold(location)).slice(0, maxTerms)
  if (places.length === 0) return 'nothing'
  return {
    terms: [...(words?.terms ?? []), ...places.map((place) => termOf(marks.location + place))],
    key: null,
    part: null,
  }
}

/* ---- the matches ---- */

/** The indexed text of a row: its names, each folded, and all its words once. */
export interface Document {
  names: string
  words: string
}

const between = '|'

/** All names together: PostgreSQL indexes no more than 2,704 bytes. */
const maxNames = 600

const documentOf = (
  names: readonly (string | null)[],
  others: readonly (string | null)[],
  locations: readonly (string | null)[] = [],
) => {
  const folded = [...new Set(names.map((name) => fold(name ?? '')).filter((name) => name !== ''))]
  const words = new Set([
    ...folded.flatMap(wordsOf),
    ...folded.map((name) => marks.key + keyOf(name)),
    ...others.flatMap((text) => wordsOf(fold(text ?? ''))),
    ...locations.flatMap((text) => wordsOf(fold(text ?? ''))).map((word) => marks.location + word),
  ])
  return { names: cut(folded.join(between), maxNames), words: [...words].join(' ') }
}

export interface ProviderFacts {
  id: string
  company_name: string | null
  description: string | null
  domain: string | null
  domain_verified_at: number | null
  industry: string | null
  hq_city: string | null
  hq_state: string | null
  hq_country: string | null
  opened_count: number
  created_at: number
}

/** `acme.example` is a name of the provider that has proven it, and so is its `acme`; one that only claims it has just the words. */
const domainNames = ({ domain, domain_verified_at }: Pick<ProviderFacts, 'domain' | 'domain_verified_at'>) =>
  domain !== null && domain_verified_at !== null ? [domain, domain.slice(0, domain.indexOf('.'))] : []

export const documentOfProvider = (provider: ProviderFacts): Document =>
  documentOf(
    [provider.company_name, ...domainNames(provider)],
    [provider.domain, provider.description, provider.industry],
    [provider.hq_city, provider.hq_state, provider.hq_country],
  )

export interface ModelFacts {
  id: string
  display_name: string
  model_name: string
  api_model_identifier: string
  family_name: string | null
  description: string
  opened_count: number
  created_at: number
  company_name: string | null
  domain: string | null
  domain_verified_at: number | null
}

export const documentOfModel = (model: ModelFacts): Document =>
  documentOf(
    [model.display_name, model.model_name, model.api_model_identifier],
    [model.family_name, model.company_name, ...domainNames(model), model.description],
  )

/* ---- ranking ---- */

const timeSpan = 2 ** 40
const saltSpan = 128
const epoch = Date.UTC(2024, 0, 1)
const levels = 32

const saltOf = (id: string): number => {
  let salt = 0
  for (const character of id.slice(-8)) salt = (salt * 31 + character.charCodeAt(0)) % saltSpan
  return salt
}

/**
 * The place of a row among all matches: verified domains first, then the most opened links, then the oldest. Popularity counts in powers
 * of two, so that a row moves a few times in its life and not at every opening.
 */
export const placeOf = ({
  id,
  domain_verified_at,
  opened_count,
  created_at,
}: Pick<ProviderFacts, 'id' | 'domain_verified_at' | 'opened_count' | 'created_at'>): number => {
  const popularity = Math.min(levels - 1, Math.floor(Math.log2(opened_count + 1)))
  const time = Math.min(Math.max(created_at - epoch, 0), timeSpan - 1)
  const level = (domain_verified_at === null ? levels : 0) + (levels - 1 - popularity)
  return (level * timeSpan + time) * saltSpan + saltOf(id)
}

/** Two rows cannot have one place: the later takes the next free one, which is close enough. */
export const isSamePlace = (one: number, other: number): boolean =>
  Math.floor(one / saltSpan) === Math.floor(other / saltSpan)

/** Whether the opening that led to this count moves the row. */
export const movesAt = (opened_count: number): boolean =>
  opened_count > 0 && Number.isInteger(Math.log2(opened_count + 1))

/** Unproven domains have their places from here on. */
export const firstUnverifiedPlace = levels * timeSpan * saltSpan

const isVerifiedPlace = (place: number): boolean => place < firstUnverifiedPlace

type Match = 'exact' | 'prefix' | 'words' | 'part' | 'elsewhere'

/** An unproven name never ranks above a proven one that begins with it: impostors use exactly what people type. */
const order = (match: Match, isVerified: boolean): number => {
  switch (match) {
    case 'exact':
      return isVerified ? 0 : 2
    case 'prefix':
      return isVerified ? 1 : 3
    case 'words':
      return isVerified ? 4 : 5
    case 'part':
      return isVerified ? 6 : 7
    case 'elsewhere':
      return isVerified ? 8 : 9
    default:
      return match satisfies never
  }
}

const matchOf = (names: string, { terms, key, part }: TextQuery): Match => {
  const wanted = key?.slice(marks.key.length)
  if (wanted !== undefined) {
    const keys = between + names.replaceAll(' ', '') + between
    if (keys.includes(between + wanted + between)) return 'exact'
    if (keys.includes(between + wanted)) return 'prefix'
  }
  const words = ` ${names.replaceAll(between, ' ')} `
  if (terms.every(({ text, isPrefix }) => words.includes(isPrefix ? ` ${text}` : ` ${text} `))) return 'words'
  return part !== null && names.includes(part) ? 'part' : 'elsewhere'
}

/** The best first. */
export const ranked = <Row extends { place: number; names: string }>(rows: readonly Row[], query: TextQuery): Row[] =>
  rows
    .map((row) => ({ row, order: order(matchOf(row.names, query), isVerifiedPlace(row.place)) }))
    .sort((a, b) => a.order - b.order || a.row.place - b.row.place)
    .map(({ row }) => row)

/* ---- columns of the lists ---- */

const maxTitle = 80

/** What a list is sorted by. */
export const titleOf = (name: string | null): string => cut(fold(name ?? ''), maxTitle)

/** Verified ones sort before the others, each by name. */
export const standingOf = ({
  company_name,
  domain_verified_at,
}: Pick<ProviderFacts, 'company_name' | 'domain_verified_at'>): string =>
  `${domain_verified_at === null ? '1' : '0'}${titleOf(company_name)}`

export const yearOf = (release_date: string | null): number => Number(/^\d{4}/.exec(release_date ?? '')?.[0] ?? 0)
