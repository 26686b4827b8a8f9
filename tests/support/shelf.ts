import { openFullText } from '../../server/src/db/full-text/open.ts'
import { createNewId } from '../../server/src/ids.ts'
import { createListings } from '../../server/src/search/listings.ts'
import { type ModelInput, type ProviderInput, writeCatalogue } from './catalogue.ts'
import type { World } from './world.ts'

const newId = createNewId(Date.now)

/** As long as a registry allows. */
export const longName = 'Atlas Instruct Extended Preview for Long Documents and Tools, Second Edition 2026'.slice(0, 80)
export const longDomain = `${'a-very-long-name-of-a-company-that-nobody-shortened'.repeat(2).slice(0, 56)}.example`

/** Providers and models of every kind that a list shows, written directly to the database. */
export const fillShelf = async (world: Pick<World, 'clock' | 'database'>, modelCount: number) => {
  const provider = (input: Omit<ProviderInput, 'id'>): ProviderInput => ({
    id: newId('prv'),
    email_verified_at: input.isVerified ? 1 : null,
    ...input,
  })
  const providers = [
    provider({
      company_name: 'Acme Labs',
      domain: 'acme.example',
      isVerified: true,
      opened_count: 90,
      hq_city: 'Oslo',
      hq_country: 'Norway',
    }),
    provider({
      company_name: 'Northwind AI',
      domain: 'northwind.example',
      isVerified: true,
      opened_count: 40,
      description: 'Ships.',
    }),
    provider({ company_name: longName, domain: longDomain, isVerified: true, opened_count: 20 }),
    provider({ company_name: 'Acme Labs', domain: 'acme-labs.example', hq_city: 'Lyon', hq_country: 'France' }),
    provider({ company_name: 'Mailbox Only', domain: 'mailbox.example', email_verified_at: 1 }),
  ]
  const models = Array.from({ length: modelCount }, (_, index): ModelInput => {
    const owner = providers[index % 4]?.id ?? ''
    return {
      id: newId('mdl'),
      provider_id: owner,
      model_type: 'language',
      display_name: index % 7 === 2 ? longName : `Atlas ${String(index).padStart(3, '0')}`,
      api_model_identifier: index % 7 === 3 ? `atlas-${index}-${'x'.repeat(110)}` : `atlas-${index}`,
      version: index % 5 === 0 ? '2026.11.21-preview.4' : `1.${index}`,
      description:
        index % 3 === 0 ? 'Answers questions about maps, and about everything that can be seen on one.' : 'Short.',
      context_window: index % 4 === 0 ? null : index * 50_000,
      release_date: [null, '2024', '2025-05', '2026-11-03'][index % 4],
    }
  })
  const listings = createListings({
    database: world.database,
    fullText: await openFullText(world.database),
    now: world.clock.now,
  })
  await writeCatalogue(world.database, listings, { providers, models })
  return { providers, models }
}
