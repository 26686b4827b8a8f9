import type { contract } from '@countersign/sdk/contract'
import type { Handlers } from '../http/mount.ts'
import type { SessionService } from '../sessions/service.ts'
import type { AuthService } from './service.ts'

type Own = Omit<typeof contract.auth, 'exchange' | 'identities' | 'startLink' | 'unlink'>

export const authRoutes = (auth: AuthService, sessions: SessionService): Handlers<Own> => ({
  checkDomain: async ({ body }) => auth.compare(body),
  sendVerification: ({ body, caller, visitor }) => auth.sendVerification(body, caller, visitor),
  verifyEmail: ({ body, caller, visitor }) => auth.verifyEmail(body, caller, visitor),
  register: ({ body, visitor }) => auth.register(body, visitor),
  login: ({ body, visitor }) => auth.login(body, visitor),
  verify: ({ body, caller, visitor }) => auth.verify(body, caller, visitor),
  setPassword: ({ body, visitor }) => auth.setPassword(body, visitor),
  forgotPassword: ({ body }) => auth.forgotPassword(body.email),
  changePassword: ({ body, caller, visitor }) => auth.changePassword(caller, body, visitor),
  signOut: ({ caller }) => auth.signOut(caller),
  sessions: async ({ caller }) => ({ sessions: await sessions.list(caller) }),
  revokeSession: async ({ caller, params }) => {
    await sessions.end(caller, params.id)
    return { message: 'The session was ended', id: params.id }
  },
})
