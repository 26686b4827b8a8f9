export interface LabelRow {
  name: string
  value: string
}

export type LabelsProblem = { kind: 'not an object' } | { kind: 'unnamed'; value: string } | { kind: 'twice'; name: string }

export type LabelsReading = { labels: Record<string, unknown> } | { problem: LabelsProblem }

/** Rows that say nothing are left out. */
export const readRows = (rows: readonly LabelRow[]): LabelsReading => {
  const filled = rows
    .map(({ name, value }) => ({ name: name.trim(), value }))
    .filter(({ name, value }) => name !== '' || value.trim() !== '')
  const unnamed = filled.find(({ name }) => name === '')
  if (unnamed) return { problem: { kind: 'unnamed', value: unnamed.value } }
  const twice = filled.find(({ name }, index) => filled.findIndex((other) => other.name === name) !== index)
  if (twice) return { problem: { kind: 'twice', name: twice.name } }
  return { labels: Object.fromEntries(filled.map(({ name, value }) => [name, value])) }
}

/** Text that is empty or a JSON object. */
export const readJson = (text: string): LabelsReading => {
  if (text.trim() === '') return { labels: {} }
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return { labels: read as Record<string, unknown> }
  } catch {
    // Answered below.
  }
  return { problem: { kind: 'not an object' } }
}

/** The same labels as rows; what is no text is written as JSON writes it. */
export const rowsOf = (labels: Record<string, unknown>): LabelRow[] =>
  Object.entries(labels).map(([name, value]) => ({ name, value: typeof value === 'string' ? value : JSON.stringify(value) }))

/** The same labels as text; nothing where there are none. */
export const jsonOf = (labels: Record<string, unknown>): string => (Object.keys(labels).length === 0 ? '' : JSON.stringify(labels, null, 2))
