import type { Model } from '@countersign/sdk/contract'
import { client } from '../../../data/client.ts'
import { useViewer } from '../../../data/session.ts'
import { isNotFound } from '../../../failures/failure.ts'
import { useList } from '../../../lists/use-list.ts'

const versionsAtOnce = 6

/**
 * The visible versions, newest first, each found from the next newer one. If the chain ends before the requested version, it
 * continues from there.
 */
export const useVersions = (model: Model) => {
  const { id, latest_version_id, provider_domain_verified, bundle_status, archived_at } = model
  return useList<Model>(
    ['model-versions', id, latest_version_id, provider_domain_verified, bundle_status, archived_at, useViewer()],
    async (cursor) => {
      const items: Model[] = []
      let next: string | null = cursor ?? latest_version_id ?? id
      while (next !== null && items.length < versionsAtOnce) {
        const version: Model | null = next === id ? model : await getOrNothing(next)
        if (version !== null) items.push(version)
        const before: string | null = version?.predecessor_id ?? null
        const isBeforeReached: boolean = (version?.version_number ?? 0) > model.version_number
        next = before ?? (isBeforeReached ? id : null)
      }
      return { items, cursor: next }
    },
    { isReloaded: true },
  )
}

/** It may have become private in the meantime. */
const getOrNothing = (id: string): Promise<Model | null> =>
  client.models.get(id).catch((error: unknown) => {
    if (isNotFound(error)) return null
    throw error
  })
