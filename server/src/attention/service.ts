import { type Attention, type AttentionKind, attentionKinds, limits, notFound } from '@countersign/sdk/contract'
import { ownFingerprint } from '../db/deployment-keys.ts'
import type { Database } from '../db/engine.ts'
import { timeOf } from '../db/times.ts'
import type { Caller } from '../http/callers.ts'
import type { UsageService } from '../usage/service.ts'
import {
  countOpenIncidents,
  countWaitingReviews,
  findDisabledDeployments,
  findFailingEndpoints,
  findInvalidBundles,
  findStanding,
  findUnprovenDeployments,
  findUntiedBundles,
  listEndingKeys,
  listFailedDomains,
  listWaitingChanges,
  type Sample,
} from './store.ts'

interface Deps {
  database: Database
  usage: Pick<UsageService, 'readToday' | 'readModels'>
  now: () => number
  isProxyTrusted: boolean
}

type Item = Omit<Attention['items'][number], 'kind'>

const dayMs = 86_400_000
const keysEndWithinMs = 14 * dayMs
const mostSubjects = 3

const emptyItem: Item = { count: 0, verified: 0, subjects: [] }
const reports = (count: number, verified: number): Item => ({ count, verified, subjects: [] })
const itemOf = (subjects: Item['subjects']): Item => ({
  count: subjects.length,
  verified: 0,
  subjects: subjects.slice(0, mostSubjects),
})

const sampleOf = <Row>({ count, rows }: Sample<Row>, nameOf: (row: Row) => Item['subjects'][number]): Item => ({
  count,
  verified: 0,
  subjects: rows.map(nameOf),
})

const modelOf = ({ id, display_name, version }: { id: string; display_name: string; version: string }) => ({
  id,
  name: `${display_name} ${version}`,
  at: null,
})
const changeNamed = ({ id, endpoint, expires_at }: { id: string; endpoint: string; expires_at: number }) => ({
  id,
  name: endpoint,
  at: timeOf(expires_at),
})
const deploymentOf = ({ id, spki_fingerprint }: { id: string; spki_fingerprint: string }) => ({
  id,
  name: ownFingerprint(spki_fingerprint)?.slice(0, 16) ?? id,
  at: null,
})

/** Nothing below the share of a quota at which its owner is warned. */
const nearlyUsed = (id: string, { count, limit, at }: { count: number; limit: number; at: string | null }) =>
  count < limit * limits.quotaWarningShare
    ? []
    : [{ id, name: `${count.toLocaleString('en-US')} of ${limit.toLocaleString('en-US')}`, at }]

/** What needs the owner's attention. */
export const createAttentionService = ({ database, usage, now, isProxyTrusted }: Deps) => ({
  async attention({ provider_id }: Caller): Promise<Attention> {
    const db = database.read
    const at = now()
    const [
      standing,
      reviews,
      incidents,
      bundles,
      endpoints,
      disabled,
      unproven,
      keys,
      domains,
      untied,
      changes,
      links,
      models,
    ] = await Promise.all([
      findStanding(db, provider_id),
      countWaitingReviews(db, provider_id),
      countOpenIncidents(db, provider_id),
      findInvalidBundles(db, provider_id),
      findFailingEndpoints(db, provider_id),
      findDisabledDeployments(db, provider_id),
      findUnprovenDeployments(db, provider_id, isProxyTrusted),
      listEndingKeys(db, { provider_id, at, before: at + keysEndWithinMs }),
      listFailedDomains(db, { provider_id, at }),
      findUntiedBundles(db, provider_id),
      listWaitingChanges(db, { provider_id, at }),
      usage.readToday(provider_id),
      usage.readModels(provider_id),
    ])
    if (!standing) throw notFound()
    const { email, email_verified_at, domain } = standing
    const lost = domains.filter(({ lost_at }) => lost_at !== null)
    // A lost domain is listed as lost.
    const isUnproven =
      domain !== null &&
      standing.domain_verified_at === null &&
      standing.domain_stale_since === null &&
      !lost.some((each) => each.domain === domain)
    const stale = domains.filter(({ stale_since }) => stale_since !== null)
    const found: Record<AttentionKind, Item> = {
      incident_critical: reports(incidents.critical, incidents.both),
      bundle_invalid: sampleOf(bundles, modelOf),
      domain_lost: itemOf(lost.map(({ domain, lost_at }) => ({ id: provider_id, name: domain, at: timeOf(lost_at) }))),
      domain_stale: itemOf(
        stale.map(({ domain, checked_at }) => ({ id: provider_id, name: domain, at: timeOf(checked_at) })),
      ),
      review_waiting: { count: reviews, verified: 0, subjects: [] },
      change_delayed: itemOf(changes.filter(({ state }) => state === 'delayed').map(changeNamed)),
      change_waiting: itemOf(changes.filter(({ state }) => state === 'open').map(changeNamed)),
      links_nearly_used: itemOf(
        nearlyUsed(provider_id, { count: links.today, limit: links.limit, at: links.resets_at }),
      ),
      // One item, as the same panel shows both. The total matters more: the next day does not change it.
      models_nearly_used: itemOf(
        [
          ...nearlyUsed(provider_id, { ...models.total, at: null }),
          ...nearlyUsed(provider_id, { ...models.today, at: links.resets_at }),
        ].slice(0, 1),
      ),
      // With the critical ones, as in the list that it opens. If all are critical, the first item says everything.
      incident_open: incidents.all > incidents.critical ? reports(incidents.all, incidents.verified) : emptyItem,
      endpoint_failing: sampleOf(endpoints, modelOf),
      domain_unproven: isUnproven ? itemOf([{ id: provider_id, name: domain, at: null }]) : emptyItem,
      email_unverified:
        email !== null && email_verified_at === null ? itemOf([{ id: provider_id, name: email, at: null }]) : emptyItem,
      key_expiring: itemOf(keys.map(({ id, name, expires_at }) => ({ id, name, at: timeOf(expires_at) }))),
      deployment_disabled: sampleOf(disabled, deploymentOf),
      deployment_unproven: sampleOf(unproven, deploymentOf),
      signer_not_tied: sampleOf(untied, modelOf),
    }
    return {
      open_incidents: incidents.all,
      items: attentionKinds.map((kind) => ({ kind, ...found[kind] })).filter(({ count }) => count > 0),
    }
  },
})

export type AttentionService = ReturnType<typeof createAttentionService>
