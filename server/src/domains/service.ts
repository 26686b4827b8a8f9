import { type DomainProof, type DomainVerdict, notFound, Refusal } from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import { failureOf } from '../db/retry.ts'
import type { Tx } from '../db/schema.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { MailService } from '../mail/service.ts'
import type { ResolveTxt } from '../outbound/dns.ts'
import type { ReadDomainFile } from '../outbound/domain-file.ts'
import {
  compareDomains,
  domainOfWebsite,
  domainProofOf,
  isMailboxAt,
  isReservedName,
  judgeFile,
  judgeTxt,
  newDomainNonce,
  recheckAfterMs,
  retryAfterMs,
} from './rules.ts'
import {
  clearProof,
  type DomainRow,
  findDomainHolder,
  findDomainRow,
  listDueProofs,
  markProven,
  postponeProof,
  setDomain,
  setWebsite,
} from './store.ts'

interface Needs {
  database: Database
  events: EventRecorder
  mail: Pick<MailService, 'alert'>
  resolveTxt: ResolveTxt
  readDomainFile: ReadDomainFile
  /** Whether names such as acme.example may be proven: only while the registry itself is on loopback. */
  allowsReservedNames: boolean
  now: () => number
}

/** Proofs that the registry reads itself, and can read again. */
type ReadMethod = 'dns' | 'file'
type Finding = 'verified' | NonNullable<DomainVerdict['reason']>

const isUnknown = (finding: Finding) => finding === 'dns_unavailable' || finding === 'website_unavailable'

const batchSize = 20

export const createDomainService = (needs: Needs) => {
  const { database, events, mail, resolveTxt, readDomainFile, allowsReservedNames, now } = needs

  const proofOf = ({ id, domain, domain_nonce }: Pick<DomainRow, 'id' | 'domain' | 'domain_nonce'>): DomainProof | null =>
    domain === null ? null : domainProofOf({ id, domain, nonce: domain_nonce })

  const mayBeProven = (domain: string) => allowsReservedNames || !isReservedName(domain)

  const look: Record<ReadMethod, (proof: DomainProof) => Promise<Finding>> = {
    dns: async (proof) => {
      const records = await resolveTxt(proof.record_name)
      return records ? judgeTxt(records, proof) : 'dns_unavailable'
    },
    file: async (proof) => {
      const text = await readDomainFile(proof.file_url)
      return text === undefined ? 'website_unavailable' : judgeFile(text, proof)
    },
  }

  /** Of another's proof. A mailbox gives way; a record or a file must still be there, or not be readable now. */
  const isStillProven = async (holder: DomainRow): Promise<boolean> => {
    const proof = proofOf(holder)
    const method = holder.domain_verification_method
    if (!proof || method === null || method === 'email') return false
    const finding = await look[method](proof)
    return finding === 'verified' || isUnknown(finding)
  }

  const tell = (tx: Tx, { id, domain }: DomainRow, subject: string, lines: readonly string[]) =>
    mail.alert(tx, id, { subject, lines: [{ quote: domain ?? '' }, ...lines] })

  const displace = async (tx: Tx, holder: DomainRow, winner: DomainRow) => {
    const method = holder.domain_verification_method
    if (method === null) return
    await clearProof(tx, { id: holder.id, domain_nonce: holder.domain_nonce, method, at: now() })
    await events.record(tx, {
      provider_id: holder.id,
      actor: 'registry',
      action: 'domain.displaced',
      subject: ['provider', holder.id],
      before: { domain: holder.domain, method },
    })
    await tell(tx, holder, 'Your domain is no longer verified', [
      'Another account has proven this domain by a DNS record or a file on its website, which weighs more than your earlier proof.',
      'Your links show an unverified provider from now on. If the domain is yours, publish your own record and verify it again.',
    ])
    await tell(tx, winner, 'You have taken over the proof of your domain', [
      'Another account had proven this domain before you, and does not hold it any more.',
      'If you do not know that account, look at who may read your mail and change your DNS.',
    ])
  }

  /**
   * Whoever controls DNS or the website now has the domain. What the same provider has proven already stays as it is.
   * Races are settled by the constraint.
   */
  const prove = async (caller: Caller, row: DomainRow & { domain: string }, method: ReadMethod) => {
    const { id, domain, domain_nonce } = row
    const rival = await findDomainHolder(database.read, { domain, except: id })
    if (rival && (await isStillProven(rival))) throw domainTaken(domain)
    const work = async (tx: Tx) => {
      const at = now()
      const holder = await findDomainHolder(tx, { domain, except: id })
      // Somebody came between the look and the transaction: their proof was not looked at.
      if (holder && (holder.id !== rival?.id || holder.domain_verification_method !== rival.domain_verification_method))
        throw domainTaken(domain)
      if (holder) await displace(tx, holder, row)
      const proven = await markProven(tx, { id, domain, domain_nonce, method, at, due_at: at + recheckAfterMs })
      if (!proven) return postponeProof(tx, { id, domain_nonce, due_at: at + recheckAfterMs })
      await events.record(tx, {
        provider_id: id,
        actor: caller.actor,
        action: 'domain.verified',
        subject: ['provider', id],
        after: { domain, method },
      })
    }
    await database.transaction(work).catch((error) => {
      throw failureOf(error) === 'unique' ? domainTaken(domain, error) : error
    })
  }

  const lose = (row: DomainRow, method: ReadMethod, actor: string) =>
    database.transaction(async (tx) => {
      const { id, domain, domain_nonce } = row
      const lost = await clearProof(tx, { id, domain_nonce, method, at: now() })
      if (!lost) return
      await events.record(tx, { provider_id: id, actor, action: 'domain.lost', subject: ['provider', id], before: { domain, method } })
      await tell(tx, row, 'Your domain is no longer verified', [
        method === 'dns'
          ? 'The DNS record that proved this domain is gone or has another value.'
          : 'The file that proved this domain is gone or has another content.',
        'Your links show an unverified provider from now on. Publish the proof again and verify the domain to change that.',
      ])
    })

  /** A verified mailbox at the domain proves it, while nobody else does. Answers whether the domain is verified now. */
  const proveByEmail = async (tx: Tx, { provider_id, actor }: { provider_id: string; actor: string }): Promise<boolean> => {
    const row = await findDomainRow(tx, provider_id)
    if (!row) return false
    const { id, domain, domain_nonce, email } = row
    if (row.domain_verified_at !== null) return true
    if (domain === null || email === null || row.email_verified_at === null) return false
    // An identity provider checked the address once, perhaps before its owner left the company.
    if (row.email_vouched_by !== null) return false
    if (!isMailboxAt(email, domain) || !mayBeProven(domain)) return false
    if (await findDomainHolder(tx, { domain, except: id })) return false
    await markProven(tx, { id, domain, domain_nonce, method: 'email', at: now(), due_at: null })
    const after = { domain, method: 'email' }
    await events.record(tx, { provider_id, actor, action: 'domain.verified', subject: ['provider', id], after })
    return true
  }

  const recheck = async (row: DomainRow) => {
    const { id, domain_nonce } = row
    const proof = proofOf(row)
    const method = row.domain_verification_method
    const finding = proof && (method === 'dns' || method === 'file') ? await look[method](proof) : undefined
    if ((method === 'dns' || method === 'file') && finding && finding !== 'verified' && !isUnknown(finding))
      return lose(row, method, 'registry')
    const wait = finding && isUnknown(finding) ? retryAfterMs : recheckAfterMs
    await database.transaction((tx) => postponeProof(tx, { id, domain_nonce, due_at: now() + wait }))
  }

  return {
    proofOf,
    proveByEmail,
    compare: compareDomains,

    /** The registrable domain of a website and a fresh nonce, so that no earlier record proves it. Throws what a form shows. */
    claim(website: string) {
      const found = domainOfWebsite(website)
      if ('refusal' in found) throw found.refusal
      return { domain: found.domain, domain_nonce: newDomainNonce() }
    },

    /** Sets the website. Another registrable domain takes the proof away; a verified mailbox there proves it at once. */
    async move(tx: Tx, { provider_id, website, actor }: { provider_id: string; website: string; actor: string }): Promise<boolean> {
      const found = domainOfWebsite(website)
      if ('refusal' in found) throw found.refusal
      const row = await findDomainRow(tx, provider_id)
      if (!row) throw notFound()
      const { domain } = found
      const at = now()
      if (row.domain === domain) {
        await setWebsite(tx, { id: provider_id, website, at })
        return false
      }
      await setDomain(tx, { id: provider_id, website, domain, domain_nonce: newDomainNonce(), at })
      const before = { domain: row.domain, method: row.domain_verification_method }
      if (row.domain_verified_at !== null)
        await events.record(tx, {
          provider_id,
          actor,
          action: 'domain.reset',
          subject: ['provider', provider_id],
          before,
          after: { domain },
        })
      await proveByEmail(tx, { provider_id, actor })
      return true
    },

    /** Looks now. A proof that is gone is lost at once; when nobody could be asked, nothing changes. */
    async verify(caller: Caller, method: ReadMethod): Promise<DomainVerdict> {
      const row = await findDomainRow(database.read, caller.provider_id)
      const proof = row && proofOf(row)
      if (!row || !proof) throw new Refusal('validation_failed', 'Set a website first: its domain is what is proven.')
      const { domain } = proof
      const answer = (finding: Finding, held: DomainVerdict['domain_verification_method'], consequence = ''): DomainVerdict => ({
        result: finding === 'verified' ? 'verified' : isUnknown(finding) ? 'unknown' : 'not_verified',
        reason: finding === 'verified' ? null : finding,
        domain,
        domain_verified: held !== null,
        domain_verification_method: held,
        domain_proof: proof,
        detail: findingWords[finding](proof, method) + consequence,
      })
      if (!mayBeProven(domain)) return answer('reserved_name', null)
      const finding = await look[method](proof)
      if (isUnknown(finding)) return answer(finding, row.domain_verification_method)
      if (finding === 'verified') {
        await prove(caller, { ...row, domain }, method)
        const held = await findDomainRow(database.read, row.id)
        if (held?.domain === domain && held.domain_nonce === row.domain_nonce && held.domain_verification_method === method)
          return answer(finding, method)
        // The website changed while somebody was asked: what was found proves a domain that is not this provider's any more.
        return answer(method === 'dns' ? 'record_differs' : 'file_differs', null, ' The website changed meanwhile. Ask again.')
      }
      if (row.domain_verification_method !== method) return answer(finding, row.domain_verification_method)
      await lose(row, method, caller.actor)
      return answer(finding, null, ` ${domain} was verified until now and is not any more.`)
    },

    /** Reads every proof that is due again. A batch that somebody else read meanwhile is not due any more. */
    async recheckDue(signal: AbortSignal) {
      while (!signal.aborted) {
        const due = await listDueProofs(database.read, { at: now(), limit: batchSize })
        for (const row of due) {
          if (signal.aborted) return
          await recheck(row)
        }
        if (due.length < batchSize) return
      }
    },
  }
}

const domainTaken = (domain: string, cause?: unknown) =>
  new Refusal('domain_taken', `Another provider has proven ${domain}.`, {}, { cause })

const findingWords = {
  verified: ({ domain, record_name, file_url }, method) =>
    `${domain} is verified: the ${method === 'dns' ? `TXT record at ${record_name}` : `file at ${file_url}`} is yours.`,
  record_not_found: ({ record_name }) => `There is no Countersign record at ${record_name}. A new record can take some minutes to show.`,
  record_differs: ({ record_name }) => `The record at ${record_name} has another value than this provider’s.`,
  reserved_name: ({ domain }) => `${domain} is a reserved name that nobody can own.`,
  dns_unavailable: ({ record_name }) => `DNS could not be asked for ${record_name}.`,
  file_not_found: ({ file_url }) => `There is no file at ${file_url}. Redirects are not followed.`,
  file_differs: ({ file_url }) => `The file at ${file_url} has another content than this provider’s.`,
  website_unavailable: ({ file_url }) => `${file_url} could not be read.`,
} as const satisfies Record<Finding, (proof: DomainProof, method: ReadMethod) => string>

export type DomainService = ReturnType<typeof createDomainService>
