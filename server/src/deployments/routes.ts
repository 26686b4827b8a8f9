import type { contract } from '@countersign/sdk/contract'
import type { Handlers } from '../http/endpoint.ts'
import type { DeploymentService } from './service.ts'

export const deploymentRoutes = (deployments: DeploymentService): Handlers<typeof contract.deployments> => ({
  register: ({ caller, body }) => deployments.register(caller, body),
  list: ({ caller, query }) => deployments.list(caller, query),
  setStatus: ({ caller, params, body }) => deployments.setStatus(caller, params.id, body.status),
  delete: ({ caller, params }) => deployments.delete(caller, params.id),
})
