import type { Model } from '@countersign/sdk/contract'
import { useRef, useState } from 'react'
import useSWR, { useSWRConfig } from 'swr'
import { client } from '../../data/client.ts'
import { useCredentials } from '../../data/session.ts'
import { readWritten } from '../../data/written-page.ts'
import { isNotFound } from '../../failures/failure.ts'
import { useList } from '../../lists/use-list.ts'

/** An owner sees more than others do: what one was told is not for the next. */
const useViewer = () => {
  const { apiKey, token } = useCredentials()
  return apiKey ?? token
}

/** What came with the page is what everyone may see: an owner asks. */
const readWrittenModel = (id: string, viewer: string | null) => {
  const model = viewer === null ? readWritten<Model>('model-answer') : undefined
  return model?.id === id ? model : undefined
}

/** A public model or, for its owner, a private one. Others are refused alike. What the server wrote into the page stands until it answers. */
export const useModel = (id: string) => {
  const viewer = useViewer()
  const [written] = useState(() => readWrittenModel(id, viewer))
  const { data, error, mutate } = useSWR(id === '' ? null : ['model', id, viewer], () => client.models.get(id), {
    // The same page goes on to other models.
    ...(written?.id === id && viewer === null && { fallbackData: written }),
  })
  return { model: data, failure: error as unknown, again: () => void mutate() }
}

const noStats = {
  total_verifications: 0,
  reports_under_investigation: 0,
  total_reports: 0,
  dismissed_reports: 0,
  last_incident: null,
  last_incident_status: null,
  provider_trust_level: 'unverified',
} as const

/** What people made of the model. Where that is not known, nothing is. */
export const useCommunityStats = (id: string) => {
  const { data, error, mutate } = useSWR(['model-stats', id, useViewer()], () => client.models.communityStats(id))
  return { stats: data ?? noStats, isKnown: data !== undefined, isFailed: error !== undefined, again: () => void mutate() }
}

/** How many enabled deployments are authorized; 0 where that is not known. */
export const useDeploymentCount = (id: string) => {
  const { data } = useSWR(['model-deployments', id, useViewer()], () => client.models.countDeployments(id))
  return data?.count ?? 0
}

const checkingMs = 2_000

/** What is known of the signed bundle, asked again while a check is on its way. */
export const useBundle = (id: string) => {
  const { mutate: mutateAny } = useSWRConfig()
  const wasChecking = useRef(false)
  const { data, error, mutate } = useSWR(['model-bundle', id, useViewer()], () => client.bundles.status(id), {
    refreshInterval: (known) => (known?.verification_status === 'in_progress' ? checkingMs : 0),
    onSuccess: ({ verification_status }) => {
      const isDone = wasChecking.current && verification_status === 'completed'
      wasChecking.current = verification_status === 'in_progress'
      if (isDone) void mutateAny((key) => Array.isArray(key) && key[0] === 'model' && key[1] === id)
    },
  })
  const verify = async () => {
    const asked = await client.bundles.verify(id, { force_refresh: true })
    wasChecking.current = true
    await mutate()
    return asked
  }
  return { bundle: data, failure: error as unknown, again: () => void mutate(), verify }
}

export const useModelFiles = (id: string) =>
  useList(['model-files', id, useViewer()], async (cursor) => {
    const page = await client.models.files(id, cursor === null ? {} : { cursor })
    return { items: page.files, cursor: page.next_cursor }
  })

const versionsAtOnce = 6

/**
 * The versions that the viewer may see, newest first, each found from the one after it. Where the chain is cut before the
 * one that is asked for, it goes on from there.
 */
export const useVersions = (model: Model) =>
  useList<Model>(['model-versions', model.id, model.latest_version_id, useViewer()], async (cursor) => {
    const items: Model[] = []
    let next: string | null = cursor ?? model.latest_version_id ?? model.id
    while (next !== null && items.length < versionsAtOnce) {
      const version: Model | null = next === model.id ? model : await getOrNothing(next)
      if (version !== null) items.push(version)
      const before: string | null = version?.predecessor_id ?? null
      const isBeforeReached: boolean = (version?.version_number ?? 0) > model.version_number
      next = before ?? (isBeforeReached ? model.id : null)
    }
    return { items, cursor: next }
  })

/** It may have become private since it was named. */
const getOrNothing = (id: string): Promise<Model | null> =>
  client.models.get(id).catch((error: unknown) => {
    if (isNotFound(error)) return null
    throw error
  })
