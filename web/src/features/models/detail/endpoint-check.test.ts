import { expect, it } from 'vitest'
import { endpointCheck } from './endpoint-check.ts'

const model = {
  endpoint: 'https://api.acme.example/v1',
  health_status: 'healthy',
  provider_domain: 'acme.example',
  provider_domain_verified: true,
} as const

it.each([
  { name: 'below the proven domain', of: {}, result: 'passed', isElsewhere: false },
  { name: 'at the proven domain', of: { endpoint: 'https://acme.example' }, result: 'passed', isElsewhere: false },
  { name: 'of someone else', of: { endpoint: 'https://api.northwind.example' }, result: 'open', isElsewhere: true },
  { name: 'at a similar name', of: { endpoint: 'https://notacme.example' }, result: 'open', isElsewhere: true },
  { name: 'of an unproven provider', of: { provider_domain_verified: false }, result: 'open', isElsewhere: true },
  { name: 'that does not answer', of: { health_status: 'unhealthy' }, result: 'failed', isElsewhere: false },
  { name: 'that was not checked', of: { health_status: 'unknown' }, result: 'open', isElsewhere: false },
] as const)('an endpoint $name is $result', ({ of, result, isElsewhere }) => {
  expect(endpointCheck({ ...model, ...of })).toEqual({ result, isElsewhere })
})
