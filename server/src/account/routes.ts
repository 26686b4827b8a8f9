import type { contract } from '@countersign/sdk/contract'
import type { Handlers } from '../http/mount.ts'
import type { AccountService } from './service.ts'

export const accountRoutes = (account: AccountService): Handlers<typeof contract.account> => ({
  verifications: ({ caller, query }) => account.verifications(caller, query),
  verificationsByDay: ({ caller, query }) => account.verificationsByDay(caller, query),
  events: ({ caller, query }) => account.events(caller, query),
  notifications: ({ caller }) => account.notifications(caller),
  setNotifications: ({ caller, body }) => account.setNotifications(caller, body),
})
