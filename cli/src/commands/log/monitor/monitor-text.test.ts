import { expect, it } from 'vitest'
import { plain } from '../../../render/output.ts'
import { findingText } from './monitor-text.ts'

it('quotes the names in an entry, which anyone can choose', () => {
  const finding = {
    index: 7,
    type: 'version.registered',
    at: '2026-11-28T10:00:00.000Z',
    because: 'name',
    near: 'added_words',
    watched: 'Acme',
    entry: { type: 'version.registered', at: '2026-11-28T10:00:00.000Z' },
    texts: { display_name: 'Acme  prv_1 (same as Acme)' },
  } as unknown as Parameters<typeof findingText>[0]
  expect(findingText(finding)(plain)).toMatch(/version\.registered {2}“Acme prv_1 \(same as Acme\)” \(contains Acme\)$/)
})
