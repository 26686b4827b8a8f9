import { expect, it } from 'vitest'
import { fileNameOf } from './file-name.ts'

it.each([
  { filters: [], ending: 'csv', name: 'incidents-2026-11-21.csv' },
  { filters: ['reported', 'high'], ending: 'jsonl', name: 'incidents-reported-high-2026-11-21.jsonl' },
  { filters: ['../a b'], ending: 'csv', name: 'incidents-..-a-b-2026-11-21.csv' },
])('names an exported file $name', ({ filters, ending, name }) => {
  expect(fileNameOf('incidents', filters, Date.parse('2026-11-21T12:00:00Z'), ending)).toBe(name)
})
