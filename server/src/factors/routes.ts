import type { contract } from '@countersign/sdk/contract'
import type { Handlers } from '../http/endpoint.ts'
import type { RecoveryService } from '../recovery/service.ts'
import type { FactorService } from './service.ts'

export const factorRoutes = (factors: FactorService, recovery: RecoveryService): Handlers<typeof contract.factors> => ({
  list: async ({ caller }) => ({
    ...(await factors.list(caller)),
    ...(await recovery.stateOf(caller.person_id ?? '')),
  }),
  sendCode: ({ caller }) => factors.sendCode(caller),
  begin: ({ caller, body, act, visitor }) => factors.begin(caller, body, { act: act(), ...visitor() }),
  add: ({ caller, body, visitor }) => factors.add(caller, body, visitor()),
  rename: ({ caller, params, body, act, visitor }) =>
    factors.rename(caller, { ...params, ...body }, { act: act(), ...visitor() }),
  remove: ({ caller, params, act, visitor }) => factors.remove(caller, params.id, { act: act(), ...visitor() }),
  renewCodes: ({ caller, act, visitor }) => factors.renewCodes(caller, { act: act(), ...visitor() }),
  beginProof: ({ caller, body }) => factors.beginProof(caller, body),
  prove: ({ caller, body, visitor }) => factors.prove(caller, body, visitor()),
  beginSignIn: ({ visitor }) => factors.beginSignIn(visitor()),
  beginRecovery: ({ caller, body }) => recovery.begin(caller, body.email),
  recover: ({ body, visitor }) => recovery.recover(body, visitor()),
  cancelRecovery: ({ caller }) => recovery.cancel(caller),
  signIn: ({ body, visitor }) => factors.signIn(body.passkey, visitor()),
})
