import type { Incident } from '@countersign/sdk/contract'
import { incidentsTab } from '#messages/dashboard/incidents.ts'

const words = incidentsTab.csv

/**
 * Spreadsheets treat cells with these first characters, including full-width ones, as formulas, which could read other cells
 * and send them elsewhere. With separators other than commas, a cell begins after each of them, even inside quotes.
 */
const formula = /(^|[;,|\t\r\n"])([^\S\r\n\t]*)(?=[=+\-@＝＋－＠])/gu

/** Formats a cell (RFC 4180 §2): quoted if needed, never a formula. */
export const cellOf = (value: string | boolean | null): string => {
  const text = value === null ? '' : typeof value === 'boolean' ? (value ? words.yes : words.no) : value
  const safe = text.replace(formula, "$1$2'")
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const columns = [
  'id',
  'created_at',
  'status',
  'severity',
  'category',
  'title',
  'description',
  'model_id',
  'model_name',
  'is_verified_report',
  'counts_publicly',
  'reporter_email',
  'reporter_fingerprint',
  'reference_url',
  'screenshot_url',
  'provider_response',
  'resolved_at',
] as const satisfies (keyof Incident)[]

/** Incidents as CSV, with the API's field names as header. */
export const csvOf = (incidents: readonly Incident[]): string =>
  [columns, ...incidents.map((incident) => columns.map((column) => incident[column]))]
    .map((cells) => `${cells.map(cellOf).join(',')}\r\n`)
    .join('')

/** Such as `incidents-reported-high-2026-11-21.csv`. */
export const fileNameOf = ({ status, severity }: { status: string; severity: string }, now: number): string =>
  ['incidents', ...[status, severity].filter((each) => each !== 'all'), new Date(now).toISOString().slice(0, 10)]
    .join('-')
    .concat('.csv')
