import type { contract } from '@countersign/sdk/contract'
import type { Handlers } from '../http/endpoint.ts'
import type { PeopleService } from './service.ts'

export const memberRoutes = (people: PeopleService): Handlers<typeof contract.members> => ({
  list: ({ caller }) => people.list(caller),
  invite: ({ caller, body }) => people.invite(caller, body),
  withdraw: ({ caller, params }) => people.withdraw(caller, params.id),
  setRole: ({ caller, params, body, visitor }) => people.setRole(caller, params.id, body.role, visitor()),
  remove: ({ caller, params, body, visitor }) => people.remove(caller, params.id, body, visitor()),
  preview: ({ body }) => people.preview(body.token),
  accept: ({ caller, body, visitor }) => people.accept(body, caller, visitor()),
  providers: ({ caller }) => people.providers(caller),
  use: ({ caller, params }) => people.use(caller, params.id),
})
