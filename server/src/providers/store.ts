import type { PublicProvider } from '@countersign/sdk/contract'
import { type Insertable, type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import { isMailboxLost } from '../db/bundle-verdicts.ts'
import type { Database } from '../db/engine.ts'
import { primaryProof } from '../db/proofs.ts'
import { providerFieldsOf } from '../db/provider-fields.ts'
import type { Db, ProviderTable, Tx } from '../db/schema.ts'
import { timeOf } from '../db/times.ts'
import { publicWebsite } from '../names/rules.ts'
import { isLookAlike, lookAlikeFlag, similarNameDomain } from '../names/store.ts'
import { type TrustRow, trustColumns, trustOfRow } from '../trust/facts.ts'
import { verificationLevelOf } from './rules.ts'

export type ProviderRow = Selectable<ProviderTable> &
  TrustRow & {
    verified_models: number
    public_models: number
    similar_name_domain: string | null
    is_look_alike: number
  }

const publicModels = sql`from models pm where pm.provider_id = p.id and pm.is_public = 1 and pm.is_active = 1 and pm.deleted_at is null`

/** These columns replace those of the row with the same names. */
const selectAllProviders = (db: Db, at: number) => {
  const proof = primaryProof('p', at)
  return db
    .selectFrom('providers as p')
    .selectAll('p')
    .select([proof.proven_at.as('domain_verified_at'), proof.stale_since.as('domain_stale_since')])
    .select(trustColumns(at))
    .select([
      sql<number>`(select count(*) ${publicModels})`.as('public_models'),
      sql<number>`(select count(*) ${publicModels} and pm.bundle_status = 'verified' and not ${isMailboxLost('pm', at)})`.as(
        'verified_models',
      ),
    ])
    .select([similarNameDomain(at), lookAlikeFlag(at)])
    .where('p.deleted_at', 'is', null)
}

/** Providers that others can see. */
const selectProviders = (db: Db, at: number) => selectAllProviders(db, at).where('p.deactivated_at', 'is', null)

export const prepareFindProvider = (database: Database) =>
  database.statement<{ id: string; at: number }, ProviderRow>((db, parameter) =>
    selectProviders(db, parameter('at')).where('p.id', '=', sql<string>`(select ${parameter('id')})`),
  )

/** As its owner sees it: also while it is deactivated. */
export const findOwnProvider = (db: Db, id: string, at: number): Promise<ProviderRow | undefined> =>
  selectAllProviders(db, at).where('p.id', '=', id).executeTakeFirst()

export const insertProvider = (tx: Tx, provider: Insertable<ProviderTable>) =>
  tx.insertInto('providers').values(provider).execute()

/** Zero rows if the provider is gone. */
export const updateProvider = (tx: Tx, id: string, set: Updateable<ProviderTable>) =>
  tx
    .updateTable('providers')
    .set(set)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()

/** Serialise changes of one provider: a decision based on the row holds until it is written. */
export const lockProvider = (tx: Tx, id: string) =>
  tx
    .updateTable('providers')
    .set((row) => ({ updated_at: row.ref('updated_at') }))
    .where('id', '=', id)
    .execute()

/** If two requests complete one registration at once, one gets the row. */
export const takeCompletion = (tx: Tx, { id, at }: { id: string; at: number }) =>
  tx
    .updateTable('providers')
    .set({ updated_at: at })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where((where) =>
      where.or([where('company_name', 'is', null), where('email', 'is', null), where('website', 'is', null)]),
    )
    .returning(['email'])
    .executeTakeFirst()

/** Load these IDs in the given order, dropping any that are no longer listed. */
export const findListedProviders = async (db: Db, ids: readonly string[], at: number): Promise<ProviderRow[]> => {
  if (ids.length === 0) return []
  const rows = await selectProviders(db, at)
    .where('p.id', 'in', ids)
    .where('p.is_listed', '=', 1)
    .where('p.unfit_name', '=', 0)
    .where(sql<SqlBool>`not ${isLookAlike(at)}`)
    .execute()
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => found.get(id)).filter((row) => row !== undefined)
}

export const provenDomainOf = ({ domain, domain_verified_at }: Pick<ProviderRow, 'domain' | 'domain_verified_at'>) =>
  domain_verified_at === null ? null : domain

/** The public view of a provider. */
export const publicProviderOf = (row: ProviderRow): PublicProvider => {
  const { trust_level, trust_score, trust_factors } = trustOfRow(row)
  const website = publicWebsite(row.website, provenDomainOf(row))
  return {
    id: row.id,
    ...providerFieldsOf(row, 'public'),
    company_description: row.description,
    logo_url: row.logo_url,
    website,
    website_url: website,
    domain: row.domain,
    domain_verified: row.domain_verified_at !== null,
    domain_verified_at: timeOf(row.domain_verified_at),
    domain_verification_method: row.domain_verification_method,
    domain_status: row.domain_verified_at !== null ? 'proven' : row.domain_stale_since !== null ? 'stale' : 'unproven',
    domain_checked_at: timeOf(row.domain_checked_at),
    similar_name_domain: row.similar_name_domain,
    verification_level: verificationLevelOf(row),
    trust_level,
    trust_score,
    trust_factors,
    headquarters: [row.hq_city, row.hq_state, row.hq_country].filter((part) => part !== null).join(', ') || null,
    contact_email: row.support_email,
    // Without a proven domain, nothing shows whose signer the account declared.
    verified_models: row.domain_verified_at === null ? 0 : row.verified_models,
    public_models: row.public_models,
    created_at: new Date(row.created_at).toISOString(),
  }
}
