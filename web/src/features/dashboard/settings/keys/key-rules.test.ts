import { NewApiKey } from '@countersign/sdk/contract'
import { expect, it } from 'vitest'
import {
  badFieldsOf,
  dateAfter,
  daysUntil,
  emptyKeyForm,
  type KeyForm,
  keyStateOf,
  newKeyOf,
  shellLines,
} from './key-rules.ts'

const now = Date.parse('2026-11-20T23:30:00Z')
const ready: KeyForm = { ...emptyKeyForm, name: 'ci' }

it.each([
  { date: '2026-11-21', days: 1 },
  { date: '2027-11-20', days: 365 },
  { date: '2026-11-20', days: undefined },
  { date: '2025-01-01', days: undefined },
  { date: '2040-01-01', days: undefined },
  { date: '', days: undefined },
  { date: 'soon', days: undefined },
])('converts the expiry date $date to $days days', ({ date, days }) => {
  expect(daysUntil(date, now)).toBe(days)
})

it('accepts the day that it suggests', () => {
  expect(daysUntil(dateAfter(3_650, now), now)).toBe(3_650)
})

it.each([
  { name: 'is ready', form: ready, bad: [] },
  { name: 'has a blank name', form: { ...ready, name: '  ' }, bad: ['name'] },
  { name: 'has no scopes', form: { ...ready, scopes: [] }, bad: ['scopes'] },
  { name: 'has no expiry date', form: { ...ready, expiry: 'date' }, bad: ['date'] },
  { name: 'is empty', form: { ...emptyKeyForm, scopes: [], expiry: 'date' }, bad: ['name', 'scopes', 'date'] },
] as const)('a form that $name', ({ form, bad }) => {
  expect(badFieldsOf(form, now)).toEqual(bad)
})

it.each([
  { name: 'for links only, for 90 days', form: ready, body: { name: 'ci', scopes: ['links'], expires_in_days: 90 } },
  { name: 'without an expiry', form: { ...ready, expiry: 'never' }, body: { name: 'ci', scopes: ['links'] } },
  {
    name: 'until a day',
    form: { ...ready, expiry: 'date', date: '2026-11-27' },
    body: { name: 'ci', scopes: ['links'], expires_in_days: 7 },
  },
  {
    name: 'with some scopes',
    form: { ...ready, scopes: ['links', 'read'] },
    body: { name: 'ci', scopes: ['links', 'read'], expires_in_days: 90 },
  },
  {
    name: 'with full access, ignoring scopes selected before',
    form: { ...ready, isRestricted: false },
    body: { name: 'ci', scopes: ['full'], expires_in_days: 90 },
  },
] as const)('requests a key $name as the contract expects', ({ form, body }) => {
  expect(newKeyOf(form, now)).toEqual(body)
  expect(NewApiKey.parse(newKeyOf(form, now))).toEqual(body)
})

it.each([
  { is_active: true, revoked_at: null, state: 'active' },
  { is_active: false, revoked_at: null, state: 'expired' },
  { is_active: false, revoked_at: '2026-11-20T10:00:00Z', state: 'revoked' },
] as const)('a key is $state', ({ state, ...key }) => {
  expect(keyStateOf(key)).toBe(state)
})

it('names the registry in the shell lines', () => {
  expect(shellLines('csk_1', 'https://registry.example').split('\n')).toEqual([
    'export COUNTERSIGN_API_URL=https://registry.example',
    'export COUNTERSIGN_API_KEY=csk_1',
    'countersign whoami',
  ])
})
