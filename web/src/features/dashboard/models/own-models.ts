import type { Model, ModelHealth } from '@countersign/sdk/contract'
import { useMemo, useState } from 'react'
import useSWR, { mutate } from 'swr'
import { client } from '../../../data/client.ts'
import { useCredentials } from '../../../data/session.ts'
import { isOwnModelList, ownModelsKey, refreshOwnModels } from '../shared/own-model-list.ts'
import { groupModels } from './own-model-groups.ts'

const pageSize = 100
/** Use the command line to list more. */
const most = 20_000

/** Above this, don't reload all pages each minute, only when the user returns. */
const maxReloaded = 1_000

/** Loads page after page by cursor. */
const askAll = async (providerId: string, onLoaded: (models: Model[]) => void): Promise<Model[]> => {
  const models: Model[] = []
  let cursor: string | null = null
  do {
    const page: { models: Model[]; next_cursor: string | null } = await client.providers.models(providerId, {
      include_archived: 'true',
      limit: pageSize,
      ...(cursor !== null && { cursor }),
    })
    models.push(...page.models)
    cursor = page.next_cursor
    onLoaded([...models])
  } while (cursor !== null && models.length < most)
  return models
}

/** Every version of the signed-in provider's models, by identifier. */
export const useOwnModels = (providerId: string) => {
  const { apiKey } = useCredentials()
  const [arrived, setArrived] = useState<Model[]>([])
  const {
    data,
    error,
    mutate: ask,
  } = useSWR(
    apiKey === null ? null : [ownModelsKey, providerId, apiKey],
    () => askAll(providerId, setArrived),
    arrived.length > maxReloaded ? { focusThrottleInterval: 60_000, refreshInterval: 0 } : {},
  )
  const groups = useMemo(
    () => (data === undefined && arrived.length === 0 ? undefined : groupModels(data ?? arrived)),
    [data, arrived],
  )
  return {
    hasKey: apiKey !== null,
    /** Undefined before the first page. */
    groups: error === undefined || data !== undefined ? groups : undefined,
    /** Until all pages have loaded, items can't be changed in place. */
    isWhole: data !== undefined,
    /** How many versions have loaded so far. */
    arrived: arrived.length,
    failure: error as unknown,
    again: async () => {
      await ask()
    },
  }
}

const changeOwn = (id: string, change: (model: Model) => Model) =>
  mutate(isOwnModelList, (before?: Model[]) => before?.map((model) => (model.id === id ? change(model) : model)), {
    revalidate: false,
  })

/** The other cached data about a version. */
export const noteOwnModel = (id: string, known: Partial<Model>) => changeOwn(id, (model) => ({ ...model, ...known }))

/** Stores the registry's response, in the list and wherever the version is shown. */
const take = async (model: Model) => {
  await changeOwn(model.id, () => model)
  void mutate((key) => Array.isArray(key) && key[0] === 'model' && key[1] === model.id)
  return model
}

/** Another tab or person may have changed it: reload. */
const revalidate = async (id: string) => {
  try {
    await take(await client.models.get(id))
  } catch {
    await refreshOwnModels()
  }
}

/** Shown immediately, and reverted if it fails. */
export const setModelVisibility = async ({ id, is_public }: Pick<Model, 'id' | 'is_public'>, isPublic: boolean) => {
  await noteOwnModel(id, { is_public: isPublic })
  try {
    return await take(await client.models.setVisibility(id, { is_public: isPublic }))
  } catch (failure) {
    await noteOwnModel(id, { is_public })
    void revalidate(id)
    throw failure
  }
}

const orPutRight = async <Answer>(id: string, ask: () => PromiseLike<Answer>): Promise<Answer> => {
  try {
    return await ask()
  } catch (failure) {
    void revalidate(id)
    throw failure
  }
}

export const archiveModel = (id: string, reason: string) =>
  orPutRight(id, async () =>
    take(await client.models.archive(id, reason.trim() === '' ? {} : { reason: reason.trim() })),
  )

export const unarchiveModel = (id: string) => orPutRight(id, async () => take(await client.models.unarchive(id, {})))

/** Copies fields from the model hub. */
export const syncModel = async (id: string) => {
  const synced = await client.models.syncHuggingface(id, {})
  void revalidate(id)
  return synced
}

/** Monitoring data, hour by hour; loaded only when visible. */
export const useModelHealth = (id: string, isWanted: boolean) => {
  const { apiKey } = useCredentials()
  const {
    data,
    error,
    mutate: ask,
  } = useSWR(isWanted ? ['model-health', id, apiKey] : null, () => client.models.health(id))
  return {
    health: data,
    failure: error as unknown,
    again: async () => {
      await ask()
    },
    set: async (enabled: boolean, intervalSeconds?: number) => {
      const changed: ModelHealth = await orPutRight(id, () =>
        client.models.setHealth(id, {
          enabled,
          ...(intervalSeconds !== undefined && { interval_seconds: intervalSeconds }),
        }),
      )
      await ask(changed, { revalidate: false })
      const { health_check_enabled, health_status, uptime_7d } = changed
      await noteOwnModel(id, {
        health_check_enabled,
        enable_health_monitoring: health_check_enabled,
        health_status,
        uptime_7d,
        uptime_percentage_7d: uptime_7d,
      })
      return changed
    },
  }
}

/** The edits of a version, and all versions of its identifier. */
export const useModelHistory = (id: string) => {
  const { apiKey } = useCredentials()
  const {
    data,
    error,
    mutate: ask,
  } = useSWR(['model-history', id, apiKey], () => client.models.history(id), { revalidateIfStale: true })
  return { history: data, failure: error as unknown, again: () => void ask() }
}
