import type { Incident, TrailEvent } from '@countersign/sdk/contract'
import { expect, it } from 'vitest'
import { plain } from '../../../render/output.ts'
import { storyOf } from './story.ts'

const evil = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e'

it('lets no field from the registry act on the terminal', () => {
  const fields = [
    'id',
    'model_id',
    'model_name',
    'category',
    'title',
    'description',
    'severity',
    'status',
    'reporter_email',
  ] as const
  const incident = {
    ...Object.fromEntries(fields.map((field) => [field, `${field}${evil}`])),
    is_verified_report: false,
    counts_publicly: false,
    provider_response: evil,
    reference_url: evil,
    screenshot_url: evil,
    created_at: '2026-11-21T10:00:00.000Z',
  } as unknown as Incident
  const event = {
    at: incident.created_at,
    action: `incident.${evil}`,
    actor_name: evil,
    after: { response: evil },
  } as unknown as TrailEvent
  for (const earlier of [[], [event]]) {
    const story = storyOf({ incident, place: '1 of 1', earlier, paint: plain, columns: 80 })
    expect(story).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    expect(story).toContain('severity')
  }
})

it('shows the host of an address as browsers resolve it', () => {
  const incident = {
    severity: 'high',
    category: 'other',
    status: 'reported',
    title: 'Glue',
    model_name: 'Chat” (verified',
    description: 'It said glue.',
    provider_response: null,
    reporter_email: null,
    reference_url: 'https://www.\u043epen\u0430i.com/a',
    screenshot_url: 'https://www.\u043epen\u0430i.com/b',
    created_at: '2026-11-21T10:00:00.000Z',
  } as unknown as Incident
  const story = storyOf({ incident, place: '1 of 1', earlier: [], paint: plain, columns: 80 })
  expect(story).toContain('“Chat (verified” (')
  expect(story).toMatch(/reference +https:\/\/www\.xn--peni-73d4f\.com\/a/)
  expect(story).toMatch(/screenshot +https:\/\/www\.xn--peni-73d4f\.com\/b/)
})

it('does not call a report verified beside an address that was only typed', () => {
  const incident = {
    id: 'inc_1',
    title: 'Glue',
    description: 'It said glue.',
    severity: 'high',
    status: 'reported',
    category: 'other',
    model_name: 'Atlas',
    model_id: 'mdl_1',
    is_verified_report: true,
    counts_publicly: true,
    reporter_email: 'press@rival.example',
    provider_response: null,
    reference_url: null,
    screenshot_url: null,
    created_at: '2026-11-21T10:00:00.000Z',
  } as unknown as Incident
  const story = storyOf({ incident, place: '1 of 1', earlier: [], paint: plain, columns: 80 })
  expect(story).toMatch(/reporter +press@rival\.example \(address not confirmed\)/)
  expect(story).not.toContain('verified')
})
