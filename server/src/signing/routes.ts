import type { contract } from '@countersign/sdk/contract'
import type { Handlers } from '../http/mount.ts'
import type { SigningService } from './service.ts'

export const signingRoutes = (signing: SigningService): Handlers<typeof contract.signing> => ({
  jwks: () => signing.jwks(),
})
