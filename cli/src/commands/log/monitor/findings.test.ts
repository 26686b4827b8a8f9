import { expect, it } from 'vitest'
import { findingOf } from './findings.ts'

const at = '2026-11-28T10:00:00.000Z'
const watched = { domains: [], names: ['Globex Initiative'], providers: [] }

it.each<{ texts: Record<string, string>; near: string | undefined }>([
  { texts: { display_name: 'Globex', version: 'Initiative 2' }, near: 'typo' },
  { texts: { display_name: 'Chat', version: 'by Globex Initiative' }, near: 'added_words' },
  { texts: { identifier: 'globex', version: 'initiative', display_name: 'Chat' }, near: 'same' },
  { texts: { identifier: 'globex', version: '2', display_name: 'Globex' }, near: undefined },
])('compares the names of a model also with its version: $texts is near: $near', ({ texts, near }) => {
  const read = { index: 7, leaf: new Uint8Array(), entry: { v: 1, type: 'version.registered', at } }
  const finding = findingOf(read as unknown as Parameters<typeof findingOf>[0], texts, watched)
  expect(finding?.near).toBe(near)
})
