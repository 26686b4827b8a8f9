import { describe, expect, it } from 'vitest'
import { type MintingFacts, mintingRefusal } from './mint-rules.ts'

const ready: MintingFacts = {
  company_name: 'Acme Labs',
  email: 'ops@acme.example',
  website: 'https://acme.example',
  archived_at: null,
  require_deployment_proof: 0,
  deployment_id: 'dep_one',
  deployment_status: 'enabled',
  deployment_spiffe_id: null,
  authorized_at: 1,
}
const noDeployment = { deployment_id: null, deployment_status: null, authorized_at: null }
const proven = { binding: 'mtls', spiffeId: null } as const
const named = { binding: 'self-asserted', spiffeId: null } as const

describe('minting', () => {
  it.each([
    { name: 'without a deployment', facts: { ...ready, ...noDeployment }, peer: undefined, code: undefined },
    { name: 'with a proven one', facts: ready, peer: proven, code: undefined },
    { name: 'with a named one', facts: ready, peer: named, code: undefined },
    { name: 'for a model that is not the caller’s', facts: undefined, peer: undefined, code: 'not_found' },
    {
      name: 'for a provider without a company name',
      facts: { ...ready, company_name: null },
      peer: proven,
      code: 'provider_unregistered',
    },
    {
      name: 'for a provider without a website',
      facts: { ...ready, website: null },
      peer: proven,
      code: 'provider_unregistered',
    },
    {
      name: 'for a provider without an email address',
      facts: { ...ready, email: null },
      peer: undefined,
      code: 'provider_unregistered',
    },
    { name: 'for an archived model', facts: { ...ready, archived_at: 1 }, peer: proven, code: 'model_archived' },
    {
      name: 'with an unknown key',
      facts: { ...ready, ...noDeployment },
      peer: proven,
      code: 'deployment_not_authorized',
    },
    {
      name: 'with an unknown key that is only named',
      facts: { ...ready, ...noDeployment },
      peer: named,
      code: 'deployment_not_authorized',
    },
    {
      name: 'with a disabled deployment',
      facts: { ...ready, deployment_status: 'disabled' as const },
      peer: proven,
      code: 'deployment_not_authorized',
    },
    {
      name: 'with an unauthorized deployment',
      facts: { ...ready, authorized_at: null },
      peer: proven,
      code: 'deployment_not_authorized',
    },
    {
      name: 'without the proof that the model requires',
      facts: { ...ready, require_deployment_proof: 1 as const },
      peer: undefined,
      code: 'deployment_proof_required',
    },
    {
      name: 'with a name if proof is required',
      facts: { ...ready, require_deployment_proof: 1 as const },
      peer: named,
      code: 'deployment_proof_required',
    },
    {
      name: 'with the required proof',
      facts: { ...ready, require_deployment_proof: 1 as const },
      peer: proven,
      code: undefined,
    },
    {
      name: 'with the SPIFFE ID registered',
      facts: { ...ready, deployment_spiffe_id: 'spiffe://a/b' },
      peer: { ...proven, spiffeId: 'spiffe://a/b' },
      code: undefined,
    },
    {
      name: 'with another SPIFFE ID',
      facts: { ...ready, deployment_spiffe_id: 'spiffe://a/b' },
      peer: { ...proven, spiffeId: 'spiffe://a/c' },
      code: 'deployment_not_authorized',
    },
    {
      name: 'with a SPIFFE ID that is not registered',
      facts: ready,
      peer: { ...proven, spiffeId: 'spiffe://a/c' },
      code: undefined,
    },
  ])('$name: $code', ({ facts, peer, code }) => {
    expect(mintingRefusal(facts, peer)?.code).toBe(code)
  })
})
