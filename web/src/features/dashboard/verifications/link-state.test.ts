import { expect, it } from 'vitest'
import { stateOf } from './link-state.ts'

const now = Date.parse('2026-11-20T10:15:00.000Z')
const good = {
  result: 'verified',
  strength: 'deployment',
  reason: null,
  change: null,
  expires_at: '2026-11-20T10:20:00.000Z',
} as const
const refused = { ...good, result: 'not_verified', strength: null } as const
const over = '2026-11-20T10:15:00.000Z'

it.each([
  { link: good, outcome: 'verified' },
  { link: { ...good, strength: 'provider' }, outcome: 'provider_only' },
  { link: { ...refused, reason: 'provider_unverified' }, outcome: 'provider_unverified' },
  { link: { ...refused, reason: 'archived', change: 'model_archived' }, outcome: 'archived' },
  { link: { ...good, expires_at: over }, outcome: 'expired' },
  { link: { ...refused, reason: 'revoked', change: 'deployment_disabled', expires_at: over }, outcome: 'revoked' },
  { link: { ...good, change: 'model_archived' }, outcome: 'could_not_check' },
  { link: { ...good, reason: 'revoked' }, outcome: 'could_not_check' },
] as const)('shows $link.result, $link.reason and $link.change as $outcome', ({ link, outcome }) => {
  expect(stateOf(link, now)).toEqual({ outcome, change: outcome === 'could_not_check' ? null : link.change })
})
