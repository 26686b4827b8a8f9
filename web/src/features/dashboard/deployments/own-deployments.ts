import type { Deployment, DeploymentStatus, Model, NewDeployment } from '@countersign/sdk/contract'
import { useMemo, useState } from 'react'
import useSWR from 'swr'
import { client } from '../../../data/client.ts'

/** More than that are listed by the command line. */
const most = 2_000

/** One change that was asked for; another of the same status is another. */
interface Asked {
  status: DeploymentStatus
}

type AuthorizedModel = Deployment['authorized_models'][number]

/** The provider's own deployments, newest first, and what can be done with them. */
export const useOwnDeployments = (providerId: string) => {
  const { data, error, mutate } = useSWR(['own-deployments', providerId], () =>
    client.deployments.list({ limit: 100 }).toArray({ limit: most + 1 }),
  )
  // What was asked for and not answered yet. Kept beside the list, so that two changes at once do not undo each other.
  const [asked, setAsked] = useState<ReadonlyMap<string, Asked>>(new Map())
  const change = (id: string, change: (deployment: Deployment) => Deployment | undefined) =>
    mutate((before) => before?.flatMap((each) => (each.deployment_id === id ? (change(each) ?? []) : each)), { revalidate: false })
  const ask = (id: string, change: Asked) => setAsked((before) => new Map(before).set(id, change))
  /** A later change of the same one stays asked for. */
  const forget = (id: string, change: Asked) =>
    setAsked((before) => (before.get(id) === change ? new Map([...before].filter(([each]) => each !== id)) : before))
  const setModels = (id: string, next: (models: AuthorizedModel[]) => AuthorizedModel[]) =>
    change(id, (each) => ({ ...each, authorized_models: next(each.authorized_models) }))

  const deployments = useMemo(
    // A row that stays as it is stays the same object: it need not be drawn again.
    () =>
      data?.slice(0, most).map((each) => {
        const change = asked.get(each.deployment_id)
        return change === undefined ? each : { ...each, status: change.status }
      }),
    [data, asked],
  )
  return {
    /** Undefined before the first answer. */
    deployments,
    /** There are more than these. */
    hasMore: (data?.length ?? 0) > most,
    failure: error as unknown,
    again: async () => {
      await mutate()
    },
    register: async (input: NewDeployment) => {
      const registered = await client.deployments.register(input)
      await (data === undefined ? mutate() : mutate((before) => before && [registered, ...before], { revalidate: false }))
      return registered
    },
    /** Shown at once, and taken back where it is refused. */
    setStatus: async (id: string, status: DeploymentStatus) => {
      const asks = { status }
      ask(id, asks)
      try {
        const changed = await client.deployments.setStatus(id, { status })
        await change(id, () => changed)
      } finally {
        forget(id, asks)
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

/** The models that a deployment can be authorized for: all but those that were withdrawn. */
export const useAuthorizableModels = (providerId: string) => {
  const { data, error, mutate } = useSWR(['authorizable-models', providerId], async () => {
    const models = await client.providers.models(providerId, { limit: 100, include_archived: 'true' }).toArray({ limit: most })
    return models.filter(({ archived_at }) => archived_at === null)
  })
  return { models: data, failure: error as unknown, again: () => void mutate() }
}
