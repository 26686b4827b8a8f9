import type { Deployment, DeploymentStatus, Model, NewDeployment } from '@countersign/sdk/contract'
import { useMemo, useState } from 'react'
import useSWR from 'swr'
import { client } from '../../../data/client.ts'

/** Use the command line to list more. */
const most = 2_000

/** A pending change; each one is distinct, even with the same status. */
interface PendingStatus {
  status: DeploymentStatus
}

type AuthorizedModel = Deployment['authorized_models'][number]

/** The provider's deployments, newest first, and actions on them. */
export const useOwnDeployments = (providerId: string) => {
  const { data, error, mutate } = useSWR(['own-deployments', providerId], () =>
    client.deployments.list({ limit: 100 }).toArray({ limit: most + 1 }),
  )
  // Pending changes, kept apart from the list so that concurrent ones don't undo each other.
  const [pending, setPending] = useState<ReadonlyMap<string, PendingStatus>>(new Map())
  const change = (id: string, change: (deployment: Deployment) => Deployment | undefined) =>
    mutate((before) => before?.flatMap((each) => (each.deployment_id === id ? (change(each) ?? []) : each)), {
      revalidate: false,
    })
  const begin = (id: string, change: PendingStatus) => setPending((before) => new Map(before).set(id, change))
  /** Keeps a later change of the same deployment. */
  const forget = (id: string, change: PendingStatus) =>
    setPending((before) => (before.get(id) === change ? new Map([...before].filter(([each]) => each !== id)) : before))
  const setModels = (id: string, next: (models: AuthorizedModel[]) => AuthorizedModel[]) =>
    change(id, (each) => ({ ...each, authorized_models: next(each.authorized_models) }))

  const deployments = useMemo(
    // An unchanged row keeps its object, so it does not re-render.
    () =>
      data?.slice(0, most).map((each) => {
        const change = pending.get(each.deployment_id)
        return change === undefined ? each : { ...each, status: change.status }
      }),
    [data, pending],
  )
  return {
    /** Undefined before the first response. */
    deployments,
    /** Whether there are more than these. */
    hasMore: (data?.length ?? 0) > most,
    failure: error as unknown,
    again: async () => {
      await mutate()
    },
    register: async (input: NewDeployment) => {
      const registered = await client.deployments.register(input)
      await (data === undefined
        ? mutate()
        : mutate((before) => before && [registered, ...before], { revalidate: false }))
      return registered
    },
    /** Shown immediately, and reverted if it fails. */
    setStatus: async (id: string, status: DeploymentStatus) => {
      const requested = { status }
      begin(id, requested)
      try {
        const changed = await client.deployments.setStatus(id, { status })
        await change(id, () => changed)
      } finally {
        forget(id, requested)
      }
    },
    remove: async (id: string) => {
      await client.deployments.delete(id)
      await change(id, () => undefined)
    },
    authorize: async (id: string, { id: modelId, model_name, display_name, version }: Model) => {
      await client.models.allowDeployment(modelId, { deployment_id: id })
      await setModels(id, (models) => [...models, { id: modelId, name: model_name, display_name, version }])
    },
    revoke: async (id: string, modelId: string) => {
      await client.models.revokeDeployment(modelId, id)
      await setModels(id, (models) => models.filter((model) => model.id !== modelId))
    },
  }
}

export type OwnDeployments = ReturnType<typeof useOwnDeployments>

/** The models that a deployment can be authorized for: all that are not archived. */
export const useAuthorizableModels = (providerId: string) => {
  const { data, error, mutate } = useSWR(['authorizable-models', providerId], async () => {
    const models = await client.providers
      .models(providerId, { limit: 100, include_archived: 'true' })
      .toArray({ limit: most })
    return models.filter(({ archived_at }) => archived_at === null)
  })
  return { models: data, failure: error as unknown, again: () => void mutate() }
}
