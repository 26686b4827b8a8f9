import type { contract } from '@countersign/sdk/contract'
import type { Handlers } from '../http/endpoint.ts'
import type { DomainService } from './service.ts'

export const domainRoutes = (domains: DomainService): Handlers<typeof contract.domains> => ({
  list: ({ caller }) => domains.list(caller),
  add: ({ caller, body }) => domains.add(caller, body.domain),
  verify: ({ caller, params, body }) => domains.verify(caller, params.domain, body.method),
  remove: ({ caller, params }) => domains.remove(caller, params.domain),
  makePrimary: ({ caller, params, visitor }) => domains.makePrimary(caller, params.domain, visitor()),
})
