import type { contract } from '@countersign/sdk/contract'
import type { DeploymentService } from '../deployments/service.ts'
import type { HealthService } from '../health/service.ts'
import type { HistoryService } from '../history/service.ts'
import type { Handlers } from '../http/endpoint.ts'
import type { HubService } from '../hub/service.ts'
import type { ModelService } from './service.ts'

interface Deps {
  models: ModelService
  deployments: DeploymentService
  history: HistoryService
  health: HealthService
  hub: HubService
}

export const modelRoutes = ({ models, deployments, history, health, hub }: Deps): Handlers<typeof contract.models> => ({
  register: ({ caller, body }) => models.register(caller, body),
  list: ({ query, hasCredentials }) => models.list(query, { hasCredentials: hasCredentials() }),
  get: ({ caller, params }) => models.get(caller, params.id),
  archive: ({ caller, params, body }) => models.archive(caller, params.id, body.reason),
  putArchive: ({ caller, params, body }) => models.archive(caller, params.id, body.reason),
  unarchive: ({ caller, params, body }) => models.unarchive(caller, params.id, body.reason),
  quickEdit: ({ caller, params, body, ifMatch }) => models.quickEdit(caller, params.id, body, ifMatch),
  history: ({ caller, params }) => history.ofModel(caller, params.id),
  setVisibility: ({ caller, params, body }) => models.setVisibility(caller, params.id, body.is_public),
  latest: ({ caller, params }) => models.latest(caller, params.id),
  files: ({ caller, params, query }) => models.files(caller, params.id, query),
  health: ({ caller, params }) => health.ofModel(caller, params.id),
  setHealth: ({ caller, params, body }) => health.set(caller, params.id, body),
  communityStats: ({ caller, params }) => models.communityStats(caller, params.id),
  syncHuggingface: ({ caller, params, body }) => hub.sync(caller, params.id, body.huggingface_model_id),
  allowDeployment: ({ caller, params, body }) => deployments.authorize(caller, params.id, body.deployment_id),
  deployments: ({ caller, params, query }) => deployments.listOfModel(caller, params.id, query),
  countDeployments: ({ caller, params }) => models.countDeployments(caller, params.id),
  revokeDeployment: ({ caller, params }) => deployments.revoke(caller, params.id, params.deployment_id),
})
