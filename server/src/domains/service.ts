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
import type { Database } from '../db/engine.ts'
import { lockProvider } from '../db/lock.ts'
import { proofAt, recheckAfterMs, staleForMs } from '../db/proofs.ts'
import { failureOf } from '../db/retry.ts'
import type { ProofMethod, Tx } from '../db/schema.ts'
import { settleTies } from '../db/signer-ties.ts'
import { timeOf } from '../db/times.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { MailLine, MailService } from '../mail/service.ts'
import type { ResolveTxt } from '../outbound/dns.ts'
import type { ReadDomainFile } from '../outbound/domain-file.ts'
import type { Listings } from '../search/listings.ts'
import {
  agreeOn,
  compareDomains,
  contestEndsMs,
  contestMs,
  domainOfWebsite,
  domainProofOf,
  evaluateFile,
  evaluateTxt,
  isAllowedByPolicy,
  isAtOrBelow,
  isOriginGranted,
  isReservedName,
  loopbackHost,
  newDomainNonce,
  nextLookAt,
  retryAfterMs,
  statusOfProof,
} from './rules.ts'
import {
  allowDomain,
  beginContest,
  blockDomain,
  confirmProof,
  type DomainRow,
  deleteDomain,
  endContest,
  endProof,
  findDomain,
  findHolder,
  findPrimary,
  insertDomain,
  listClaims,
  listDomains,
  listDue,
  listProvenDomains,
  markProven,
  markStale,
  mirrorPrimary,
  postpone,
  restoreProof,
  setPrimary,
  setWebsite,
  takeNotice,
} from './store.ts'

interface Deps {
  database: Database
  events: EventRecorder
  mail: Pick<MailService, 'alert'>
  listings: Pick<Listings, 'providerChanged'>
  resolveTxt: ResolveTxt
  readDomainFile: ReadDomainFile
  /** Names such as acme.example may be proven, and origins on this machine named: only while the registry itself is on loopback. */
  isDevelopment: boolean
  now: () => number
}

type Reason = NonNullable<DomainVerdict['reason']>
/** What checking a proof finds. */
type Finding = 'verified' | Exclude<Reason, 'waiting_period' | 'claim_blocked'>

const unknowns = new Set<string>(['dns_unavailable', 'resolvers_disagree', 'website_unavailable'])
const isUnknown = (finding: string) => unknowns.has(finding)

/** The registry's decision on an origin that a provider names: its own, granted by the domain's owner, neither, or unknown for now. */
export type OriginStanding = 'own' | 'granted' | 'foreign' | 'unknown'

const batchSize = 20
const originCacheMs = 60_000
const maxCachedOrigins = 2_000

export const createDomainService = (needs: Deps) => {
  const { database, events, mail, listings, resolveTxt, readDomainFile, isDevelopment, now } = needs

  const proofOf = ({ provider_id, domain, nonce }: Pick<DomainRow, 'provider_id' | 'domain' | 'nonce'>): DomainProof =>
    domainProofOf({ id: provider_id, domain, nonce })

  const mayBeProven = (domain: string) => isDevelopment || !isReservedName(domain)

  /* ---- looking up proofs ---- */

  const lookAtRecord = async (provider_id: string, proof: DomainProof, method: ProofMethod): Promise<Finding> => {
    const answers = await resolveTxt(proof.record_name)
    const policy = agreeOn(
      answers,
      ({ records }) => (isAllowedByPolicy(records, provider_id) ? 'allowed' : 'policy_excludes'),
      (verdict) => verdict === 'allowed',
    )
    if (policy !== 'allowed' || method === 'file') return policy === 'allowed' ? 'verified' : policy
    return agreeOn(
      answers,
      ({ isAlias, records }) => (isAlias ? 'name_is_alias' : evaluateTxt(records, proof)),
      (verdict) => verdict === 'verified',
    )
  }

  const lookAtFile = async (proof: DomainProof): Promise<Finding> => {
    const alias = agreeOn(
      await resolveTxt(proof.domain),
      ({ isAlias }) => (isAlias ? 'name_is_alias' : 'verified'),
      (verdict) => verdict === 'verified',
    )
    if (alias !== 'verified') return alias
    const text = await readDomainFile(proof.file_url)
    return text === undefined ? 'website_unavailable' : evaluateFile(text, proof)
  }

  /** Reads the proof and the owner's policy. */
  const look = async (row: DomainRow, method: ProofMethod): Promise<Finding> => {
    const proof = proofOf(row)
    const record = await lookAtRecord(row.provider_id, proof, method)
    return record === 'verified' && method === 'file' ? lookAtFile(proof) : record
  }

  /* ---- emails ---- */

  type Action =
    | 'verified'
    | 'lost'
    | 'stale'
    | 'displaced'
    | 'contested'
    | 'added'
    | 'removed'
    | 'primary'
    | 'blocked'
    | 'allowed'

  const record = (
    tx: Tx,
    { provider_id }: Pick<DomainRow, 'provider_id'>,
    actor: string,
    action: Action,
    change: { before?: Record<string, unknown>; after?: Record<string, unknown> },
  ) =>
    events.record(tx, { provider_id, actor, action: `domain.${action}`, subject: ['provider', provider_id], ...change })

  const emailOwner = (
    tx: Tx,
    { provider_id, domain }: Pick<DomainRow, 'provider_id' | 'domain'>,
    subject: string,
    lines: readonly MailLine[],
  ) => mail.alert(tx, provider_id, { subject, lines: [{ code: domain }, ...lines], section: 'domains' })

  const recordLines = (row: DomainRow): readonly MailLine[] => {
    const { record_name, record_value } = proofOf(row)
    return ['Publish this DNS record, then verify the domain:', { code: `${record_name} TXT "${record_value}"` }]
  }

  const inTransaction = <T>(provider_id: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
    database.transaction(async (tx) => {
      await lockProvider(database, tx, provider_id)
      return work(tx)
    })

  /* ---- proving and losing ---- */

  /** After any change to the domains of a provider. */
  const domainsChanged = async (tx: Tx, provider_id: string) => {
    await mirrorPrimary(tx, provider_id, now())
    await listings.providerChanged(tx, provider_id)
  }

  /** Signers with a mailbox at a domain are the provider's own while it is proven. */
  const proofsChanged = async (tx: Tx, provider_id: string) => {
    await domainsChanged(tx, provider_id)
    await settleTies(tx, { provider_id, at: now() })
  }

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
      if (!(await markProven(tx, row, { method, at, due_at: at + recheckAfterMs }))) return
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

  const becomeStale = (row: DomainRow) =>
    inTransaction(row.provider_id, async (tx) => {
      const { domain, method } = row
      const at = now()
      if (!(await markStale(tx, row, { at, due_at: nextLookAt({ lost_at: at + staleForMs, at }) }))) return
      await proofsChanged(tx, row.provider_id)
      await record(tx, row, 'registry', 'stale', { after: { domain, method } })
      await emailOwner(tx, row, 'Your domain could not be checked', [
        method === 'dns'
          ? 'The DNS record that proves this domain could not be read, or the resolvers we ask disagree.'
          : 'The file that proves this domain could not be read.',
        'Your links are shown in amber until it can be read again. We keep trying for 72 hours; after that the proof is lost.',
      ])
    })

  /**
   * Another provider has proven the domain and keeps it while its proof is found. Otherwise the domain goes to the provider that holds it
   * in two checks an hour apart, so that a hijack of minutes gains nothing. A file never takes a domain from a DNS record.
   */
  const contest = async (
    row: DomainRow,
    rival: DomainRow,
    method: ProofMethod,
    actor: string,
  ): Promise<'verified' | 'waiting_period'> => {
    const { domain } = row
    const isOutranked = method === 'file' && rival.method === 'dns'
    if (isOutranked || rival.method === null || (await look(rival, rival.method)) === 'verified') {
      if (row.contested_at !== null) await database.transaction((tx) => endContest(tx, row))
      throw domainTaken(domain)
    }
    const at = now()
    if (row.contested_at !== null && row.contested_by === method) {
      if (at - row.contested_at < contestMs) return 'waiting_period'
      await prove(row, method, actor, rival)
      return 'verified'
    }
    await inTransaction(row.provider_id, async (tx) => {
      if (!(await beginContest(tx, row, { method, at, due_at: at + contestMs }))) return
      await record(tx, rival, 'registry', 'contested', { after: { domain } })
      await emailOwner(tx, rival, 'Another account claims your domain', [
        'Another account has published a proof of this domain, and yours could not be confirmed just now.',
        'If yours is still missing in an hour, the other account takes the domain over.',
        ...recordLines(rival),
      ])
    })
    return 'waiting_period'
  }

  /** What follows from a check that found the proof. */
  const settle = async (row: DomainRow, method: ProofMethod, actor: string): Promise<'verified' | 'waiting_period'> => {
    if (row.verified_at !== null && row.method === method) {
      await confirm(row, method, actor)
      return 'verified'
    }
    const holder = await findHolder(database.read, row.domain)
    if (holder && holder.provider_id !== row.provider_id) return contest(row, holder, method, actor)
    await prove(row, method, actor)
    return 'verified'
  }

  /* ---- background checks ---- */

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
    if (finding === 'verified') return confirm(row, method, 'registry')
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

  /* ---- the domains of a provider ---- */

  const domainOf = (row: DomainRow): Domain => {
    const proof = proofAt(row, now())
    return {
      domain: row.domain,
      is_primary: row.is_primary === 1,
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
      held: DomainRow | undefined,
      consequence = '',
    ): DomainVerdict => ({
      result,
      reason,
      domain,
      domain_verified: held !== undefined && statusOfProof(proofAt(held, now())) === 'proven',
      domain_verification_method: held?.method ?? null,
      domain_proof: proofOf(row),
      detail: findingWords[reason ?? 'verified'](proofOf(row), method) + consequence,
    })
    const held = () => findDomain(database.read, row)
    if (!mayBeProven(domain)) return answer('not_verified', 'reserved_name', row)
    if (row.blocked_by !== null) return answer('not_verified', 'claim_blocked', row)
    const finding = await look(row, method)
    if (finding === 'verified') {
      const outcome = await settle(row, method, caller.actor)
      if (outcome === 'waiting_period') return answer('not_verified', outcome, await held())
      const after = await held()
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
    return answer('not_verified', finding, await held(), isEnded ? ` ${domain} is no longer verified.` : '')
  }

  /* ---- origins ---- */

  const grants = new Map<string, { standing: Exclude<OriginStanding, 'own'>; until: number }>()

  const readGrant = async (name: string, provider_id: string): Promise<Exclude<OriginStanding, 'own'>> => {
    const verdict = agreeOn(
      await resolveTxt(`_countersign.${name}`),
      ({ isAlias, records }) => (!isAlias && isOriginGranted(records, provider_id) ? 'granted' : 'foreign'),
      (each) => each === 'granted',
    )
    return isUnknown(verdict) ? 'unknown' : (verdict as 'granted' | 'foreign')
  }

  /** Queried at the host itself and at its registrable domain. Cached for a minute, so that minting does not wait for DNS each time. */
  const findGrant = async (host: string, provider_id: string): Promise<Exclude<OriginStanding, 'own'>> => {
    const key = `${provider_id} ${host}`
    const known = grants.get(key)
    if (known && known.until > now()) return known.standing
    const found = domainOfWebsite(`https://${host}`)
    const names = 'domain' in found ? [...new Set([host, found.domain])] : []
    const standings = await Promise.all(names.map((name) => readGrant(name, provider_id)))
    const standing = standings.includes('granted') ? 'granted' : standings.includes('unknown') ? 'unknown' : 'foreign'
    if (grants.size >= maxCachedOrigins) grants.clear()
    if (standing !== 'unknown') grants.set(key, { standing, until: now() + originCacheMs })
    return standing
  }

  return {
    compare: compareDomains,

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

    /**
     * Decides about an origin: `own` at or below a domain that the provider has proven, `granted` at a domain whose owner names the
     * provider in `countersign-origin`, `unknown` if DNS did not answer. `at` is the own domain.
     */
    async originStanding(
      provider_id: string,
      origin: string,
    ): Promise<{ standing: OriginStanding; at: string | null }> {
      const url = URL.parse(origin)
      // `https://.acme.example` and `https://a..acme.example` name no host.
      if (!url || /^\.|\.\./.test(url.hostname)) return { standing: 'foreign', at: null }
      if (isDevelopment && loopbackHost.test(url.hostname)) return { standing: 'own', at: null }
      if (url.protocol !== 'https:') return { standing: 'foreign', at: null }
      const host = url.hostname.replace(/\.$/, '')
      const own = await listProvenDomains(database.read, provider_id, now())
      const at = own.find((domain) => isAtOrBelow(host, domain)) ?? null
      return { standing: at === null ? await findGrant(host, provider_id) : 'own', at }
    },

    /**
     * Sets the website, and its domain as the primary one. A previously proven domain stays, so that links minted under it stay valid.
     * Returns whether the primary domain changed. The caller writes other columns as well, and then updates the listing.
     */
    async move(
      tx: Tx,
      { provider_id, website, actor }: { provider_id: string; website: string; actor: string },
    ): Promise<boolean> {
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
      await emailOwner(tx, { provider_id, domain }, 'Your primary domain was changed', [
        'Your website was changed, and this is your primary domain now. Pages and new links show it.',
      ])
      return true
    },

    async list(caller: Caller): Promise<DomainList> {
      return { domains: (await listDomains(database.read, caller.provider_id)).map(domainOf) }
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

    async makePrimary(caller: Caller, domain: string): Promise<Domain> {
      const row = await getOwn(caller, domain)
      await inTransaction(row.provider_id, async (tx) => {
        const [target, before] = [await findDomain(tx, row), await findPrimary(tx, row.provider_id)]
        if (!target) throw notFound()
        if (before?.domain === target.domain) return
        if (statusOfProof(proofAt(target, now())) !== 'proven')
          throw new Refusal('domain_not_proven', `Prove ${target.domain} first.`)
        await setPrimary(tx, target)
        await domainsChanged(tx, target.provider_id)
        await record(tx, target, caller.actor, 'primary', {
          before: { domain: before?.domain ?? null },
          after: { domain: target.domain },
        })
        await emailOwner(tx, target, 'Your primary domain was changed', [
          'This is your primary domain now. Pages and new links show it.',
        ])
      })
      return domainOf(await getOwn(caller, domain))
    },

    /* ---- what a compromised key did ---- */

    /** Blocks what the key added. A domain that it only verified belongs to its owner: it stays and is only reported. */
    async hold(tx: Tx, { provider_id, actor }: Caller, domain: string, isAdded: boolean) {
      const row = await findDomain(tx, { provider_id, domain })
      if (!row) return undefined
      if (!isAdded) return row.verified_at === null ? undefined : { name: domain }
      const { method, verified_at, checked_at } = row
      if (!(await blockDomain(tx, row, { by: 'review', at: now() }))) return undefined
      await proofsChanged(tx, provider_id)
      await record(tx, row, actor, 'blocked', { before: { domain, method } })
      return { name: domain, held: JSON.stringify({ method, verified_at, checked_at }) }
    },

    /** Restores the claim, unless another provider has proven the domain meanwhile. */
    async putBack(tx: Tx, { provider_id, actor }: Caller, domain: string, held: string) {
      const row = await findDomain(tx, { provider_id, domain })
      if (!row || !(await allowDomain(tx, row, 'review'))) return
      const { method, verified_at, checked_at }: Pick<DomainRow, 'method' | 'verified_at' | 'checked_at'> =
        JSON.parse(held)
      if (method !== null && verified_at !== null && !(await findHolder(tx, domain)))
        await restoreProof(tx, row, { method, verified_at, checked_at, at: now() })
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
     * Returns the previous primary domain; undefined if nothing changes. Ignores the limit on domains: otherwise a thief could prevent a
     * report by adding many.
     */
    async putPrimaryBack(tx: Tx, { provider_id, actor }: Caller, domain: string) {
      const current = await findPrimary(tx, provider_id)
      if (!current || current.domain === domain) return undefined
      await claim(tx, { provider_id, domain, actor })
      await setPrimary(tx, { provider_id, domain })
      await domainsChanged(tx, provider_id)
      await record(tx, current, actor, 'primary', { before: { domain: current.domain }, after: { domain } })
      return { name: current.domain, held: current.domain }
    },

    /**
     * The operator ends a proof, and its provider cannot prove the domain again until `allowByOperator`. Returns whether there was one.
     */
    async endByOperator(domain: string): Promise<boolean> {
      const row = await findHolder(database.read, domain)
      if (!row) return false
      await inTransaction(row.provider_id, async (tx) => {
        if (!(await blockDomain(tx, row, { by: 'operator', at: now() }))) return
        await proofsChanged(tx, row.provider_id)
        await record(tx, row, 'operator', 'blocked', { before: { domain, method: row.method } })
        await emailOwner(tx, row, 'Your domain is no longer verified', [
          "The registry's operator ended the proof of this domain. You can't verify it again until the operator allows it.",
        ])
      })
      return true
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

    /**
     * Checks everything that is due, in concurrent batches: a domain with slow DNS or a failing check delays no other. A batch that
     * another process checked meanwhile is no longer due.
     */
    async recheckDue(signal: AbortSignal) {
      const failures: unknown[] = []
      const recheckOne = async (row: DomainRow) => {
        try {
          await recheck(row)
        } catch (error) {
          failures.push(error)
          await database.transaction((tx) => postpone(tx, row, now() + retryAfterMs))
        }
      }
      while (!signal.aborted) {
        const due = await listDue(database.read, { at: now(), limit: batchSize })
        await Promise.all(due.map(recheckOne))
        if (due.length < batchSize) break
      }
      if (failures.length > 0) throw failures[0]
    },
  }
}

const domainTaken = (domain: string, cause?: unknown) =>
  new Refusal('domain_taken', `Another provider has proven ${domain}.`, {}, { cause })

/** The message of a website error, for a field of another name. */
const refusedWords = ({ message }: Refusal) => message.replace(/^website: /, '')

const blockedWords = {
  operator: "The registry's operator has blocked this claim. Ask them to allow it.",
  review:
    'A compromised key added this domain. Confirm or withdraw that change first, under API keys in your settings.',
} as const

const lossWords = (why: Finding, method: ProofMethod | null): string => {
  if (why === 'policy_excludes') return 'A policy record at this domain says that your account may not claim it.'
  if (why === 'name_is_alias') return 'The name that proved this domain is now an alias (CNAME) for another name.'
  if (isUnknown(why)) return 'The proof of this domain could not be read for 72 hours.'
  return method === 'file'
    ? 'The file that proved this domain is gone or has different content.'
    : 'The DNS record that proved this domain is gone or has a different value.'
}

const findingWords = {
  verified: ({ domain, record_name, file_url }, method) =>
    `${domain} is verified. Your ${method === 'dns' ? `TXT record was found at ${record_name}` : `file was found at ${file_url}`}.`,
  record_not_found: ({ record_name }) =>
    `There is no Countersign record at ${record_name}. A new record can take a few minutes to appear.`,
  record_differs: ({ record_name }) => `The record at ${record_name} belongs to another provider or has a wrong value.`,
  name_is_alias: ({ domain, record_name }, method) =>
    `${method === 'dns' ? record_name : domain} is an alias (CNAME) for another name, which proves nothing.`,
  policy_excludes: ({ domain, record_name }) =>
    `The owner of ${domain} published a policy at ${record_name} that does not allow this account.`,
  reserved_name: ({ domain }) => `${domain} is a reserved name that can’t be owned.`,
  claim_blocked: ({ domain }) =>
    `The claim to ${domain} is blocked, by the registry's operator or because a compromised key made it. It cannot be verified until they allow it or you confirm the change.`,
  waiting_period: ({ domain }) =>
    `Another provider has proven ${domain}, but we could not confirm that proof now. Keep yours published: we check again in an hour, and if yours is still the only one, the domain is yours.`,
  dns_unavailable: ({ record_name }) => `DNS did not answer for ${record_name}.`,
  resolvers_disagree: ({ record_name }) =>
    `The DNS resolvers we ask disagree about ${record_name}. A new record can take a few minutes to appear everywhere.`,
  file_not_found: ({ file_url }) => `There is no file at ${file_url}. Redirects are not followed.`,
  file_differs: ({ file_url }) => `The file at ${file_url} doesn’t contain this provider’s value.`,
  website_unavailable: ({ file_url }) => `${file_url} could not be read.`,
} as const satisfies Record<'verified' | Reason, (proof: DomainProof, method: ProofMethod) => string>

export type DomainService = ReturnType<typeof createDomainService>
