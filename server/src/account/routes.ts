import type { contract } from '@countersign/sdk/contract'
import type { AttentionService } from '../attention/service.ts'
import type { Handlers } from '../http/endpoint.ts'
import type { MailboxService } from '../mailboxes/service.ts'
import type { UsageService } from '../usage/service.ts'
import type { AccountService } from './service.ts'

export const accountRoutes = (
  account: AccountService,
  attention: AttentionService,
  usage: UsageService,
  mailboxes: MailboxService,
): Handlers<typeof contract.account> => ({
  attention: ({ caller }) => attention.attention(caller),
  usage: ({ caller }) => usage.usage(caller),
  verifications: ({ caller, query }) => account.verifications(caller, query),
  verificationsByDay: ({ caller, query }) => account.verificationsByDay(caller, query),
  events: ({ caller, query }) => account.events(caller, query),
  notifications: ({ caller }) => account.notifications(caller),
  setNotifications: ({ caller, body }) => account.setNotifications(caller, body),
  deleteMe: ({ caller, body }) => account.deleteMe(caller, body),
  changeEmail: ({ caller, body }) => mailboxes.change(caller, body),
  confirmEmail: ({ caller, body }) => mailboxes.confirm(caller, body),
  restoreEmail: ({ body }) => mailboxes.restore(body),
})
