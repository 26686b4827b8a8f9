import { contract, type Endpoint, Refusal, roles, scopesOfRole } from '@countersign/sdk/contract'
import { expect, it } from 'vitest'
import { checkAllowed } from '../../../server/src/http/callers.ts'
import { isAction, roleMay } from './role-rules.ts'

const endpoints = Object.entries<Record<string, Endpoint>>(contract).flatMap(([feature, named]) =>
  Object.entries(named)
    .filter(([, { caller, method }]) => caller === 'provider' || (caller === 'optional' && method !== 'GET'))
    .map(([name, endpoint]) => ({ name: `${feature}.${name}`, endpoint })),
)

/** What the registry decides for the session of a member. */
const isAllowed = (endpoint: Endpoint, role: (typeof roles)[number]) => {
  try {
    checkAllowed(endpoint, {
      provider_id: 'prv_1',
      person_id: 'prs_1',
      role,
      actor: 'ses_1',
      key_id: null,
      session_id: 'ses_1',
      isDevice: false,
      scopes: scopesOfRole[role],
      credential: '',
      isDeactivated: false,
      isSuspended: false,
    })
    return true
  } catch (failure) {
    if (failure instanceof Refusal && failure.code === 'forbidden') return false
    throw failure
  }
}

it.each(roles)('offers a member with the role %s what the registry allows, and nothing else', (role) => {
  expect(endpoints.length).toBeGreaterThan(80)
  const offered = endpoints.filter(({ name }) => !isAction(name) || roleMay(role, name))
  expect(offered.map(({ name }) => name)).toEqual(
    endpoints.filter(({ endpoint }) => isAllowed(endpoint, role)).map(({ name }) => name),
  )
})

it('lets a viewer change nothing of the company', () => {
  const changing = ['models.register', 'verifications.create', 'providers.setVisibility', 'deployments.delete'] as const
  expect(changing.filter((action) => roleMay('viewer', action))).toEqual([])
})
