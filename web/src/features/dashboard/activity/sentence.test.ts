import { trailActions } from '@countersign/sdk/contract'
import { expect, it } from 'vitest'
import { actionWords, changesOf, describeEvent } from './sentence.ts'

const key = { actor: 'key_1', actor_name: 'ci' }
const registry = { actor: 'registry', actor_name: null }

it.each([
  {
    event: { action: 'key.revoked', subject_id: 'key_2', subject_name: 'old', actor: 'ses_1', actor_name: null },
    shown: 'API key “old” was revoked by session ses_1',
  },
  {
    event: { action: 'model.archived', subject_id: 'mdl_1', subject_name: 'Atlas', ...key },
    shown: 'Model “Atlas” was archived by API key “ci”',
  },
  {
    event: { action: 'domain.lost', subject_id: 'prv_1', subject_name: null, ...registry },
    shown: 'The proof of the domain was lost',
  },
  {
    event: {
      action: 'incident.reported',
      subject_id: 'inc_1',
      subject_name: 'It lies',
      actor: 'visitor',
      actor_name: null,
    },
    shown: 'Incident “It lies” was reported by a visitor',
  },
  {
    event: { action: 'deployment.authorized', subject_id: 'mdl_1 dep_1', subject_name: null, ...key },
    shown: 'Authorization was granted to deployment dep_1 for model mdl_1 by API key “ci”',
  },
  {
    event: { action: 'deployment.enabled', subject_id: 'dep_1', subject_name: null, actor: 'key_9', actor_name: null },
    shown: 'Deployment dep_1 was enabled by API key key_9',
  },
  {
    event: {
      action: 'model.registered',
      subject_id: 'mdl_1',
      subject_name: 'Tiny',
      actor: 'pub_1 run 7, attempt 1',
      actor_name: null,
    },
    shown: 'Model “Tiny” was registered by a trusted publisher’s job, run 7, attempt 1',
  },
  {
    event: { action: 'session.began', subject_id: 'ses_1', subject_name: null, actor: 'ses_1', actor_name: null },
    shown: 'Session ses_1 started',
  },
  {
    event: {
      action: 'session.began',
      subject_id: 'ses_1',
      subject_name: null,
      actor: 'ses_1',
      actor_name: 'ada@acme.example',
    },
    shown: 'Session ses_1 started by ada@acme.example',
  },
  {
    event: {
      action: 'key.revoked',
      subject_id: 'key_2',
      subject_name: 'old',
      actor: 'ses_1',
      actor_name: 'ada@acme.example',
    },
    shown: 'API key “old” was revoked by ada@acme.example',
  },
  {
    event: { action: 'model.painted', subject_id: 'mdl_1', subject_name: null, ...registry },
    shown: 'model.painted mdl_1',
  },
])('says “$shown”', ({ event, shown }) => {
  expect(describeEvent(event)).toBe(shown)
})

it('has words for every action of the contract', () => {
  expect([...actionWords.keys()].sort()).toEqual([...trailActions].sort())
})

it.each([
  { name: 'a change', before: { a: 1, b: 'x' }, after: { a: 2, b: 'y' }, changes: ['a: 1 → 2', 'b: x → y'] },
  { name: 'a new value', before: null, after: { scopes: ['read'] }, changes: ['scopes: nothing → ["read"]'] },
  { name: 'a removed value', before: { name: 'ci' }, after: null, changes: ['name: ci → nothing'] },
  { name: 'nothing', before: null, after: null, changes: [] },
  { name: 'nothing for values that are not objects', before: 'x', after: [1], changes: [] },
])('shows $name field by field', ({ before, after, changes }) => {
  expect(changesOf({ before, after }).map((one) => `${one.field}: ${one.before} → ${one.after}`)).toEqual(changes)
})
