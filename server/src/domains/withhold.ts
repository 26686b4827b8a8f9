import { proofAt, staleForMs } from '../db/proofs.ts'
import type { Tx } from '../db/schema.ts'
import type { Asked } from '../delays/service.ts'
import type { Caller } from '../http/callers.ts'
import type { Changes } from './changes.ts'
import type { Deps } from './deps.ts'
import { contestEndsMs } from './rules.ts'
import {
  allowDomain,
  blockDomain,
  type DomainRow,
  deleteDomain,
  endProof,
  findDomain,
  findHolder,
  findPrimary,
  listClaims,
  restoreContest,
  restoreProof,
  setPrimary,
  wasProvenByAnother,
} from './store.ts'

/** Claims that a compromised key made, and proofs that the operator ended. */
export const createWithhold = ({ database, delays, now }: Deps, changes: Changes, { claim, mustWait }: Helpers) => {
  const { record, emailOwner, inTransaction, domainsChanged, proofsChanged } = changes

  /** Ignores the limit on domains: otherwise a thief could prevent a report by adding many. */
  const setPrimaryTo = async (
    tx: Tx,
    { provider_id, actor }: Caller,
    { current, domain }: { current: DomainRow; domain: string },
  ) => {
    await claim(tx, { provider_id, domain, actor })
    await setPrimary(tx, { provider_id, domain })
    await domainsChanged(tx, provider_id)
    await record(tx, current, actor, 'primary', { before: { domain: current.domain }, after: { domain } })
  }

  return {
    /** Blocks what the key added. A domain that it only verified belongs to its owner: it stays and is only reported. */
    async hold(tx: Tx, { provider_id, actor }: Caller, domain: string, isAdded: boolean) {
      const row = await findDomain(tx, { provider_id, domain })
      if (!row) return undefined
      if (!isAdded) return row.verified_at === null ? undefined : { name: domain }
      const kept = keptOf(row, now())
      if (!(await blockDomain(tx, row, { by: 'review', at: now() }))) return undefined
      await proofsChanged(tx, provider_id)
      await record(tx, row, actor, 'blocked', { before: { domain, method: row.method } })
      return { name: domain, kept: JSON.stringify(kept) }
    },

    /**
     * Restores the claim, unless another provider has proven the domain meanwhile. Its proof is stale until it is found again, because it
     * was not checked while the claim was blocked. If another provider had proven the domain in between, it has ended, and a check that
     * finds it begins another proof.
     */
    async putBack(tx: Tx, { provider_id, actor }: Caller, domain: string, kept: string) {
      const row = await findDomain(tx, { provider_id, domain })
      if (!row || !(await allowDomain(tx, row, 'review'))) return
      const at = now()
      const { method, verified_at, checked_at, ...before }: Kept = JSON.parse(kept)
      const { contested_at, contested_by } = before
      const hasChangedHands = row.lost_at !== null && (await wasProvenByAnother(tx, row, { since: row.lost_at }))
      const stale_since = hasChangedHands ? at - staleForMs : (before.stale_since ?? row.lost_at ?? at)
      // The holder of a contested domain is checked after the contest is decided.
      const planned_at = before.due_at ?? at
      if (method !== null && verified_at !== null && !(await findHolder(tx, domain)))
        await restoreProof(tx, row, {
          method,
          verified_at,
          proven_since: verified_at,
          checked_at,
          stale_since,
          due_at: hasChangedHands || before.stale_since == null ? at : planned_at,
        })
      else if (contested_at != null && contested_by != null && at - contested_at < contestEndsMs)
        await restoreContest(tx, row, { contested_at, contested_by, due_at: planned_at })
      await proofsChanged(tx, provider_id)
      await record(tx, row, actor, 'allowed', { after: { domain } })
    },

    /** A primary domain stays, unproven. */
    async endClaim(tx: Tx, { provider_id, actor }: Caller, domain: string) {
      const row = await findDomain(tx, { provider_id, domain })
      if (!row) return
      if (await allowDomain(tx, row, 'review')) await deleteDomain(tx, row)
      else await endProof(tx, row, { at: now() })
      await proofsChanged(tx, provider_id)
      await record(tx, row, actor, 'removed', { before: { domain, method: row.method } })
    },

    /**
     * For a report: restores the earlier primary domain, but in a protected provider only lists it. Otherwise a thief
     * who took over an earlier domain could report the key that left it.
     */
    async holdPrimary(tx: Tx, caller: Caller, earlier: string) {
      const current = await findPrimary(tx, caller.provider_id)
      if (!current || current.domain === earlier) return undefined
      const isListed = await mustWait(tx, current)
      if (!isListed) await setPrimaryTo(tx, caller, { current, domain: earlier })
      return { name: current.domain, kept: JSON.stringify({ domain: isListed ? earlier : current.domain, isListed }) }
    },

    /** For the review: restores the earlier primary domain, in a protected provider after 24 hours. */
    async endHoldPrimary(tx: Tx, asked: Asked & { caller: Caller }, domain: string) {
      const { caller } = asked
      const { provider_id, actor } = caller
      const current = await findPrimary(tx, provider_id)
      if (!current || current.domain === domain) return
      if (!(await mustWait(tx, current))) return setPrimaryTo(tx, caller, { current, domain })
      // The review of the website may have asked for it.
      const waiting = await delays.find(provider_id, 'domains.makePrimary')
      if (waiting && JSON.parse(waiting.params).domain === domain) return
      await claim(tx, { provider_id, domain, actor })
      const wanted = { provider_id, endpoint: 'domains.makePrimary', params: { domain } } as const
      await delays.schedule(tx, { ...wanted, what: { domain } }, asked)
    },

    /**
     * The operator ends a proof, also one that a review could restore, and its provider cannot prove the domain again until
     * `allowByOperator`. Returns whether there was one.
     */
    async endByOperator(domain: string): Promise<boolean> {
      const ended = (await listClaims(database.read, domain)).filter(
        ({ verified_at, blocked_by, lost_at }) => verified_at !== null || (blocked_by === 'review' && lost_at !== null),
      )
      for (const row of ended)
        await inTransaction(row.provider_id, async (tx) => {
          if (!(await blockDomain(tx, row, { by: 'operator', at: now() }))) return
          await proofsChanged(tx, row.provider_id)
          await record(tx, row, 'operator', 'blocked', { before: { domain, method: row.method } })
          await emailOwner(tx, row, 'Your domain is no longer verified', [
            "The registry's operator ended the proof of this domain. You can't verify it again until the operator allows it.",
          ])
        })
      return ended.length > 0
    },

    /** Lifts what `endByOperator` blocked. Returns whether there was anything. */
    async allowByOperator(domain: string): Promise<boolean> {
      const blocked = (await listClaims(database.read, domain)).filter(({ blocked_by }) => blocked_by === 'operator')
      for (const row of blocked)
        await inTransaction(row.provider_id, async (tx) => {
          if (!(await allowDomain(tx, row, 'operator'))) return
          await record(tx, row, 'operator', 'allowed', { after: { domain } })
          await emailOwner(tx, row, 'You can verify your domain again', [
            "The registry's operator now allows you to verify this domain.",
          ])
        })
      return blocked.length > 0
    },
  }
}

/** What a review restores. Reviews from earlier versions kept only the first three. */
type Kept = Pick<DomainRow, 'method' | 'verified_at' | 'checked_at'> &
  Partial<Pick<DomainRow, 'stale_since' | 'due_at' | 'contested_at' | 'contested_by'>>

const keptOf = (row: DomainRow, at: number): Kept => {
  const { method, checked_at, due_at, contested_at, contested_by } = row
  const { verified_at, stale_since } = proofAt(row, at)
  return { method, verified_at, checked_at, stale_since, due_at, contested_at, contested_by }
}

interface Helpers {
  claim: (tx: Tx, claimed: { provider_id: string; domain: string; actor: string }) => Promise<void>
  mustWait: (tx: Tx, current: DomainRow | undefined) => Promise<boolean>
}
