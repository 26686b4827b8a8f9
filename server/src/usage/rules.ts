import { limits, Refusal } from '@countersign/sdk/contract'

/** The days that are listed, with today. */
export const listedDays = 30
const dayMs = 24 * 3_600_000

/** Days since 1970, UTC. */
export const dayOf = (at: number): number => Math.floor(at / dayMs)
export const startOf = (day: number): number => day * dayMs

export interface LinksPerDay {
  proven: number
  unproven: number
}

/** Providers keep the larger quota while their proof is stale. */
export const limitOf = ({ proven, unproven }: LinksPerDay, isDomainKept: boolean): number =>
  isDomainKept ? proven : unproven

const grouped = (count: number) => count.toLocaleString('en-US')

/** Undefined while the quota leaves links for today. */
export const quotaRefusal = (used: number, perDay: LinksPerDay, isDomainKept: boolean, at: number) => {
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

/** Undefined below the share at which its owner is warned. */
export const quotaWarning = ({ used, limit }: { used: number; limit: number }) =>
  used < limit * limits.quotaWarningShare
    ? undefined
    : `You have used ${grouped(used)} of today’s ${grouped(limit)} links. The count resets at 00:00 UTC.`

/** From 0 to 1, in steps of 0.0001. */
export const shareOf = (used: number, limit: number): number =>
  Math.min(1, Math.floor((used / limit) * 10_000) / 10_000)

export const dateOf = (day: number): string => new Date(startOf(day)).toISOString().slice(0, 10)
