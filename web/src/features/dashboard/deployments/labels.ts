import type { Pair } from '../../../forms/pair-fields.tsx'

export type LabelsProblem =
  | { kind: 'not an object' }
  | { kind: 'unnamed'; value: string }
  | { kind: 'twice'; name: string }

export type LabelsReading = { labels: Record<string, unknown> } | { problem: LabelsProblem }

/** Skips empty rows. */
export const readRows = (rows: readonly Pair[]): LabelsReading => {
  const filled = rows
    .map(({ name, value }) => ({ name: name.trim(), value }))
    .filter(({ name, value }) => name !== '' || value.trim() !== '')
  const unnamed = filled.find(({ name }) => name === '')
  if (unnamed) return { problem: { kind: 'unnamed', value: unnamed.value } }
  const twice = filled.find(({ name }, index) => filled.findIndex((other) => other.name === name) !== index)
  if (twice) return { problem: { kind: 'twice', name: twice.name } }
  return { labels: Object.fromEntries(filled.map(({ name, value }) => [name, value])) }
}

/** Parses an empty text or a JSON object. */
export const readJson = (text: string): LabelsReading => {
  if (text.trim() === '') return { labels: {} }
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read === 'object' && read !== null && !Array.isArray(read))
      return { labels: read as Record<string, unknown> }
  } catch {
    // Handled below.
  }
  return { problem: { kind: 'not an object' } }
}

/** The labels as rows; values that aren't strings become JSON. */
export const rowsOf = (labels: Record<string, unknown>): Pair[] =>
  Object.entries(labels).map(([name, value]) => ({
    name,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }))

/** The labels as JSON; empty without labels. */
export const jsonOf = (labels: Record<string, unknown>): string =>
  Object.keys(labels).length === 0 ? '' : JSON.stringify(labels, null, 2)
