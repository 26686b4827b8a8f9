import {
  type DomainVerdict,
  type NewProvider,
  notFound,
  type Provider,
  type ProviderQuery,
  Refusal,
  type RegisteredProvider,
} from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import { failureOf } from '../db/retry.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { NewId } from '../ids.ts'
import type { KeyService } from '../keys/service.ts'
import type { ResolveTxt } from '../outbound/dns.ts'
import { trustOfRow } from '../trust/facts.ts'
import { domainOfWebsite, domainProofOf, isReservedName, judgeTxt, newDomainNonce } from './rules.ts'
import {
  clearDomainProof,
  findDomainHolder,
  findProvider,
  insertProvider,
  listProviders,
  markProvenByDns,
  type ProviderRow,
  publicProviderOf,
} from './store.ts'

interface Needs {
  database: Database
  events: EventRecorder
  keys: KeyService
  resolveTxt: ResolveTxt
  /** Whether names such as acme.example may be proven: only while the registry itself is on loopback. */
  allowsReservedNames: boolean
  now: () => number
  newId: NewId
}

export const createProviderService = ({ database, events, keys, resolveTxt, allowsReservedNames, now, newId }: Needs) => {
  const getProvider = async (id: string): Promise<ProviderRow> => {
    const row = await findProvider(database.read, id)
    if (!row) throw notFound()
    return row
  }

  const proofOf = ({ id, domain, domain_nonce }: Pick<ProviderRow, 'id' | 'domain' | 'domain_nonce'>) =>
    domain === null ? null : domainProofOf({ id, domain, nonce: domain_nonce })

  const privateProviderOf = (row: ProviderRow, caller: Caller): Provider => {
    const trust = trustOfRow(row)
    return {
      ...publicProviderOf(row, trust),
      api_key: caller.credential,
      key_id: caller.key_id,
      email: row.email,
      email_verified: row.email_verified_at !== null,
      is_listed: row.is_listed === 1,
      is_public: row.is_listed === 1,
      is_active: row.deactivated_at === null,
      phone_number: row.phone_number,
      support_email: row.support_email,
      hq_city: row.hq_city,
      hq_state: row.hq_state,
      hq_country: row.hq_country,
      ai_specific_certifications: JSON.parse(row.ai_specific_certifications),
      trust_breakdown: trust.trust_breakdown,
      domain_proof: proofOf(row),
    }
  }

  /**
   * Whoever controls DNS now has the domain: a mailbox gives way, and so does an earlier DNS proof whose record is gone.
   * What the same provider has proven already stays as it is. Races are settled by the constraint.
   */
  const verifyByDns = (
    caller: Caller,
    { id, domain, domain_nonce }: Pick<ProviderRow, 'id' | 'domain_nonce'> & { domain: string },
    records: readonly string[],
  ) =>
    database
      .transaction(async (tx) => {
        const at = now()
        const holder = await findDomainHolder(tx, { domain, except: id })
        if (holder) {
          if (isStillProven(holder, records)) throw domainTaken(domain)
          await clearDomainProof(tx, { id: holder.id, at })
          await events.record(tx, {
            provider_id: holder.id,
            actor: 'registry',
            action: 'domain.displaced',
            subject: ['provider', holder.id],
            before: { domain, method: holder.domain_verification_method },
          })
        }
        const proven = await markProvenByDns(tx, { id, domain, domain_nonce, at })
        if (!proven) return
        await events.record(tx, {
          provider_id: id,
          actor: caller.actor,
          action: 'domain.verified',
          subject: ['provider', id],
          after: { domain, method: 'dns' },
        })
      })
      .catch((error) => {
        throw failureOf(error) === 'unique' ? domainTaken(domain, error) : error
      })

  const loseDnsProof = (id: string, caller: Caller) =>
    database.transaction(async (tx) => {
      const lost = await clearDomainProof(tx, { id, at: now() })
      if (lost)
        await events.record(tx, {
          provider_id: id,
          actor: caller.actor,
          action: 'domain.lost',
          subject: ['provider', id],
          before: { domain: lost.domain },
        })
    })

  return {
    /** Always makes a new, unverified provider; nothing of another one changes, whatever name or address is given. */
    async register(caller: Caller | undefined, input: NewProvider): Promise<RegisteredProvider> {
      if (caller)
        throw new Refusal('already_registered', 'These credentials belong to a provider that is registered.', {
          provider_id: caller.provider_id,
        })
      const found = domainOfWebsite(input.website)
      if ('refusal' in found) throw found.refusal
      const { domain } = found
      const id = newId('prv')
      const domain_nonce = newDomainNonce()
      const at = now()
      const key = await database.transaction(async (tx) => {
        await insertProvider(tx, { ...emptyProfile, ...profileOf(input), id, domain, domain_nonce, created_at: at, updated_at: at })
        const made = await keys.create(tx, { provider_id: id, name: 'First key' })
        await events.record(tx, {
          provider_id: id,
          actor: made.id,
          action: 'provider.registered',
          subject: ['provider', id],
          after: { company_name: input.company_name, website: input.website },
        })
        return made
      })
      return {
        provider_id: id,
        api_key: key.key,
        key_id: key.id,
        message: 'Provider registered. Keep the API key: it is shown only now. Prove your domain so that your links can be verified.',
        domain_proof: domainProofOf({ id, domain, nonce: domain_nonce }),
      }
    },

    async me(caller: Caller): Promise<Provider> {
      return privateProviderOf(await getProvider(caller.provider_id), caller)
    },

    /** A foreign id and an unknown one are refused alike. */
    async getPrivate(caller: Caller, id: string): Promise<Provider> {
      if (id !== caller.provider_id) throw new Refusal('forbidden', 'This key belongs to another provider.')
      return privateProviderOf(await getProvider(id), caller)
    },

    async get(id: string) {
      return publicProviderOf(await getProvider(id))
    },

    async list(query: ProviderQuery) {
      const { rows, next_cursor } = await listProviders(database, query)
      return { providers: rows.map((row) => publicProviderOf(row)), next_cursor }
    },

    /** Looks the record up now. A proof that is gone is lost at once; when DNS cannot be asked, nothing changes. */
    async verifyDomain(caller: Caller): Promise<DomainVerdict> {
      const row = await getProvider(caller.provider_id)
      const proof = proofOf(row)
      if (!proof) throw new Refusal('validation_failed', 'Set a website first: its domain is what is proven.')
      const { domain } = proof
      const answer = (
        result: DomainVerdict['result'],
        reason: DomainVerdict['reason'],
        detail: string,
        method: DomainVerdict['domain_verification_method'],
      ) => ({
        result,
        reason,
        domain,
        domain_verified: method !== null,
        domain_verification_method: method,
        domain_proof: proof,
        detail,
      })
      if (isReservedName(domain) && !allowsReservedNames) {
        return answer('not_verified', 'reserved_name', `${domain} is a reserved name that nobody can own.`, null)
      }
      const records = await resolveTxt(proof.record_name)
      if (!records)
        return answer('unknown', 'dns_unavailable', `DNS could not be asked for ${proof.record_name}.`, row.domain_verification_method)
      const verdict = judgeTxt(records, proof)
      if (verdict === 'verified') {
        await verifyByDns(caller, { ...row, domain }, records)
        const { domain: proven, domain_verification_method: method } = await getProvider(row.id)
        // The website changed while DNS was asked: the record proves a domain that is not this provider's any more.
        if (proven !== domain || method !== 'dns')
          return answer('not_verified', 'record_differs', 'The website changed meanwhile. Ask again.', null)
        return answer('verified', null, `${domain} is verified: the TXT record at ${proof.record_name} is yours.`, 'dns')
      }
      const isLost = row.domain_verification_method === 'dns'
      if (isLost) await loseDnsProof(row.id, caller)
      const consequence = isLost ? ` ${domain} was verified until now and is not any more.` : ''
      return answer(
        'not_verified',
        verdict,
        recordWords[verdict](proof.record_name) + consequence,
        isLost ? null : row.domain_verification_method,
      )
    },
  }
}

const domainTaken = (domain: string, cause?: unknown) =>
  new Refusal('domain_taken', `Another provider has proven ${domain}.`, {}, { cause })

/** Of another's proof: a mailbox is not one, and a DNS record must still be there. */
const isStillProven = (
  {
    id,
    domain,
    domain_nonce,
    domain_verification_method,
  }: Pick<ProviderRow, 'id' | 'domain' | 'domain_nonce' | 'domain_verification_method'>,
  records: readonly string[],
) => {
  if (domain === null || domain_verification_method === 'email') return false
  if (domain_verification_method === 'file') return true
  return judgeTxt(records, domainProofOf({ id, domain, nonce: domain_nonce })) === 'verified'
}

const recordWords = {
  record_not_found: (name: string) => `There is no Countersign record at ${name}. A new record can take some minutes to show.`,
  record_differs: (name: string) => `The record at ${name} has another value than this provider’s.`,
}

export type ProviderService = ReturnType<typeof createProviderService>

const emptyProfile = {
  description: null,
  domain_verified_at: null,
  domain_verification_method: null,
  email_verified_at: null,
  logo_url: null,
  support_email: null,
  phone_number: null,
  founded_year: null,
  employee_count: null,
  hq_city: null,
  hq_state: null,
  hq_country: null,
  github_url: null,
  linkedin_url: null,
  twitter_url: null,
  trust_center_url: null,
  industry: null,
  specialties: '[]',
  funding_status: null,
  api_documentation_url: null,
  support_url: null,
  compliance_certifications: '[]',
  ai_specific_certifications: '[]',
  opened_count: 0,
  deactivated_at: null,
  deleted_at: null,
} as const

const profileOf = (input: NewProvider) => ({
  company_name: input.company_name,
  email: input.email,
  website: input.website,
  description: input.description || null,
  is_listed: (input.is_listed ?? true) ? (1 as const) : (0 as const),
})
