import { quote } from '@countersign/sdk/words'
import { modelsTab } from '#messages/dashboard/models.ts'

const words = modelsTab.history

const longest = 200

/** The value of an edited field. Texts are quoted, because members and files chose them. */
export const editValue = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return words.nothing
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
    return value.map(quote).join(', ') || words.nothing
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return quote(text.length > longest ? `${text.slice(0, longest)}…` : text)
}
