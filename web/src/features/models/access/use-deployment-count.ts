import useSWR from 'swr'
import { client } from '../../../data/client.ts'
import { keptCurrent } from '../../../data/kept-current.ts'
import { useViewer } from '../../../data/session.ts'

/** The number of enabled, authorized deployments; undefined if unknown. */
export const useDeploymentCount = (id: string) =>
  useSWR(['model-deployments', id, useViewer()], () => client.models.countDeployments(id), keptCurrent).data?.count
