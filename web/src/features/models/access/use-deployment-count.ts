import useSWR from 'swr'
import { client } from '../../../data/client.ts'
import { useViewer } from '../../../data/session.ts'

/** How many enabled deployments are authorized; 0 where that is not known. */
export const useDeploymentCount = (id: string) => {
  const { data } = useSWR(['model-deployments', id, useViewer()], () => client.models.countDeployments(id))
  return data?.count ?? 0
}
