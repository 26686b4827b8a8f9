import { invalidField, limits, Refusal } from '@countersign/sdk/contract'

/** The days that are listed, with today. */
export const listedDays = 30
const dayMs = 24 * 3_600_000

/** Days since 1970, UTC. */
export const dayOf = (at: number): number => Math.floor(at / dayMs)
export const startOf = (day: number): number => day * dayMs

/** With and without a proven domain. */
interface Quota {
  proven: number
  unproven: number
}

export interface Quotas {
  linksPerDay: Quota
  /** Versions of models, as is the total. */
  modelsPerDay: Quota
  modelsTotal: Quota
}

/** Providers keep the larger quota while their proof is stale. */
export const limitOf = ({ proven, unproven }: Quota, isDomainKept: boolean): number =>
  isDomainKept ? proven : unproven

const grouped = (count: number) => count.toLocaleString('en-US')

/** Undefined while the quota leaves links for today. */
export const quotaRefusal = (used: number, perDay: Quota, isDomainKept: boolean, at: number) => {
  const limit = limitOf(perDay, isDomainKept)
  if (used < limit) return undefined
  const resets_at = startOf(dayOf(at) + 1)
  const more =
    isDomainKept || perDay.proven <= limit ? '' : ` Prove your domain to get ${grouped(perDay.proven)} links a day.`
  return new Refusal(
    'quota_exceeded',
    `You have used all of today’s ${grouped(limit)} links. You can mint more from 00:00 UTC.${more}`,
    { limit, resets_at: new Date(resets_at).toISOString() },
    { retryAfterSeconds: Math.ceil((resets_at - at) / 1_000) },
  )
}

interface StoredModels {
  today: number
  total: number
}

/** Undefined while the quotas leave a version of a model. The total comes first, because the next day does not change it. */
export const modelRefusal = (
  { today, total }: StoredModels,
  { modelsPerDay, modelsTotal }: Quotas,
  isDomainKept: boolean,
  at: number,
) => {
  const most = limitOf(modelsTotal, isDomainKept)
  if (total >= most) {
    const more =
      isDomainKept || modelsTotal.proven <= most
        ? 'Ask the operator of the registry for more.'
        : `Prove your domain to have up to ${grouped(modelsTotal.proven)}.`
    return invalidField('version', `At most ${grouped(most)} versions of models, archived ones included. ${more}`)
  }
  const limit = limitOf(modelsPerDay, isDomainKept)
  if (today < limit) return undefined
  const resets_at = startOf(dayOf(at) + 1)
  const more =
    isDomainKept || modelsPerDay.proven <= limit
      ? ''
      : ` Prove your domain to register ${grouped(modelsPerDay.proven)} a day.`
  return new Refusal(
    'quota_exceeded',
    `You have registered all of today’s ${grouped(limit)} versions of models. You can register more from 00:00 UTC.${more}`,
    { limit, resets_at: new Date(resets_at).toISOString() },
    { retryAfterSeconds: Math.ceil((resets_at - at) / 1_000) },
  )
}

/** Undefined below the share at which its owner is warned. */
export const quotaWarning = ({ used, limit }: { used: number; limit: number }) =>
  used < limit * limits.quotaWarningShare
    ? undefined
    : `You have used ${grouped(used)} of today’s ${grouped(limit)} links. The count resets at 00:00 UTC.`

/** From 0 to 1, in steps of 0.0001. */
export const shareOf = (used: number, limit: number): number =>
  Math.min(1, Math.floor((used / limit) * 10_000) / 10_000)

export const dateOf = (day: number): string => new Date(startOf(day)).toISOString().slice(0, 10)
