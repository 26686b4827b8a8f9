import {
  checkOwnProvider,
  checkUnchanged,
  notFound,
  type Provider,
  type ProviderUpdate,
  Refusal,
  type UndoObstacle,
  type UpdatedProvider,
} from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import { endSamples } from '../db/samples.ts'
import type { Tx } from '../db/schema.ts'
import { checkStillValid } from '../db/still-valid.ts'
import type { Asked } from '../delays/service.ts'
import type { DomainService } from '../domains/service.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { LogoService, NewLogo } from '../logos/service.ts'
import { isFitProvider, skeletonOf } from '../names/rules.ts'
import type { Listings } from '../search/listings.ts'
import { changesOf, isRegistered, listingWords, movesLaterWords } from './rules.ts'
import { findOwnProvider, lockProvider, type ProviderRow, provenDomainOf, updateProvider } from './store.ts'

interface Deps {
  database: Database
  events: EventRecorder
  domains: Pick<DomainService, 'move' | 'moveLater'>
  logos: Pick<LogoService, 'put' | 'read'>
  listings: Pick<Listings, 'providerChanged'>
  checkName: (name: string | null, of: { website: string | null; provenDomain: string | null }) => void
  getOwn: (caller: Caller) => Promise<Provider>
  tagOf: (row: ProviderRow, caller: Caller) => string
  now: () => number
}

/** The fields that the endpoints changing a provider accept. */
type Input = Partial<ProviderUpdate>

/** Changing what a provider states about itself. */
export const createUpdates = (deps: Deps) => {
  const { database, events, domains, logos, listings, checkName, getOwn, tagOf, now } = deps

  /** Changes only the given fields, in one transaction and with one event; domain and logo have their own. */
  const apply = async (
    tx: Tx,
    caller: Caller,
    input: Input,
    {
      logo,
      ifMatch,
      visitor,
    }: { logo?: NewLogo | undefined; ifMatch?: string | undefined; visitor?: Asked['visitor'] },
  ): Promise<{ isMoved: boolean; movesAt: string | undefined }> => {
    const id = caller.provider_id
    const { actor } = caller
    await lockProvider(tx, id)
    const before = await findOwnProvider(tx, id, now())
    if (!before) throw notFound()
    checkUnchanged(ifMatch, () => tagOf(before, caller))
    const { website } = input
    const isNamed = website !== undefined && website !== before.website
    const movesAt =
      isNamed && visitor ? await domains.moveLater(tx, { provider_id: id, website }, { caller, visitor }) : undefined
    const isOther = isNamed && movesAt === undefined
    const isMoved = isOther && (await domains.move(tx, { provider_id: id, website, actor }))
    const changes = changesOf(before, input)
    const { company_name } = changes.set
    const name_skeleton = company_name ? skeletonOf(company_name) : before.name_skeleton
    const after = (isMoved && (await findOwnProvider(tx, id, now()))) || before
    const wanted = input.is_listed ?? before.is_listed === 1
    const details = {
      company_name: company_name ?? before.company_name,
      email: before.email,
      website: isOther ? website : before.website,
    }
    if (input.is_listed && !isRegistered(details)) throw new Refusal('not_registered', listingWords.unregistered)
    if (company_name || isOther)
      checkName(details.company_name, { website: details.website, provenDomain: provenDomainOf(after) })
    const is_listed = wanted ? 1 : 0
    const isListingChanged = is_listed !== before.is_listed
    if (isOther || isListingChanged || Object.keys(changes.set).length > 0) {
      await updateProvider(tx, id, {
        ...changes.set,
        ...(company_name && { name_skeleton, unfit_name: isFitProvider({ company_name }) ? 0 : 1 }),
        ...(name_skeleton !== before.name_skeleton && { name_since: null }),
        is_listed,
        updated_at: now(),
      })
      await listings.providerChanged(tx, id)
      if (company_name) await endSamples(tx, events, { provider_id: id, actor })
      await events.record(tx, {
        provider_id: id,
        actor,
        action: 'provider.updated',
        subject: ['provider', id],
        before: {
          ...changes.before,
          ...(isOther && { website: before.website }),
          ...(isListingChanged && { is_listed: before.is_listed === 1 }),
        },
        after: {
          ...changes.after,
          ...(isOther && { website }),
          ...(isListingChanged && { is_listed: is_listed === 1 }),
        },
      })
    }
    if (logo !== undefined) await logos.put(tx, { caller, file: logo })
    return { isMoved, movesAt }
  }

  const change = async (
    caller: Caller,
    id: string,
    input: Input,
    visitor: Asked['visitor'],
    ifMatch?: string,
  ): Promise<UpdatedProvider> => {
    checkOwnProvider(caller, id)
    const logo = await logos.read(caller, input.logo_url)
    const { isMoved, movesAt } = await database.transaction(
      async (tx) => {
        if (input.logo_url) await checkStillValid(tx, caller)
        return apply(tx, caller, input, { logo, ifMatch, visitor })
      },
      { writer: id },
    )
    const own = await getOwn(caller)
    if (movesAt !== undefined) return { ...own, message: movesLaterWords(movesAt), domain_verification_updated: false }
    const message = own.listing_problem === null ? 'Provider information updated' : listingWords[own.listing_problem]
    return { ...own, message, domain_verification_updated: isMoved }
  }

  return {
    apply,
    change,

    /** What a compromised key changed. */
    restore: (
      tx: Tx,
      { caller, visitor }: { caller: Caller; visitor: Asked['visitor'] },
      input: Pick<Input, 'company_name' | 'website'>,
    ) => apply(tx, caller, input, { visitor }),

    /** Puts back what an update changed, if no one has changed it since. Returns what prevents it. */
    async undoUpdate(
      tx: Tx,
      { caller, visitor }: { caller: Caller; visitor: Asked['visitor'] },
      { before, after }: { before: Record<string, unknown>; after: Record<string, unknown> },
    ): Promise<UndoObstacle | undefined> {
      // The trail does not keep personal details, and a website moves its domain.
      if ('undisclosed' in after || 'website' in after) return 'by_hand'
      const row = await findOwnProvider(tx, caller.provider_id, now())
      if (!row) return 'gone'
      const { is_listed, ...fields } = after
      const isListedSince = is_listed === undefined || is_listed === (row.is_listed === 1)
      if (!isListedSince || Object.keys(changesOf(row, fields as Input).set).length > 0) return 'changed_since'
      await apply(tx, caller, before as Input, { visitor })
      return undefined
    },

    async setVisibility(
      caller: Caller,
      id: string,
      is_listed: boolean,
      visitor: Asked['visitor'],
    ): Promise<UpdatedProvider> {
      const changed = await change(caller, id, { is_listed }, visitor)
      return {
        ...changed,
        message: is_listed === changed.is_listed ? listingWords[is_listed ? 'listed' : 'unlisted'] : changed.message,
      }
    },
  }
}
