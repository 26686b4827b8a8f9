import type { contract } from '@countersign/sdk/contract'
import type { DomainService } from '../domains/service.ts'
import type { Handlers } from '../http/endpoint.ts'
import type { RegistrationService } from '../registrations/service.ts'
import type { SessionService } from '../sessions/service.ts'
import type { AuthService } from './service.ts'

type Own = Omit<typeof contract.auth, 'exchange' | 'identities' | 'startLink' | 'unlink'>

interface Services {
  auth: AuthService
  registrations: RegistrationService
  sessions: SessionService
  domains: Pick<DomainService, 'compare'>
}

export const authRoutes = ({ auth, registrations, sessions, domains }: Services): Handlers<Own> => ({
  checkDomain: async ({ body }) => domains.compare(body),
  sendVerification: ({ body, caller, visitor }) => registrations.sendVerification(body, caller, visitor()),
  verifyEmail: ({ body, caller, visitor }) => registrations.verifyEmail(body, caller, visitor()),
  register: ({ body, visitor }) => registrations.register(body, visitor()),
  verify: ({ body, caller, visitor }) => registrations.verify(body, caller, visitor()),
  login: ({ body, visitor }) => auth.login(body, visitor()),
  setPassword: ({ body, visitor }) => auth.setPassword(body, visitor()),
  passwordAccount: ({ body }) => auth.passwordAccount(body.token),
  forgotPassword: ({ body, visitor }) => auth.forgotPassword(body.email, visitor()),
  changePassword: ({ body, caller, visitor }) => auth.changePassword(caller, body, visitor()),
  signOut: ({ caller }) => auth.signOut(caller),
  sessions: async ({ caller }) => ({ sessions: await sessions.list(caller) }),
  revokeSession: async ({ caller, params }) => {
    await sessions.end(caller, params.id)
    return { message: 'Session ended', id: params.id }
  },
})
