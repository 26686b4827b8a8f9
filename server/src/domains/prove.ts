import { proofAt, recheckAfterMs, staleForMs } from '../db/proofs.ts'
import { failureOf } from '../db/retry.ts'
import type { ProofMethod, Tx } from '../db/schema.ts'
import { settleTies } from '../db/signer-ties.ts'
import type { Changes } from './changes.ts'
import type { Deps } from './deps.ts'
import type { Look } from './look.ts'
import { contestMs, nextLookAt, retryAfterMs } from './rules.ts'
import {
  beginContest,
  confirmProof,
  type DomainRow,
  endContest,
  endProof,
  findHolder,
  markProven,
  markStale,
} from './store.ts'
import { domainTaken, type Finding, lossWords } from './words.ts'

/** Gaining, confirming and losing a proof. */
export const createProofs = ({ database, now }: Deps, changes: Changes, look: Look) => {
  const { record, emailOwner, recordLines, inTransaction, domainsChanged, proofsChanged } = changes

  /** Also if no job noticed that it was not confirmed for too long. */
  const isLost = (row: DomainRow) => proofAt(row, now()).lost_at !== null

  const displace = async (tx: Tx, rival: DomainRow, winner: DomainRow) => {
    const { domain, method } = rival
    const ended = await endProof(tx, rival, { at: now() })
    // It was confirmed after this check.
    if (!ended) throw domainTaken(domain)
    await proofsChanged(tx, rival.provider_id)
    await record(tx, rival, 'registry', 'displaced', { before: { domain, method } })
    await emailOwner(tx, rival, 'Another account has taken over your domain', [
      'Your proof of this domain could not be confirmed, and another account has proven the domain in two checks an hour apart.',
      'Your links now show an unverified provider. If the domain is yours, check who can change its DNS.',
      ...recordLines(rival),
    ])
    await emailOwner(tx, winner, 'You have taken over a domain', [
      'Another account had proven this domain before you. Its proof could not be confirmed.',
      'If you don’t know that account, check who can change your DNS and your website.',
    ])
  }

  /** Writes a fresh proof. Races are settled by the constraint. */
  const prove = (row: DomainRow, method: ProofMethod, actor: string, rival?: DomainRow) => {
    const { provider_id, domain } = row
    const work = async (tx: Tx) => {
      const at = now()
      if (rival) await displace(tx, rival, row)
      const since = isLost(row) ? at : (row.proven_since ?? at)
      if (!(await markProven(tx, row, { method, at, due_at: at + recheckAfterMs, since }))) return
      await proofsChanged(tx, provider_id)
      await record(tx, row, actor, 'verified', { after: { domain, method } })
      await emailOwner(tx, row, 'Your domain is verified', [
        method === 'dns' ? 'The DNS record was found.' : 'The file on your website was found.',
        "Leave it in place: we check it every day and email you if we can't find it.",
      ])
    }
    return inTransaction(provider_id, work).catch((error) => {
      throw failureOf(error) === 'unique' ? domainTaken(domain, error) : error
    })
  }

  /** The current proof was found again. */
  const confirm = (row: DomainRow, method: ProofMethod, actor: string) =>
    inTransaction(row.provider_id, async (tx) => {
      const at = now()
      const confirmed = await confirmProof(tx, row, { method, at, due_at: at + recheckAfterMs })
      if (!confirmed) return
      await domainsChanged(tx, row.provider_id)
      if (row.stale_since === null) return
      await settleTies(tx, { provider_id: row.provider_id, at })
      await record(tx, row, actor, 'verified', { after: { domain: row.domain, method } })
      await emailOwner(tx, row, 'Your domain is verified again', ['We could check the proof of this domain again.'])
    })

  /** A proven domain was found again. If its proof had ended meanwhile, even if no job noticed, a new one begins. */
  const renew = (row: DomainRow, method: ProofMethod, actor: string) =>
    isLost(row) ? prove(row, method, actor) : confirm(row, method, actor)

  const lose = (row: DomainRow, why: Finding, actor: string) =>
    inTransaction(row.provider_id, async (tx) => {
      const { domain, method } = row
      const at = now()
      if (!(await endProof(tx, row, { at }))) return
      await proofsChanged(tx, row.provider_id)
      await record(tx, row, actor, 'lost', { before: { domain, method }, after: { reason: why } })
      await emailOwner(tx, row, 'Your domain is no longer verified', [
        lossWords(why, method),
        'Your links for this domain now show an unverified provider.',
        ...(why === 'policy_excludes' ? [] : recordLines(row)),
      ])
    })

  const setStale = async (tx: Tx, row: DomainRow, { due_at }: { due_at: number }): Promise<boolean> => {
    const { domain, method } = row
    if (!(await markStale(tx, row, { at: now(), due_at }))) return false
    await proofsChanged(tx, row.provider_id)
    await record(tx, row, 'registry', 'stale', { after: { domain, method } })
    return true
  }

  const becomeStale = (row: DomainRow) =>
    inTransaction(row.provider_id, async (tx) => {
      const { method } = row
      const at = now()
      if (!(await setStale(tx, row, { due_at: nextLookAt({ lost_at: at + staleForMs, at }) }))) return
      await emailOwner(tx, row, 'Your domain could not be checked', [
        method === 'dns'
          ? 'The DNS record that proves this domain could not be read, or the resolvers we ask disagree.'
          : 'The file that proves this domain could not be read.',
        'Your links are shown in amber until it can be read again. We keep trying for 72 hours; after that the proof is lost.',
      ])
    })

  /**
   * Another provider has proven the domain and keeps it while its proof is found. Otherwise the domain goes to the provider that holds it
   * in two checks an hour apart, so that a hijack of minutes gains nothing. In that hour it counts as proven for neither. A file never
   * takes a domain from a DNS record.
   */
  const contest = async (
    row: DomainRow,
    rival: DomainRow,
    method: ProofMethod,
    actor: string,
  ): Promise<'verified' | 'waiting_period'> => {
    const { domain } = row
    const isOutranked = method === 'file' && rival.method === 'dns'
    const finding = isOutranked || rival.method === null ? null : await look(rival, rival.method)
    if (finding === null || finding === 'verified') {
      if (finding === 'verified' && rival.method !== null) await renew(rival, rival.method, 'registry')
      if (row.contested_at !== null) await database.transaction((tx) => endContest(tx, row))
      throw domainTaken(domain)
    }
    const at = now()
    if (row.contested_at !== null && row.contested_by === method) {
      if (at - row.contested_at < contestMs) return 'waiting_period'
      await prove(row, method, actor, rival)
      return 'verified'
    }
    // The holder is checked again after the contest is decided.
    const due_at = at + contestMs + retryAfterMs
    await inTransaction(rival.provider_id, (tx) => setStale(tx, rival, { due_at }))
    await inTransaction(row.provider_id, async (tx) => {
      if (!(await beginContest(tx, row, { method, at, due_at: at + contestMs }))) return
      await record(tx, rival, 'registry', 'contested', { after: { domain } })
      await emailOwner(tx, rival, 'Another account claims your domain', [
        'Another account has published a proof of this domain, and yours could not be confirmed just now.',
        'Your links are shown in amber until it is found again. If it is still missing in an hour, the other account takes the domain over.',
        ...recordLines(rival),
      ])
    })
    return 'waiting_period'
  }

  /** What follows from a check that found the proof. */
  const settle = async (row: DomainRow, method: ProofMethod, actor: string): Promise<'verified' | 'waiting_period'> => {
    if (row.verified_at !== null && row.method === method && !isLost(row)) {
      await confirm(row, method, actor)
      return 'verified'
    }
    const holder = await findHolder(database.read, row.domain)
    if (holder && holder.provider_id !== row.provider_id) return contest(row, holder, method, actor)
    await prove(row, method, actor)
    return 'verified'
  }

  return { renew, lose, becomeStale, settle }
}

export type Proofs = ReturnType<typeof createProofs>
