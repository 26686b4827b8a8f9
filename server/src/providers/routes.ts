import type { contract } from '@countersign/sdk/contract'
import type { AccountService } from '../account/service.ts'
import type { DomainService } from '../domains/service.ts'
import type { Handlers } from '../http/endpoint.ts'
import type { LogoService } from '../logos/service.ts'
import type { ModelService } from '../models/service.ts'
import type { ProviderService } from './service.ts'

interface Services {
  providers: ProviderService
  domains: DomainService
  logos: LogoService
  account: AccountService
  models: ModelService
}

export const providerRoutes = ({
  providers,
  domains,
  logos,
  account,
  models,
}: Services): Handlers<typeof contract.providers> => ({
  register: ({ caller, body }) => providers.register(caller, body),
  me: ({ caller }) => providers.me(caller),
  verifyDomain: ({ caller, body }) => domains.verifyPrimary(caller, body.method),
  update: ({ caller, params, body, ifMatch, visitor }) => providers.change(caller, params.id, body, visitor(), ifMatch),
  setProfile: ({ caller, params, body, visitor }) => providers.change(caller, params.id, body, visitor()),
  setCompliance: ({ caller, params, body, visitor }) => providers.change(caller, params.id, body, visitor()),
  setVisibility: ({ caller, params, body, visitor }) =>
    providers.setVisibility(caller, params.id, body.is_listed === true, visitor()),
  uploadLogo: ({ caller, params, upload }) => logos.upload(caller, params.id, upload),
  deleteLogo: ({ caller, params }) => logos.remove(caller, params.id),
  deactivate: ({ caller, params }) => providers.deactivate(caller, params.id),
  reactivate: ({ caller, params }) => providers.reactivate(caller, params.id),
  delete: ({ caller, params, visitor }) => account.delete(caller, params.id, visitor()),
  list: ({ query, hasCredentials }) => providers.list(query, { hasCredentials: hasCredentials() }),
  get: ({ params }) => providers.get(params.id),
  getPrivate: ({ caller, params }) => providers.getPrivate(caller, params.id),
  models: ({ caller, params, query }) => models.listOwn(caller, params.id, query),
})
