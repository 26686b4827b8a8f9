import {
  type Domain,
  type DomainList,
  type DomainProof,
  type DomainVerdict,
  invalidField,
  limits,
  notFound,
  Refusal,
} from '@countersign/sdk/contract'
import { isProtected } from '../db/factors.ts'
import { proofAt } from '../db/proofs.ts'
import type { ProofMethod, Tx } from '../db/schema.ts'
import { timeOf } from '../db/times.ts'
import type { Asked, PerformDelayed } from '../delays/service.ts'
import type { Caller } from '../http/callers.ts'
import { createChanges, proofOf } from './changes.ts'
import type { Deps } from './deps.ts'
import { createLook } from './look.ts'
import { createOrigins } from './origins.ts'
import { createProofs } from './prove.ts'
import { createRecheck } from './recheck.ts'
import {
  compareDomains,
  contestMs,
  domainOfWebsite,
  domainProofOf,
  isReservedName,
  newDomainNonce,
  statusOfProof,
} from './rules.ts'
import {
  type DomainRow,
  deleteDomain,
  endContest,
  findDomain,
  findPrimary,
  insertDomain,
  listDomains,
  mirrorPrimary,
  setPrimary,
  setWebsite,
} from './store.ts'
import { createWithhold } from './withhold.ts'
import { blockedWords, findingWords, isUnknown, primaryWords, type Reason, refusedWords } from './words.ts'

const dayMs = 24 * 3_600_000

export const createDomainService = (deps: Deps) => {
  const { database, events, delays, isDevelopment, now } = deps
  const changes = createChanges(deps)
  const { record, emailOwner, inTransaction, domainsChanged, proofsChanged } = changes
  const look = createLook(deps)
  const proofs = createProofs(deps, changes, look)
  const { lose, settle } = proofs
  const originStanding = createOrigins(deps)

  const mayBeProven = (domain: string) => isDevelopment || !isReservedName(domain)

  const domainOf = (row: DomainRow, next?: { params: string; expires_at: number }): Domain => {
    const proof = proofAt(row, now())
    return {
      domain: row.domain,
      is_primary: row.is_primary === 1,
      becomes_primary_at: next && JSON.parse(next.params).domain === row.domain ? timeOf(next.expires_at) : null,
      status: statusOfProof(proof),
      method: row.method,
      verified_at: timeOf(row.verified_at),
      checked_at: timeOf(row.checked_at),
      stale_since: timeOf(proof.stale_since),
      lost_at: timeOf(row.lost_at ?? proof.lost_at),
      contest_ends_at: row.contested_at === null ? null : timeOf(row.contested_at + contestMs),
      domain_proof: proofOf(row),
      created_at: new Date(row.created_at).toISOString(),
    }
  }

  const readDomain = (text: string, field: string): string => {
    const found = domainOfWebsite(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)
    if ('refusal' in found) throw field === 'website' ? found.refusal : invalidField(field, refusedWords(found.refusal))
    return found.domain
  }

  const getOwn = async (caller: Caller, domain: string): Promise<DomainRow> => {
    const row = await findDomain(database.read, { provider_id: caller.provider_id, domain: domain.toLowerCase() })
    if (!row) throw notFound()
    return row
  }

  const claim = async (
    tx: Tx,
    { provider_id, domain, actor }: { provider_id: string; domain: string; actor: string },
  ) => {
    if (await insertDomain(tx, { provider_id, domain, nonce: newDomainNonce(), created_at: now() }))
      await record(tx, { provider_id }, actor, 'added', { after: { domain } })
  }

  const add = async (tx: Tx, claimed: Parameters<typeof claim>[1]) => {
    const own = await listDomains(tx, claimed.provider_id)
    if (own.length >= limits.domains && !own.some(({ domain }) => domain === claimed.domain))
      throw invalidField('domain', `At most ${limits.domains} domains. Remove one you don’t need.`)
    await claim(tx, claimed)
  }

  const verify = async (caller: Caller, row: DomainRow, method: ProofMethod): Promise<DomainVerdict> => {
    const { domain } = row
    const answer = (
      result: DomainVerdict['result'],
      reason: Reason | null,
      current: DomainRow | undefined,
      consequence = '',
    ): DomainVerdict => ({
      result,
      reason,
      domain,
      domain_verified: current !== undefined && statusOfProof(proofAt(current, now())) === 'proven',
      domain_verification_method: current?.method ?? null,
      domain_proof: proofOf(row),
      detail: findingWords[reason ?? 'verified'](proofOf(row), method) + consequence,
    })
    const current = () => findDomain(database.read, row)
    if (!mayBeProven(domain)) return answer('not_verified', 'reserved_name', row)
    if (row.blocked_by !== null) return answer('not_verified', 'claim_blocked', row)
    const finding = await look(row, method)
    if (finding === 'verified') {
      const outcome = await settle(row, method, caller.actor)
      if (outcome === 'waiting_period') return answer('not_verified', outcome, await current())
      const after = await current()
      if (after?.nonce === row.nonce && after.method === method) return answer('verified', null, after)
      // The domain was removed or lost while the proof was read.
      return answer(
        'not_verified',
        method === 'dns' ? 'record_differs' : 'file_differs',
        after,
        'It changed in the meantime. Check again.',
      )
    }
    if (isUnknown(finding)) return answer('unknown', finding, row)
    const isEnded = row.verified_at !== null && (row.method === method || finding === 'policy_excludes')
    if (isEnded) await lose(row, finding, caller.actor)
    else if (row.contested_by === method) await database.transaction((tx) => endContest(tx, row))
    return answer('not_verified', finding, await current(), isEnded ? ` ${domain} is no longer verified.` : '')
  }

  /** The identity of a protected provider changes after 24 hours, so that every owner can cancel it. Reporting a key ends a proof and must not shorten that. */
  const mustWait = async (tx: Tx, before: DomainRow | undefined) =>
    before !== undefined &&
    (before.verified_at !== null || (before.lost_at !== null && now() - before.lost_at < dayMs)) &&
    (await isProtected(tx, before.provider_id, now()))

  const applyPrimary = async (tx: Tx, target: DomainRow, before: DomainRow | undefined, actor: string) => {
    await setPrimary(tx, target)
    await domainsChanged(tx, target.provider_id)
    await record(tx, target, actor, 'primary', {
      before: { domain: before?.domain ?? null },
      after: { domain: target.domain },
    })
    await emailOwner(tx, target, 'Your primary domain was changed', [
      `This is your primary domain now. ${primaryWords.proven}`,
    ])
  }

  const move = async (
    tx: Tx,
    { provider_id, website, actor }: { provider_id: string; website: string; actor: string },
  ): Promise<boolean> => {
    const domain = readDomain(website, 'website')
    const at = now()
    await setWebsite(tx, { id: provider_id, website, at })
    const before = await findPrimary(tx, provider_id)
    if (before?.domain === domain) return false
    if (before) await add(tx, { provider_id, domain, actor })
    else await insertDomain(tx, { provider_id, domain, nonce: newDomainNonce(), created_at: at })
    await setPrimary(tx, { provider_id, domain })
    // A domain that was never proven is removed with the website that named it.
    if (before && before.verified_at === null) await deleteDomain(tx, before)
    await mirrorPrimary(tx, provider_id, at)
    if (!before) return true
    await record(tx, { provider_id }, actor, 'primary', { before: { domain: before.domain }, after: { domain } })
    const after = await findDomain(tx, { provider_id, domain })
    const status = after ? statusOfProof(proofAt(after, at)) : 'unproven'
    await emailOwner(tx, { provider_id, domain }, 'Your primary domain was changed', [
      `Your website was changed, and this is your primary domain now. ${primaryWords[status]}`,
    ])
    return true
  }

  /** Carries out a delayed `makePrimary` or change of website, 24 hours later. */
  const finishPrimary: PerformDelayed = async (
    tx,
    { provider_id, actor, params: { domain = '' }, body: { website } },
  ) => {
    if (typeof website === 'string') {
      await move(tx, { provider_id, website, actor })
      await events.record(tx, {
        provider_id,
        actor,
        action: 'provider.updated',
        subject: ['provider', provider_id],
        after: { website },
      })
      await proofsChanged(tx, provider_id)
      return true
    }
    const [target, before] = [await findDomain(tx, { provider_id, domain }), await findPrimary(tx, provider_id)]
    if (!target || statusOfProof(proofAt(target, now())) !== 'proven') return false
    if (before?.domain !== domain) await applyPrimary(tx, target, before, actor)
    return true
  }

  return {
    compare: compareDomains,
    finishPrimary,

    /** What a provider publishes for its primary domain; null if it has none. */
    proofOf: ({
      id,
      domain,
      domain_nonce,
    }: {
      id: string
      domain: string | null
      domain_nonce: string
    }): DomainProof | null => (domain === null ? null : domainProofOf({ id, domain, nonce: domain_nonce })),

    /** Throws the form's error if a website has no domain that can be proven. */
    checkWebsite: (website: string): void => {
      readDomain(website, 'website')
    },

    originStanding,

    /**
     * Sets the website, and its domain as the primary one. A previously proven domain stays, so that links minted under it stay valid.
     * Returns whether the primary domain changed. The caller writes other columns as well, and then updates the listing.
     */
    move,

    /** When the website and the primary domain change, if they must wait. Until then the domain can be proven already. */
    async moveLater(
      tx: Tx,
      { provider_id, website }: { provider_id: string; website: string },
      asked: Asked,
    ): Promise<string | undefined> {
      const domain = readDomain(website, 'website')
      const before = await findPrimary(tx, provider_id)
      if (before?.domain === domain || !(await mustWait(tx, before))) return undefined
      await add(tx, { provider_id, domain, actor: asked.caller.actor })
      const { takes_effect_at } = await delays.schedule(
        tx,
        {
          provider_id,
          endpoint: 'domains.makePrimary',
          params: { domain },
          body: { website },
          what: { domain },
        },
        asked,
      )
      return takes_effect_at
    },

    async list(caller: Caller): Promise<DomainList> {
      const { provider_id } = caller
      const [rows, next] = await Promise.all([
        listDomains(database.read, provider_id),
        delays.find(provider_id, 'domains.makePrimary'),
      ])
      return { domains: rows.map((row) => domainOf(row, next)) }
    },

    async add(caller: Caller, text: string): Promise<Domain> {
      const { provider_id, actor } = caller
      const domain = readDomain(text, 'domain')
      await inTransaction(provider_id, async (tx) => {
        await add(tx, { provider_id, domain, actor })
        if (await findPrimary(tx, provider_id)) return
        await setPrimary(tx, { provider_id, domain })
        await domainsChanged(tx, provider_id)
      })
      return domainOf(await getOwn(caller, domain))
    },

    /** Checks the proof now. A missing proof is lost at once; if it could not be read, nothing changes. */
    async verify(caller: Caller, domain: string, method: ProofMethod): Promise<DomainVerdict> {
      return verify(caller, await getOwn(caller, domain), method)
    },

    async verifyPrimary(caller: Caller, method: ProofMethod): Promise<DomainVerdict> {
      const row = await findPrimary(database.read, caller.provider_id)
      if (!row) throw new Refusal('validation_failed', 'Set a website or add a domain first.')
      return verify(caller, row, method)
    },

    async remove(caller: Caller, domain: string): Promise<Domain> {
      const row = await getOwn(caller, domain)
      if (row.blocked_by !== null) throw new Refusal('claim_blocked', blockedWords[row.blocked_by])
      await inTransaction(row.provider_id, async (tx) => {
        if (!(await deleteDomain(tx, row))) throw new Refusal('domain_is_primary', 'Make another domain primary first.')
        await proofsChanged(tx, row.provider_id)
        await record(tx, row, caller.actor, 'removed', { before: { domain: row.domain, method: row.method } })
        if (row.verified_at !== null)
          await emailOwner(tx, row, 'A domain was removed', [
            'This domain was removed from your account. Links minted under it are no longer verified.',
          ])
      })
      return { ...domainOf(row), status: 'unproven' }
    },

    async makePrimary(caller: Caller, domain: string, visitor: Asked['visitor']): Promise<Domain> {
      const row = await getOwn(caller, domain)
      const { provider_id } = row
      await inTransaction(row.provider_id, async (tx) => {
        const [target, before] = [await findDomain(tx, row), await findPrimary(tx, row.provider_id)]
        if (!target) throw notFound()
        if (before?.domain === target.domain) return
        if (statusOfProof(proofAt(target, now())) !== 'proven')
          throw new Refusal('domain_not_proven', `Prove ${target.domain} first.`)
        if (!(await mustWait(tx, before))) return applyPrimary(tx, target, before, caller.actor)
        const wanted = { provider_id, endpoint: 'domains.makePrimary', params: { domain: target.domain } } as const
        await delays.schedule(tx, { ...wanted, what: { domain: target.domain } }, { caller, visitor })
      })
      return domainOf(await getOwn(caller, domain), await delays.find(provider_id, 'domains.makePrimary'))
    },

    ...createWithhold(deps, changes, { claim, mustWait }),

    ...createRecheck(deps, changes, look, proofs),
  }
}

export type DomainService = ReturnType<typeof createDomainService>
