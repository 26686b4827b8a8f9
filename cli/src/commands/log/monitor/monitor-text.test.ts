import { nearName } from '@countersign/sdk/log/names'
import { expect, it } from 'vitest'
import { plain } from '../../../render/output.ts'
import { findingText, reportText } from './monitor-text.ts'

const at = '2026-11-28T10:00:00.000Z'
type Given = Parameters<typeof findingText>[0]

it('quotes the names in an entry, which anyone can choose', () => {
  const finding = {
    index: 7,
    type: 'version.registered',
    at,
    because: 'name',
    near: 'added_words',
    watched: 'Acme',
    entry: { type: 'version.registered', at },
    texts: { display_name: 'Acme  prv_1 (same as Acme)' },
  } as unknown as Given
  expect(findingText(finding)(plain)).toMatch(/version\.registered {2}“Acme prv_1 \(same as Acme\)” \(contains Acme\)$/)
})

it('does not say of a name two letters away that it is one letter away', () => {
  const [name, watched] = ['nortwand', 'northwind']
  const finding = {
    index: 8,
    type: 'provider.named',
    at,
    because: 'name',
    near: nearName(name, watched),
    watched,
    entry: { type: 'provider.named', at },
    texts: { company_name: name },
  } as unknown as Given
  expect(findingText(finding)(plain)).toMatch(/“nortwand” \(one or two letters away from northwind\)$/)
})

it('says what is not compared', () => {
  const report = {
    origin: 'registry.example/log',
    size: 3,
    new_entries: 3,
    findings: [],
    sources: [],
    witnesses: [],
    evidence: null,
    is_pinned: true,
  } as unknown as Parameters<typeof reportText>[0]
  expect(reportText(report)(plain)).toContain(
    'Names of private models and of accounts without a proven domain are not in the log.',
  )
})

it('shows who signed and a server at a platform without loss', () => {
  const finding = {
    index: 9,
    type: 'bundle.verified',
    at,
    because: 'own',
    entry: { type: 'bundle.verified', at },
    texts: { identity: 'ceo{}@mailhost.example', subject: 'repo:acme/chat:ref:refs/heads/main✓' },
  } as unknown as Given
  expect(findingText(finding)(plain)).toContain(
    '“ceo\\u{7b}\\u{7d}@mailhost.example”  “repo:acme/chat:ref:refs/heads/main\\u{2713}”',
  )
})
