import type { contract } from '@countersign/sdk/contract'
import type { Handlers } from '../http/mount.ts'
import type { KeyService } from './service.ts'

export const keyRoutes = (keys: KeyService): Handlers<typeof contract.keys> => ({
  list: ({ caller }) => keys.list(caller),
  create: ({ caller, body }) => keys.make(caller, body),
  revoke: ({ caller, params }) => keys.revoke(caller, params.id),
})
