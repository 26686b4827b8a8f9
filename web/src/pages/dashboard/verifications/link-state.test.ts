import { expect, it } from 'vitest'
import { stateOf } from './link-state.ts'

const now = Date.parse('2026-11-20T10:15:00.000Z')
const good = { result: 'verified', change: null, expires_at: '2026-11-20T10:20:00.000Z' } as const
const over = '2026-11-20T10:15:00.000Z'

it.each([
  { link: good, state: 'verified' },
  { link: { ...good, result: 'not_verified' }, state: 'provider_unverified' },
  { link: { ...good, result: 'not_verified', change: 'model_archived' }, state: 'model_archived' },
  { link: { ...good, expires_at: over }, state: 'expired' },
  { link: { ...good, result: 'not_verified', change: 'deployment_disabled', expires_at: over }, state: 'deployment_disabled' },
] as const)('a link that was judged $link.change and $link.result is shown as $state', ({ link, state }) => {
  expect(stateOf(link, now)).toBe(state)
})
