import type { contract } from '@countersign/sdk/contract'
import type { Handlers } from '../http/endpoint.ts'
import type { VerificationService } from './service.ts'

export const verificationRoutes = (verifications: VerificationService): Handlers<typeof contract.verifications> => ({
  create: async ({ caller, body, peer }) => verifications.create(caller, body, await peer()),
  get: ({ params }) => verifications.get(params.token),
  opened: ({ caller, params, visitor }) => verifications.opened(caller, params.token, visitor()),
  inspect: ({ params }) => verifications.inspect(params.token),
  bind: ({ caller, params, body }) => verifications.bind(caller, params.token, body.response_text),
})
