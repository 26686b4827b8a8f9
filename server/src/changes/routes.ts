import type { contract } from '@countersign/sdk/contract'
import type { DelayService } from '../delays/service.ts'
import type { Caller } from '../http/callers.ts'
import type { Context, Handlers } from '../http/endpoint.ts'
import type { RecoveryService } from '../recovery/service.ts'
import type { ChangeService, Perform } from './service.ts'

type Approval = Pick<Context<(typeof contract.changes)['approve']>, 'act' | 'visitor'> & { caller: Caller }

export const changeRoutes = (
  changes: ChangeService,
  delays: Pick<DelayService, 'cancel' | 'undo'>,
  recovery: Pick<RecoveryService, 'approve'>,
  performAs: (approval: Approval) => Perform,
  checkMay: (name: string, caller: Caller) => void,
): Handlers<typeof contract.changes> => ({
  list: ({ caller }) => changes.list(caller),
  get: ({ caller, params }) => changes.get(caller, params.id),
  approve: async ({ caller, params, act, visitor }) => {
    const recovered = await recovery.approve(caller, params.id)
    if (recovered) return { change: await changes.get(caller, params.id), ...recovered }
    return changes.approve(caller, params.id, performAs({ caller, act, visitor }))
  },
  reject: ({ caller, params }) => changes.reject(caller, params.id, (name) => checkMay(name, caller)),
  cancel: async ({ caller, params }) => {
    await delays.cancel(caller, params.id)
    return changes.get(caller, params.id)
  },
  undo: ({ body }) => delays.undo(body),
})
