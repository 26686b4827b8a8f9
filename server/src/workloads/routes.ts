import type { contract } from '@countersign/sdk/contract'
import type { Handlers } from '../http/endpoint.ts'
import type { WorkloadService } from './service.ts'

export const workloadRoutes = (workloads: WorkloadService): Handlers<typeof contract.workloads> => ({
  list: ({ caller }) => workloads.list(caller),
  trust: ({ caller, body }) => workloads.trust(caller, body),
  remove: ({ caller, params }) => workloads.remove(caller, params.id),
  exchange: ({ body }) => workloads.exchange(body),
})
