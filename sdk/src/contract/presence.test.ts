import { describe, expect, it } from 'vitest'
import { contract, type Endpoint } from './index.ts'
import { constantPresenceOf, endpointNameOf, type Presence, type PresenceState, presenceOf } from './presence.ts'

const state: PresenceState = {
  company_name: 'Acme Labs',
  website: 'https://acme.example',
  support_email: 'help@acme.example',
  key_id: 'key_1',
  isAuthorized: false,
  isLatestArchived: false,
  archived: 0,
  reviewed: null,
}

interface Case {
  what: string
  route: Endpoint
  params?: object
  body?: object
  given?: Partial<PresenceState>
  needs: Presence
}

const cases: Case[] = [
  { what: 'a new name', route: contract.providers.update, body: { company_name: 'Other' }, needs: 'needed' },
  { what: 'the same name', route: contract.providers.update, body: { company_name: 'Acme Labs' }, needs: 'none' },
  { what: 'a new website', route: contract.providers.update, body: { website: 'https://o.example' }, needs: 'needed' },
  { what: 'a removed support address', route: contract.providers.update, body: { support_email: '' }, needs: 'needed' },
  { what: 'another city', route: contract.providers.update, body: { hq_city: 'Oslo' }, needs: 'none' },
  { what: 'a first authorization', route: contract.models.allowDeployment, needs: 'needed' },
  {
    what: 'an authorization for another version',
    route: contract.models.allowDeployment,
    given: { isAuthorized: true },
    needs: 'none',
  },
  { what: 'a new version', route: contract.models.register, given: { isLatestArchived: true }, needs: 'none' },
  { what: 'copying', route: contract.models.register, body: { copy_authorizations: true }, needs: 'none' },
  {
    what: 'copying from an archived version',
    route: contract.models.register,
    body: { copy_authorizations: true },
    given: { isLatestArchived: true },
    needs: 'needed',
  },
  { what: 'a third archive', route: contract.models.archive, given: { archived: 2 }, needs: 'none' },
  { what: 'a fourth archive', route: contract.models.putArchive, given: { archived: 3 }, needs: 'needed' },
  { what: 'disabling', route: contract.deployments.setStatus, body: { status: 'disabled' }, needs: 'stop' },
  { what: 'enabling', route: contract.deployments.setStatus, body: { status: 'enabled' }, needs: 'needed' },
  { what: 'a key that ends itself', route: contract.keys.revoke, params: { id: 'key_1' }, needs: 'none' },
  { what: 'a key that ends another', route: contract.keys.compromise, params: { id: 'key_2' }, needs: 'stop' },
  { what: 'a restored change', route: contract.keys.review, body: { decision: 'confirmed' }, needs: 'needed' },
  { what: 'a withdrawn server', route: contract.keys.review, body: { decision: 'withdrawn' }, needs: 'stop' },
  {
    what: 'a withdrawn name',
    route: contract.keys.review,
    body: { decision: 'withdrawn' },
    given: { reviewed: 'profile' },
    needs: 'needed',
  },
  { what: 'alerts', route: contract.account.setNotifications, body: { security_alerts: false }, needs: 'needed' },
  { what: 'a newsletter', route: contract.account.setNotifications, body: { weekly_reports: false }, needs: 'none' },
]

describe('presence', () => {
  it.each(cases)('of $what is $needs', ({ route, params = {}, body = {}, given = {}, needs }) => {
    const call = { params: { ...params }, body: { ...body }, state: { ...state, ...given } }
    expect(presenceOf(route, call)).toBe(needs)
  })

  it('is never needed for reads, nor for endpoints that ignore credentials', () => {
    const rows = Object.values(contract).flatMap((features) => Object.values<Endpoint>(features))
    for (const row of rows) {
      expect(endpointNameOf(row)).toMatch(/^\w+\.\w+$/)
      if (row.method === 'GET' || row.caller === 'public') expect(constantPresenceOf(row), row.path).toBe('none')
    }
  })
})
