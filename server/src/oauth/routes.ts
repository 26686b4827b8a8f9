import type { contract } from '@countersign/sdk/contract'
import type { Handlers } from '../http/endpoint.ts'
import type { OauthService } from './service.ts'

/** The endpoints of `auth` about identity providers. */
export const oauthRoutes = (
  oauth: OauthService,
): Pick<Handlers<typeof contract.auth>, 'exchange' | 'identities' | 'startLink' | 'unlink'> => ({
  exchange: ({ body, visitor }) => oauth.exchange(body.code, visitor()),
  identities: ({ caller }) => oauth.identities(caller),
  startLink: ({ caller, body, visitor }) => oauth.startLink(caller, body.provider, visitor().cookies),
  unlink: ({ caller, params }) => oauth.unlink(caller, params.provider),
})
