import type { Model, Provider, UpdatedProvider } from '@countersign/sdk/contract'
import useSWR, { mutate } from 'swr'
import { client } from '../../../data/client.ts'
import { ownProviderKey } from '../../../data/provider.ts'

/* ---- the other parts of the overview ---- */

const shown = 5
const pageSize = 100
const mostPages = 20

interface ModelsAtAGlance {
  /** The newest five that are not archived. */
  recent: Model[]
  active: number
  /** Whether there are more than were loaded. */
  isMore: boolean
}

const lookAtModels = async (providerId: string): Promise<ModelsAtAGlance> => {
  const recent: Model[] = []
  let active = 0
  let cursor: string | null = null
  for (let page = 0; page < mostPages; page++) {
    const answer: { models: Model[]; next_cursor: string | null } = await client.providers.models(providerId, {
      limit: pageSize,
      ...(cursor !== null && { cursor }),
    })
    recent.push(...answer.models.slice(0, shown - recent.length))
    active += answer.models.filter(({ is_active }) => is_active).length
    cursor = answer.next_cursor
    if (cursor === null) break
  }
  return { recent, active, isMore: cursor !== null }
}

export const useModelsAtAGlance = (providerId: string) => {
  const { data, error, mutate: ask } = useSWR(['models-at-a-glance', providerId], () => lookAtModels(providerId))
  return { models: data, failure: error as unknown, again: () => void ask() }
}

export const useRecentIncidents = (providerId: string) => {
  const {
    data,
    error,
    mutate: ask,
  } = useSWR(['recent-incidents', providerId], async () => {
    const { incidents } = await client.incidents.list({ limit: shown })
    return incidents
  })
  return { incidents: data, failure: error as unknown, again: () => void ask() }
}

export const useUsage = (providerId: string) => {
  const { data, error, mutate: ask } = useSWR(['usage', providerId], () => client.account.usage())
  return { usage: data, failure: error as unknown, again: () => void ask() }
}

export type Period = '30' | '90'

/** Keeps the previous period until the next one has loaded. */
export const useVerificationsByDay = (providerId: string, days: Period, model_id: string | undefined) => {
  const key = ['verifications-by-day', providerId, days, model_id ?? null]
  const {
    data,
    error,
    mutate: ask,
  } = useSWR(key, () => client.account.verificationsByDay({ days, ...(model_id !== undefined && { model_id }) }), {
    keepPreviousData: true,
  })
  return { counted: data, failure: error as unknown, again: () => void ask() }
}

/* ---- changing the provider ---- */

type Change = Parameters<typeof client.providers.update>[1]

const take = (changed: UpdatedProvider) => {
  const { message: _, domain_verification_updated: __, ...provider } = changed
  return mutate((key) => Array.isArray(key) && key[0] === ownProviderKey, provider, { revalidate: false })
}

/** Changes only the given fields. Returns the updated provider, which is shown from then on. */
export const changeProvider = async (id: string, change: Change) => {
  const changed = await client.providers.update(id, change)
  await take(changed)
  return changed
}

/** Shown immediately, and reverted if it fails. */
export const setListed = async (id: string, is_listed: boolean) => {
  const isOwn = (key: unknown) => Array.isArray(key) && key[0] === ownProviderKey
  const show = (isListed: boolean) =>
    mutate(isOwn, (before?: Provider) => before && { ...before, is_listed: isListed, is_public: isListed }, {
      revalidate: false,
    })
  await show(is_listed)
  try {
    const changed = await client.providers.setVisibility(id, { is_listed })
    await take(changed)
    return changed
  } catch (failure) {
    await show(!is_listed)
    throw failure
  }
}

export const uploadLogo = (id: string, picture: Blob) => client.providers.uploadLogo(id, picture)

export const removeLogo = (id: string) => client.providers.deleteLogo(id)

/* ---- proving who it is ---- */

/** Emails the link and code. Returns the confirmation code for other devices. */
export const sendOwnVerification = async () => (await client.auth.sendVerification({})).confirmation_code

export const verifyOwnEmail = (verification_code: string) => client.auth.verifyEmail({ verification_code })

export const checkOwnDomain = (method: 'dns' | 'file') => client.providers.verifyDomain({ method })
