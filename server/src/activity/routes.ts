import type { contract } from '@countersign/sdk/contract'
import type { Handlers } from '../http/endpoint.ts'
import type { ActivityService } from './service.ts'

export const activityRoutes = (activity: ActivityService): Handlers<typeof contract.activity> => ({
  list: ({ caller, query }) => activity.list(caller, query),
  undo: ({ caller, body, visitor }) => activity.undo({ caller, visitor: visitor() }, body),
})
