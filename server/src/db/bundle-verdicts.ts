import type { BundleReason } from '@countersign/sdk/contract'
import { type SqlBool, sql } from 'kysely'
import { domainProof, type Moment } from './proofs.ts'
import type { ModelTable } from './schema.ts'

/*
 * The stored verdict on a version's bundle at a moment. If a mailbox signed, it is verified only while that mailbox's domain is proven,
 * even if no job runs, so everything that reads verdicts uses this file. The row of `models` is called `alias`.
 */

/** A mailbox signed, and its domain is not proven now. */
export const isMailboxLost = (alias: string, at: Moment) => {
  const [status, provider, domain] = ['bundle_status', 'provider_id', 'bundle_domain'].map((name) =>
    sql.ref(`${alias}.${name}`),
  )
  return sql<SqlBool>`(${status} = 'verified' and ${domain} is not null and not exists (
    select 1 from provider_domains sd
    where sd.provider_id = ${provider} and sd.domain = ${domain} and ${domainProof('sd', at).isProven}))`
}

/** Why a valid signature does not verify the version. */
export const openReasonOf = ({
  bundle_status,
  bundle_verification_details: details,
}: Pick<ModelTable, 'bundle_status' | 'bundle_verification_details'>): BundleReason | null =>
  bundle_status === 'unknown' && details !== null ? JSON.parse(details).reason : null

type Kept = 'bundle_last_checked' | 'bundle_verification_details' | 'bundle_signer'

export const bundleStatus = (alias: string, at: Moment) =>
  sql<ModelTable['bundle_status']>`case when ${isMailboxLost(alias, at)} then 'unknown'
    else ${sql.ref(`${alias}.bundle_status`)} end`.as('bundle_status')

/** These columns replace those of the row with the same names. */
export const bundleColumns = (alias: string, at: Moment) => {
  const kept = <Name extends Kept>(name: Name) =>
    sql<ModelTable[Name]>`case when not ${isMailboxLost(alias, at)} then ${sql.ref(`${alias}.${name}`)} end`.as(name)
  return [
    bundleStatus(alias, at),
    kept('bundle_last_checked'),
    kept('bundle_verification_details'),
    kept('bundle_signer'),
  ] as const
}
