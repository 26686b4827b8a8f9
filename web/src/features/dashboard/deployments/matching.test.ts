import type { Deployment } from '@countersign/sdk/contract'
import { expect, it } from 'vitest'
import { isWanted, nameOf } from './matching.ts'

const deployment: Deployment = {
  deployment_id: 'dep_06dh0e3x7c9bw4vjz2n8qk5ytm',
  provider_id: 'prv_06dh0e3x7c9bw4vjz2n8qk5ytm',
  spki_fingerprint: '64fe2b81'.repeat(8),
  spiffe_id: 'spiffe://acme.example/gpu-1',
  cloud_identity: null,
  labels: { region: 'eu-north', tier: 'Gold' },
  status: 'disabled',
  created_at: '2026-11-20T10:15:00.000Z',
  proven_at: null,
  proven_by: null,
  last_proven_at: null,
  last_proven_by: null,
  last_used_at: null,
  authorized_models: [
    { id: 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm', name: 'atlas-chat', display_name: 'Atlas Chat', version: '1.0.0' },
  ],
}

it.each([
  { text: '', status: 'all', found: true },
  { text: '  ', status: 'disabled', found: true },
  { text: '', status: 'enabled', found: false },
  { text: '', status: 'unproven', found: false },
  { text: 'region=eu', status: 'all', found: true },
  { text: 'region=us', status: 'all', found: false },
  { text: 'TIER=gold', status: 'all', found: true },
  { text: 'gold eu-north', status: 'all', found: true },
  { text: 'gold us-east', status: 'all', found: false },
  { text: '64FE2B8164', status: 'all', found: true },
  { text: `sha256:${'64fe2b81'.repeat(8)}`, status: 'all', found: true },
  { text: 'dep_06dh0', status: 'all', found: true },
  { text: 'gpu-1', status: 'all', found: true },
  { text: 'atlas chat 1.0.0', status: 'all', found: true },
  { text: 'atlas', status: 'enabled', found: false },
] as const)('a deployment is found by “$text” among $status: $found', ({ text, status, found }) => {
  expect(isWanted(deployment, { text, status })).toBe(found)
})

it('is named by the first sixteen characters of its fingerprint', () => {
  expect(nameOf(deployment)).toBe('64fe2b8164fe2b81...')
})
