import type { TrailEvent } from './account.ts'

/**
 * Spreadsheets treat cells with these first characters, including full-width ones, as formulas, which could read other cells
 * and send them elsewhere. With separators other than commas, a cell begins after each of them, even inside quotes.
 */
const formula = /(^|[;,|\t\r\n"])([^\S\r\n\t]*)(?=[=+\-@＝＋－＠])/gu

/** What a cell can hold: lists and records become JSON. */
const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Formats a cell (RFC 4180 §2): quoted if needed, never a formula. Negative numbers stay numbers. */
export const cellOf = (value: unknown): string => {
  const text = textOf(value)
  const safe = typeof value === 'number' ? text : text.replace(formula, "$1$2'")
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Rows as CSV in UTF-8, with the API's field names as header. */
export const csvOf = <Row extends object>(columns: readonly (keyof Row & string)[], rows: readonly Row[]): string =>
  [columns, ...rows.map((row) => columns.map((column) => row[column]))]
    .map((cells) => `${cells.map(cellOf).join(',')}\r\n`)
    .join('')

/** The columns of exported events. */
export const trailColumns = [
  'id',
  'at',
  'actor',
  'actor_name',
  'action',
  'subject_type',
  'subject_id',
  'subject_name',
  'before',
  'after',
] as const satisfies (keyof TrailEvent)[]
