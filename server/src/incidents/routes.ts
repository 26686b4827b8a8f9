import type { contract } from '@countersign/sdk/contract'
import type { Handlers } from '../http/endpoint.ts'
import type { IncidentService } from './service.ts'

export const incidentRoutes = (incidents: IncidentService): Handlers<typeof contract.incidents> => ({
  report: ({ body, visitor }) => incidents.report(body, visitor().address),
  list: ({ caller, query }) => incidents.list(caller, query),
  get: ({ caller, params }) => incidents.get(caller, params.id),
  respond: ({ caller, params, body, ifMatch }) => incidents.respond(caller, params.id, body, ifMatch),
})
