import type { contract } from '@countersign/sdk/contract'
import type { Handlers } from '../http/endpoint.ts'
import type { SigningService } from './service.ts'

export const signingRoutes = (signing: SigningService): Handlers<typeof contract.signing> => ({
  jwks: () => signing.jwks(),
})
