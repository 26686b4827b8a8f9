import type { StagedChange } from '../contract/staged.ts'
import { quote, quoteExactly } from './quotation.ts'

/** Fields of a call that only take words of the contract. */
export const enumerated: ReadonlySet<string> = new Set(['decision', 'kind', 'role', 'scopes', 'status'])

const idLike = /^[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}$/

/** The values of a call by name: all that is approved. Thieves can choose texts, so those are quoted without loss. */
export const stagedValues = ({
  params,
  body,
  names,
}: Pick<StagedChange, 'params' | 'body' | 'names'>): [string, string][] =>
  [...Object.entries(params), ...Object.entries(body ?? {})].map(([name, value]) => [
    name,
    textOf(value, names, enumerated.has(name)),
  ])

const textOf = (value: unknown, names: StagedChange['names'], isPlain = false): string => {
  if (Array.isArray(value)) return value.map((each) => textOf(each, names, isPlain)).join(', ')
  if (typeof value === 'object' && value !== null) return fieldsOf(value, names)
  if (typeof value !== 'string') return String(value)
  // With what an ID stands for.
  const name = Object.hasOwn(names, value) ? ` ${quote(names[value] ?? '')}` : ''
  return (isPlain || idLike.test(value) ? value : quoteExactly(value)) + name
}

/** The names are quoted as well: someone chose those of claims. */
const fieldsOf = (fields: object, names: StagedChange['names']) =>
  `{ ${Object.entries(fields)
    .map(([name, value]) => `${quoteExactly(name)}: ${textOf(value, names)}`)
    .join(', ')} }`
