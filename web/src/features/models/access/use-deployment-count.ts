import useSWR from 'swr'
import { client } from '../../../data/client.ts'
import { useViewer } from '../../../data/session.ts'

/** The number of enabled, authorized deployments; 0 if unknown. */
export const useDeploymentCount = (id: string) => {
  const { data } = useSWR(['model-deployments', id, useViewer()], () => client.models.countDeployments(id))
  return data?.count ?? 0
}
