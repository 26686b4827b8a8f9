import { expect, it } from 'vitest'
import { traceKey } from './rules.ts'

const line = (actor: string, action: string, subject_id: string, at = 1) => ({ actor, action, subject_id, at })

it('finds what a key did, what keys it created did, and what jobs of its publishers did', () => {
  const trail = [
    line('key_a', 'key.created', 'key_a'),
    line('key_a', 'deployment.registered', 'dep_1'),
    line('key_b', 'deployment.registered', 'dep_other'),
    line('key_a', 'key.created', 'key_c'),
    line('key_c', 'key.created', 'key_d'),
    line('key_d', 'deployment.authorized', 'mdl_1 dep_1'),
    line('key_c', 'publisher.added', 'pub_1'),
    line('pub_1 https://ci.example/7', 'model.registered', 'mdl_2'),
    line('ses_1', 'deployment.enabled', 'dep_2'),
    line('key_d', 'deployment.enabled', 'dep_1', 2),
  ]
  const { keys, changes } = traceKey('key_a', trail)
  expect(keys).toEqual(['key_c', 'key_d'])
  expect(changes).toEqual([
    { kind: 'deployment', actor: 'key_d', subject_id: 'dep_1', at: 2 },
    { kind: 'authorization', actor: 'key_d', subject_id: 'mdl_1 dep_1', at: 1 },
    { kind: 'publisher', actor: 'key_c', subject_id: 'pub_1', at: 1 },
    { kind: 'version', actor: 'pub_1 https://ci.example/7', subject_id: 'mdl_2', at: 1 },
  ])
})

it('finds the people whom a key invited last, and what they did', () => {
  const after = { email: 'ada@acme.example', role: 'admin' }
  const invited = (actor: string) => ({ ...line(actor, 'member.invited', 'inv_1'), after })
  const joined = { ...line('ses_ada', 'member.joined', 'per_ada', 2), person_id: 'per_ada', after }
  const did = { ...line('ses_ada', 'deployment.enabled', 'dep_1', 3), person_id: 'per_ada' }
  expect(traceKey('key_a', [invited('key_a'), joined, did]).changes.map(({ kind }) => kind)).toEqual([
    'invitation',
    'member',
    'deployment',
  ])
  expect(traceKey('key_a', [invited('key_a'), invited('ses_1'), joined, did]).changes.map(({ kind }) => kind)).toEqual([
    'invitation',
  ])
})

it('finds nothing for a key that changed nothing', () => {
  expect(traceKey('key_a', [line('key_b', 'key.created', 'key_a'), line('key_b', 'signer.declared', 'sgn_1')])).toEqual(
    {
      keys: [],
      changes: [],
    },
  )
})
