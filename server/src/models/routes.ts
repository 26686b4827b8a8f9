import type { contract } from '@countersign/sdk/contract'
import type { DeploymentService } from '../deployments/service.ts'
import type { Handlers } from '../http/mount.ts'
import type { ModelService } from './service.ts'

export const modelRoutes = (models: ModelService, deployments: DeploymentService): Handlers<typeof contract.models> => ({
  register: ({ caller, body }) => models.register(caller, body),
  list: ({ query }) => models.list(query),
  get: ({ caller, params }) => models.get(caller, params.id),
  archive: ({ caller, params, body }) => models.archive(caller, params.id, body.reason),
  putArchive: ({ caller, params, body }) => models.archive(caller, params.id, body.reason),
  allowDeployment: ({ caller, params, body }) => deployments.authorize(caller, params.id, body.deployment_id),
  deployments: ({ caller, params, query }) => deployments.listOfModel(caller, params.id, query),
  countDeployments: ({ caller, params }) => models.countDeployments(caller, params.id),
  revokeDeployment: ({ caller, params }) => deployments.revoke(caller, params.id, params.deployment_id),
})
