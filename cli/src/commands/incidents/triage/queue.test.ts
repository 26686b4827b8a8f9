import type { Incident } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import { duplicatesOf, inOrder } from './queue.ts'

const incident = (id: string, change: Partial<Incident> = {}): Incident => ({
  id: `inc_${id}`,
  model_id: 'mdl_atlas',
  model_name: 'Atlas Chat',
  category: 'impersonation',
  severity: 'medium',
  status: 'reported',
  title: 'Says it is a bank',
  description: 'It asked for my password.',
  reference_url: null,
  screenshot_url: null,
  is_verified_report: false,
  counts_publicly: false,
  reporter_email: null,
  reporter_fingerprint: null,
  provider_response: null,
  created_at: '2026-11-20T10:00:00.000Z',
  resolved_at: null,
  ...change,
})

it('puts genuine links first, then the more severe, then the unanswered, then the oldest', () => {
  const early = '2026-11-19T10:00:00.000Z'
  const given = [
    incident('late'),
    incident('early', { created_at: early }),
    incident('taken', { status: 'investigating', created_at: early }),
    incident('critical', { severity: 'critical' }),
    incident('genuine', { is_verified_report: true, severity: 'low' }),
    incident('genuine-critical', { is_verified_report: true, severity: 'critical' }),
  ]
  expect(inOrder(given).map(({ id }) => id)).toEqual([
    'inc_genuine-critical',
    'inc_genuine',
    'inc_critical',
    'inc_early',
    'inc_late',
    'inc_taken',
  ])
})

describe('a duplicate', () => {
  it.each<{ name: string; change: Partial<Incident>; is: boolean; of?: Partial<Incident> }>([
    { name: 'says the same', change: {}, is: true },
    { name: 'may differ in case and spaces', change: { title: 'SAYS it  is a bank!' }, is: true },
    {
      name: 'may be one without a link when the other has one',
      change: {},
      of: { is_verified_report: true },
      is: true,
    },
    { name: 'has the same description', change: { description: 'It asked for my card.' }, is: false },
    { name: 'is about the same model', change: { model_id: 'mdl_other' }, is: false },
    { name: 'is of the same category', change: { category: 'other' }, is: false },
    { name: 'is not yet under investigation', change: { status: 'investigating' }, is: false },
    { name: 'has no link if the other has none', change: { is_verified_report: true }, is: false },
    { name: 'is not more severe', change: { severity: 'critical' }, is: false },
    {
      name: 'says anything',
      change: { title: '…', description: '!' },
      of: { title: '…', description: '!' },
      is: false,
    },
  ])('$name', ({ change, of, is }) => {
    expect(duplicatesOf(incident('1', of), [incident('1', of), incident('2', change)])).toHaveLength(is ? 1 : 0)
  })
})
