import {
  checkOwnProvider,
  invalidField,
  mailboxOf,
  type NewProvider,
  notFound,
  type Provider,
  type ProviderQuery,
  type PublicProvider,
  Refusal,
  type RegisteredProvider,
  tagOfProvider,
  type UpdatedProvider,
} from '@countersign/sdk/contract'
import type { AccountService } from '../account/service.ts'
import type { Database } from '../db/engine.ts'
import { isProtected } from '../db/factors.ts'
import { emptyProfile, providerFieldsOf } from '../db/provider-fields.ts'
import type { Tx } from '../db/schema.ts'
import type { DelayService } from '../delays/service.ts'
import type { DomainService } from '../domains/service.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { NewId } from '../ids.ts'
import type { KeyService } from '../keys/service.ts'
import type { LogoService } from '../logos/service.ts'
import { holdsOthersDomain, othersDomainWords, type Protection, skeletonOf } from '../names/rules.ts'
import type { Listings } from '../search/listings.ts'
import type { SearchService } from '../search/service.ts'
import { trustBreakdownOfRow } from '../trust/facts.ts'
import { isRegistered } from './rules.ts'
import {
  findListedProviders,
  findOwnProvider,
  insertProvider,
  type ProviderRow,
  prepareFindProvider,
  provenDomainOf,
  publicProviderOf,
  takeCompletion,
  updateProvider,
} from './store.ts'
import { createUpdates } from './update.ts'

interface Deps {
  database: Database
  events: EventRecorder
  keys: KeyService
  domains: DomainService
  logos: Pick<LogoService, 'put' | 'read'>
  account: Pick<AccountService, 'deactivate' | 'reactivate'>
  delays: Pick<DelayService, 'count'>
  listings: Pick<Listings, 'providerChanged'>
  search: SearchService
  protection: Protection
  now: () => number
  newId: NewId
}

interface ProviderToMake {
  email: string | null
  /** Whether the mailbox was verified. */
  isEmailVerified?: boolean
  /** The identity provider that vouches for the address, if the mailbox was not verified. */
  emailVouchedBy?: 'github' | 'google' | null
  company_name?: string
  website?: string
  description?: string | undefined
  is_listed?: boolean | undefined
  /** The recorded creator; by default the provider's first key. */
  actor: string
}

const registeredWords =
  'Provider registered. Save the API key: it is shown only once. Prove your domain so that your links can be verified.'

export const createProviderService = ({
  database,
  events,
  keys,
  domains,
  logos,
  account,
  delays,
  listings,
  search,
  protection,
  now,
  newId,
}: Deps) => {
  const findProvider = prepareFindProvider(database)

  const listingProblemOf = (row: ProviderRow): Provider['listing_problem'] =>
    row.is_listed === 0 ? null : protection.problemOf(row, provenDomainOf(row))

  const shownProviderOf = (row: ProviderRow): PublicProvider => ({
    ...publicProviderOf(row),
    company_name: protection.shown({
      name: row.company_name,
      skeleton: row.name_skeleton,
      provenDomain: provenDomainOf(row),
    }),
  })

  const privateProviderOf = (row: ProviderRow, caller: Caller): Omit<Provider, 'is_protected' | 'delayed_changes'> => {
    const listing_problem = listingProblemOf(row)
    const is_listed = row.is_listed === 1 && listing_problem === null
    return {
      ...publicProviderOf(row),
      api_key: caller.credential,
      key_id: caller.key_id,
      email: row.email,
      email_verified: row.email_verified_at !== null,
      website: row.website,
      website_url: row.website,
      is_listed,
      is_public: is_listed,
      listing_problem,
      is_active: row.deactivated_at === null,
      is_suspended: row.suspended_at !== null,
      ...providerFieldsOf(row, 'own'),
      trust_breakdown: trustBreakdownOfRow(row),
      domain_proof: domains.proofOf(row),
    }
  }

  const getOwn = async (caller: Caller): Promise<Provider> => {
    const { provider_id } = caller
    const at = now()
    const [row, is_protected, delayed_changes] = await Promise.all([
      findOwnProvider(database.read, provider_id, at),
      isProtected(database.read, provider_id, at),
      delays.count(provider_id),
    ])
    if (!row) throw notFound()
    return { ...privateProviderOf(row, caller), is_protected, delayed_changes }
  }

  /** A name that the operator protects is reserved for its domain: proven, or claimed and not yet proven. */
  const checkName = (
    company_name: string | null | undefined,
    { website, provenDomain = null }: { website: string | null; provenDomain?: string | null },
  ) => {
    if (!company_name) return
    const claimed = website === null ? null : (URL.parse(website)?.hostname ?? null)
    const host = provenDomain ?? claimed
    if (holdsOthersDomain(company_name, [host])) throw invalidField('company_name', othersDomainWords.company)
    if (protection.isOthers({ name: company_name, skeleton: skeletonOf(company_name) }, host))
      throw invalidField('company_name', 'This name is protected: it belongs to a company with another domain')
  }

  /** Creates a provider inside the transaction that gives the reason for it. */
  const create = async (tx: Tx, input: ProviderToMake & { id?: string }): Promise<string> => {
    const { email, isEmailVerified = true, emailVouchedBy = null, company_name = null, website = null, actor } = input
    const id = input.id ?? newId('prv')
    const at = now()
    checkName(company_name, { website })
    const name_skeleton = company_name === null ? null : skeletonOf(company_name)
    const mayBeListed = isRegistered({ company_name, email, website }) && (input.is_listed ?? true)
    await insertProvider(tx, {
      ...emptyProfile,
      id,
      company_name,
      name_skeleton,
      website,
      description: input.description || null,
      email,
      email_norm: email === null ? null : mailboxOf(email),
      email_verified_at: email !== null && isEmailVerified ? at : null,
      email_vouched_by: emailVouchedBy,
      is_listed: mayBeListed ? 1 : 0,
      created_at: at,
      updated_at: at,
    })
    if (website !== null) await domains.move(tx, { provider_id: id, website, actor })
    await listings.providerChanged(tx, id)
    await events.record(tx, {
      provider_id: id,
      actor,
      action: 'provider.registered',
      subject: ['provider', id],
      after: { company_name, website },
    })
    return id
  }

  const tagOf = (row: ProviderRow, caller: Caller) => tagOfProvider(privateProviderOf(row, caller))
  const { apply, ...updates } = createUpdates({
    database,
    events,
    domains,
    logos,
    listings,
    checkName,
    getOwn,
    tagOf,
    now,
  })

  /** A person who signed in with an identity provider has an account but no company yet. */
  const complete = async (caller: Caller, input: NewProvider): Promise<RegisteredProvider> => {
    const { provider_id, actor } = caller
    const made = await database.transaction(async (tx) => {
      const open = await takeCompletion(tx, { id: provider_id, at: now() })
      if (!open)
        throw new Refusal('already_registered', 'These credentials belong to a provider that is already registered.', {
          provider_id,
        })
      // The first key may do everything, so only an unrestricted caller may create it.
      if (caller.scopes !== null) throw new Refusal('forbidden', 'A restricted key cannot complete a registration.')
      const email = mailboxOf(input.email)
      if (open.email !== null && mailboxOf(open.email) !== email)
        throw invalidField('email', `This account has the address ${open.email}, which cannot be changed here`)
      if (open.email === null) await updateProvider(tx, provider_id, { email: input.email, email_norm: email })
      await apply(tx, caller, { ...input, is_listed: input.is_listed ?? true }, {})
      await listings.providerChanged(tx, provider_id)
      return keys.create(tx, { provider_id, name: 'First key', actor })
    })
    const { domain_proof } = await getOwn(caller)
    if (!domain_proof) throw notFound()
    return { provider_id, api_key: made.key, key_id: made.id, message: registeredWords, domain_proof }
  }

  return {
    checkName,
    create,

    /** Creates a new provider; an existing one never changes, even if the name or address is the same. */
    async register(caller: Caller | undefined, input: NewProvider): Promise<RegisteredProvider> {
      if (caller) return complete(caller, input)
      const id = newId('prv')
      const key_id = newId('key')
      const { company_name, email, website, description, is_listed } = input
      const made = await database.transaction(async (tx) => {
        await create(tx, {
          id,
          email,
          isEmailVerified: false,
          company_name,
          website,
          description,
          is_listed,
          actor: key_id,
        })
        return keys.create(tx, { id: key_id, provider_id: id, name: 'First key' })
      })
      const row = await findOwnProvider(database.read, id, now())
      const domain_proof = row && domains.proofOf(row)
      if (!domain_proof) throw notFound()
      return { provider_id: id, api_key: made.key, key_id, message: registeredWords, domain_proof }
    },

    me: getOwn,

    async getPrivate(caller: Caller, id: string): Promise<Provider> {
      checkOwnProvider(caller, id)
      return getOwn(caller)
    },

    async get(id: string) {
      const [row] = await findProvider({ id, at: now() })
      if (!row) throw notFound()
      return shownProviderOf(row)
    },

    async list(query: ProviderQuery, reader?: { hasCredentials: boolean }) {
      const { ids, next_cursor } = await search.listProviders(query, reader)
      const rows = await findListedProviders(database.read, ids, now())
      return { providers: rows.map(shownProviderOf), next_cursor }
    },

    ...updates,

    async deactivate(caller: Caller, id: string): Promise<UpdatedProvider> {
      await account.deactivate(caller, id)
      return { ...(await getOwn(caller)), message: 'Provider deactivated', domain_verification_updated: false }
    },

    async reactivate(caller: Caller, id: string): Promise<UpdatedProvider> {
      await account.reactivate(caller, id)
      return { ...(await getOwn(caller)), message: 'Provider reactivated', domain_verification_updated: false }
    },
  }
}

export type ProviderService = ReturnType<typeof createProviderService>
