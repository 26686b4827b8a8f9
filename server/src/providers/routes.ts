import type { contract } from '@countersign/sdk/contract'
import type { Handlers } from '../http/mount.ts'
import type { ModelService } from '../models/service.ts'
import type { ProviderService } from './service.ts'

export const providerRoutes = (providers: ProviderService, models: ModelService): Handlers<typeof contract.providers> => ({
  register: ({ caller, body }) => providers.register(caller, body),
  me: ({ caller }) => providers.me(caller),
  verifyDomain: ({ caller }) => providers.verifyDomain(caller),
  list: ({ query }) => providers.list(query),
  get: ({ params }) => providers.get(params.id),
  getPrivate: ({ caller, params }) => providers.getPrivate(caller, params.id),
  models: ({ caller, params, query }) => models.listOwn(caller, params.id, query),
})
