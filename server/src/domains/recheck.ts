import { Refusal } from '@countersign/sdk/contract'
import { staleForMs } from '../db/proofs.ts'
import type { ProofMethod } from '../db/schema.ts'
import type { Changes } from './changes.ts'
import type { Deps } from './deps.ts'
import type { Look } from './look.ts'
import type { Proofs } from './prove.ts'
import { contestEndsMs, nextLookAt, retryAfterMs } from './rules.ts'
import { type DomainRow, endContest, findDomain, listDue, postpone, takeNotice } from './store.ts'
import { isUnknown } from './words.ts'

const batchSize = 20

/** Checks the proofs and contests that are due. */
export const createRecheck = ({ database, now }: Deps, changes: Changes, look: Look, proofs: Proofs) => {
  const { record, emailOwner, recordLines, inTransaction } = changes
  const { renew, lose, becomeStale, settle } = proofs

  const emailEnded = (row: DomainRow) =>
    inTransaction(row.provider_id, async (tx) => {
      if (!(await takeNotice(tx, row))) return
      await record(tx, row, 'registry', 'lost', { before: { domain: row.domain, method: 'email' } })
      await emailOwner(tx, row, 'Verify your domain again', [
        'This domain was proven by an email address, which no longer counts. Prove it with a DNS record or a file on its website.',
        'Until you publish one of them, your links show an unverified provider.',
        ...recordLines(row),
      ])
    })

  const recheckProof = async (row: DomainRow, method: ProofMethod) => {
    const at = now()
    const finding = await look(row, method)
    if (finding === 'verified') return renew(row, method, 'registry')
    if (!isUnknown(finding)) return lose(row, finding, 'registry')
    if (row.stale_since === null) return becomeStale(row)
    const { stale_since } = row
    if (at - stale_since >= staleForMs) return lose(row, finding, 'registry')
    return database.transaction((tx) => postpone(tx, row, nextLookAt({ lost_at: stale_since + staleForMs, at })))
  }

  const recheckContest = async (row: DomainRow, method: ProofMethod, since: number) => {
    const stop = () => database.transaction((tx) => endContest(tx, row))
    const later = () => database.transaction((tx) => postpone(tx, row, now() + retryAfterMs))
    const finding = await look(row, method)
    if (isUnknown(finding)) return now() - since >= contestEndsMs ? stop() : later()
    if (finding !== 'verified') return stop()
    try {
      return (await settle(row, method, 'registry')) === 'verified' ? undefined : later()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return stop()
    }
  }

  const recheck = async (row: DomainRow) => {
    if (row.notice !== null) return emailEnded(row)
    if (row.verified_at !== null && row.method !== null) return recheckProof(row, row.method)
    if (row.contested_at !== null && row.contested_by !== null)
      return recheckContest(row, row.contested_by, row.contested_at)
    return database.transaction((tx) => endContest(tx, row))
  }

  /** Returns what went wrong, if anything did; then it is checked again soon. */
  const recheckOne = async (row: DomainRow): Promise<{ failure: unknown } | undefined> => {
    try {
      await recheck(row)
    } catch (failure) {
      await database.transaction((tx) => postpone(tx, row, now() + retryAfterMs))
      return { failure }
    }
  }

  return {
    /**
     * Checks everything that is due, in concurrent batches: a domain with slow DNS or a failing check delays no other. A batch that
     * another process checked meanwhile is no longer due.
     */
    async recheckDue(signal: AbortSignal) {
      const failures: { failure: unknown }[] = []
      while (!signal.aborted) {
        const due = await listDue(database.read, { at: now(), limit: batchSize })
        failures.push(...(await Promise.all(due.map(recheckOne))).filter((each) => each !== undefined))
        if (due.length < batchSize) break
      }
      if (failures[0]) throw failures[0].failure
    },

    /** Checks a restored proof now, if it is due. If that fails, the job does it. */
    async recheckRestored(provider_id: string, domain: string) {
      const row = await findDomain(database.read, { provider_id, domain })
      if (row && row.due_at !== null && row.due_at <= now()) await recheckOne(row)
    },
  }
}
