import useSWR, { useSWRConfig } from 'swr'
import { client } from '../../../data/client.ts'
import { useCredentials } from '../../../data/session.ts'
import { currentOrSaid } from '../../../failures/giving-up.ts'

/** Use the dashboard for more. */
const limit = 500

/** The signed-in provider's deployments, and which of them are authorized for a model. */
export const useAuthorizations = (modelId: string) => {
  const { apiKey } = useCredentials()
  const { mutate: mutateAny } = useSWRConfig()
  const { data, error, mutate } = useSWR(
    apiKey === null ? null : ['authorizations', modelId, apiKey],
    () => client.deployments.list({ limit: 100 }).toArray({ limit }),
    currentOrSaid,
  )
  const isAuthorized = (deployment: { authorized_models: readonly { id: string }[] }) =>
    deployment.authorized_models.some(({ id }) => id === modelId)
  return {
    authorized: data?.filter(isAuthorized),
    others: data?.filter((deployment) => !isAuthorized(deployment)),
    failure: error as unknown,
    again: () => void mutate(),
    authorize: async (deploymentId: string) => {
      await client.models.allowDeployment(modelId, { deployment_id: deploymentId })
    },
    revoke: async (deploymentId: string) => {
      await client.models.revokeDeployment(modelId, deploymentId)
    },
    /** The authorized ones shown, and their total. */
    refresh: () =>
      Promise.all([
        mutate(),
        mutateAny((key) => Array.isArray(key) && key[0] === 'model-deployments' && key[1] === modelId),
      ]),
  }
}
