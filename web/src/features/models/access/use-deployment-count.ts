import useSWR from 'swr'
import { client } from '../../../data/client.ts'
import { useViewer } from '../../../data/session.ts'
import { currentOrNone } from '../../../failures/giving-up.ts'

/** The number of enabled, authorized deployments; undefined while it is loaded, and 0 if that failed. */
export const useDeploymentCount = (id: string): number | undefined => {
  const counted = useSWR(
    ['model-deployments', id, useViewer()],
    () => client.models.countDeployments(id),
    currentOrNone,
  )
  return counted.data?.count ?? (counted.error === undefined ? undefined : 0)
}
