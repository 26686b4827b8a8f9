import type { Deployment } from '@countersign/sdk/contract'
import { expect, it } from 'vitest'
import { sortDeployments } from './deployment-sorts.ts'
import { isWanted, nameOf } from './matching.ts'

const deployment: Deployment = {
  deployment_id: 'dep_06dh0e3x7c9bw4vjz2n8qk5ytm',
  provider_id: 'prv_06dh0e3x7c9bw4vjz2n8qk5ytm',
  spki_fingerprint: '64fe2b81'.repeat(8),
  spiffe_id: 'spiffe://acme.example/gpu-1',
  cloud_identity: null,
  labels: { region: 'eu-north', tier: 'Gold' },
  status: 'disabled',
  disabled_at: null,
  created_at: '2026-11-20T10:15:00.000Z',
  proven_at: null,
  proven_by: null,
  last_proven_at: null,
  last_proven_by: null,
  last_used_at: null,
  authorized_models: [
    { id: 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm', name: 'atlas-chat', display_name: 'Atlas Chat', version: '1.0.0' },
  ],
  revoked_models: [],
}

it.each([
  { text: '', view: 'all', found: true },
  { text: '  ', view: 'disabled', found: true },
  { text: '', view: 'enabled', found: false },
  { text: '', view: 'unproven', found: false },
  { text: 'region=eu', view: 'all', found: true },
  { text: 'region=us', view: 'all', found: false },
  { text: 'TIER=gold', view: 'all', found: true },
  { text: 'gold eu-north', view: 'all', found: true },
  { text: 'gold us-east', view: 'all', found: false },
  { text: '64FE2B8164', view: 'all', found: true },
  { text: `sha256:${'64fe2b81'.repeat(8)}`, view: 'all', found: true },
  { text: 'dep_06dh0', view: 'all', found: true },
  { text: 'gpu-1', view: 'all', found: true },
  { text: 'atlas chat 1.0.0', view: 'all', found: true },
  { text: 'atlas', view: 'enabled', found: false },
] as const)('a deployment is found by “$text” among $view: $found', ({ text, view, found }) => {
  expect(isWanted(deployment, { text, view })).toBe(found)
})

it('is named by the first sixteen characters of its fingerprint', () => {
  expect(nameOf(deployment)).toBe('64fe2b8164fe2b81...')
})

it.each([
  { name: 'enabled and was never proven', given: { status: 'enabled' }, found: true },
  { name: 'proven', given: { status: 'enabled', proven_at: '2026-11-20T10:15:00.000Z' }, found: false },
] as { name: string; given: Partial<Deployment>; found: boolean }[])(
  'one that is $name is unproven: $found',
  ({ given, found }) => {
    expect(isWanted({ ...deployment, ...given }, { view: 'unproven', text: '' })).toBe(found)
  },
)

it('are sorted by each column, and equal ones newest first', () => {
  const other = { ...deployment, deployment_id: 'dep_1', created_at: '2026-11-21T10:15:00.000Z' }
  const proven = {
    ...deployment,
    deployment_id: 'dep_2',
    last_proven_at: '2026-11-22T10:15:00.000Z',
    authorized_models: [],
  }
  const sorted = (column: string, isDescending: boolean) =>
    sortDeployments([deployment, other, proven], { column, isDescending }).map(({ deployment_id }) => deployment_id)
  expect(sorted('created', true)).toEqual(['dep_1', 'dep_2', deployment.deployment_id])
  expect(sorted('created', false)).toEqual(['dep_2', deployment.deployment_id, 'dep_1'])
  expect(sorted('proof', true)).toEqual(['dep_2', 'dep_1', deployment.deployment_id])
  expect(sorted('models', false)).toEqual(['dep_2', 'dep_1', deployment.deployment_id])
})
