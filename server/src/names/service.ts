import type { Database } from '../db/engine.ts'
import type { Tx } from '../db/schema.ts'
import type { MailService } from '../mail/service.ts'
import type { Listings } from '../search/listings.ts'
import { isFitModel, isFitProvider, type Protection, skeletonOf } from './rules.ts'
import { listModelNames, listNamed, listUnchecked, markModel, markProvider, takeUnchecked } from './store.ts'

interface Deps {
  database: Database
  mail: Pick<MailService, 'alert'>
  listings: Pick<Listings, 'providerChanged' | 'modelChanged'>
  protection: Protection
}

const batchSize = 100

export const createNameService = ({ database, mail, listings, protection }: Deps) => {
  const lookAt = async (tx: Tx, id: string) => {
    const provider = await takeUnchecked(tx, id)
    if (!provider) return
    const isUnfit = !isFitProvider(provider)
    const models = (await listModelNames(tx, id)).filter((model) => !isFitModel(model))
    const { company_name } = provider
    await markProvider(tx, id, {
      unfit_name: isUnfit ? 1 : 0,
      name_skeleton: company_name === null ? null : skeletonOf(company_name),
    })
    for (const model of models) await markModel(tx, { provider_id: id, id: model.id }, 1)
    await listings.providerChanged(tx, id)
    for (const model of models) await listings.modelChanged(tx, { provider_id: id, id: model.id })
    if (!isUnfit && models.length === 0) return
    await mail.alert(tx, id, {
      section: 'organization',
      subject: 'Change a name on the registry',
      lines: [
        'Names on this registry may now contain only letters, digits, spaces and common punctuation, and must not contain words that the registry uses for its own verdicts.',
        'These names of yours break the rule. They are kept, but not listed until you change them:',
        ...(isUnfit ? [{ quote: company_name ?? '' }] : []),
        ...models.slice(0, 10).map(({ display_name, version }) => ({ quote: `${display_name} ${version}` })),
        'Change the company name in your settings. For a model, register a new version.',
      ],
    })
  }

  return {
    /** Checks names that were stored before there were rules, once each, and those that the operator protects. */
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
