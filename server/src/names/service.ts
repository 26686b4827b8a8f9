import type { Database } from '../db/engine.ts'
import { listKeptDomains } from '../db/proofs.ts'
import type { Flag, Tx } from '../db/schema.ts'
import type { MailService } from '../mail/service.ts'
import type { Listings } from '../search/listings.ts'
import { holdsOthersDomain, isFitModel, isFitProvider, type Protection, skeletonOf } from './rules.ts'
import { listModelNames, listNamed, listUnchecked, markModel, markProvider, takeUnchecked } from './store.ts'

interface Deps {
  database: Database
  mail: Pick<MailService, 'alert'>
  listings: Pick<Listings, 'providerChanged' | 'modelChanged'>
  protection: Protection
  now: () => number
}

const batchSize = 100

export const createNameService = ({ database, mail, listings, protection, now }: Deps) => {
  const lookAt = async (tx: Tx, id: string) => {
    const provider = await takeUnchecked(tx, id)
    if (!provider) return
    const { company_name, website, domain, domain_verified_at } = provider
    const isUnfit = !isFitProvider(provider)
    const host = domain_verified_at === null ? URL.parse(website ?? '')?.hostname : domain
    const isCompanyToChange = (isUnfit && provider.unfit_name === 0) || holdsOthersDomain(company_name, [host ?? null])
    const kept = await listKeptDomains(tx, id, now())
    const changed = (await listModelNames(tx, id)).flatMap((model) => {
      const unfit_name: Flag = isFitModel(model, kept) ? 0 : 1
      return unfit_name === model.unfit_name ? [] : [{ ...model, unfit_name }]
    })
    const unfit = changed.filter(({ unfit_name }) => unfit_name === 1)
    await markProvider(tx, id, {
      unfit_name: isUnfit ? 1 : 0,
      name_skeleton: company_name === null ? null : skeletonOf(company_name),
    })
    for (const model of changed) await markModel(tx, { provider_id: id, id: model.id }, model.unfit_name)
    await listings.providerChanged(tx, id)
    for (const model of changed) await listings.modelChanged(tx, { provider_id: id, id: model.id })
    if (!isCompanyToChange && unfit.length === 0) return
    await mail.alert(tx, id, {
      section: 'organization',
      subject: 'Change a name on the registry',
      lines: [
        'Names on this registry may now contain only letters, digits, spaces and common punctuation, and must not contain words that the registry uses for its own verdicts, or a domain that you have not proven.',
        'These names of yours break the rule. They are kept, but not listed until you change them:',
        ...(isCompanyToChange ? [{ quote: company_name ?? '' }] : []),
        ...unfit.slice(0, 10).map(({ display_name, version }) => ({ quote: `${display_name} ${version}` })),
        'Change the company name in your settings. For a model, register a new version.',
      ],
    })
  }

  return {
    /** Checks names that were stored before a rule or before a domain of their provider changed, and those that the operator protects. */
    async run(signal: AbortSignal): Promise<void> {
      for (
        let ids = await listUnchecked(database.read, batchSize);
        ids.length > 0;
        ids = await listUnchecked(database.read, batchSize)
      ) {
        for (const id of ids) {
          if (signal.aborted) return
          await database.transaction((tx) => lookAt(tx, id))
        }
      }
      for (const id of await listNamed(database.read, protection.skeletons)) {
        if (signal.aborted) return
        await database.transaction((tx) => listings.providerChanged(tx, id))
      }
    },
  }
}
