import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { listKeptDomains, type Moment, primaryProof, selectOverdue } from '../db/proofs.ts'
import type { Db, Flag, ProviderTable, Tx } from '../db/schema.ts'
import { fitNames, namesOthersDomain, type Protection } from './rules.ts'

/** Another provider `o` that has, or had, a proven domain and a claim to its name: all that the index `providers_held_names` can decide. */
const isHeldByOther = sql`o.id <> p.id and o.name_since is not null
    and (o.domain_verified_at is not null or o.domain_stale_since is not null) and o.deleted_at is null`

/** One of these that is listed and whose proof is kept. A provider with a stale proof keeps its claim. */
const isOtherProven = (at: Moment) => sql`${isHeldByOther} and ${primaryProof('o', at).isKept}
    and o.is_listed = 1 and o.unfit_name = 0 and o.deactivated_at is null`

/** Since when a provider has had its name with the domain that is shown: an earlier domain of the account gives no priority. */
const sinceOf = (alias: 'o' | 'p', domain: RawBuilder<unknown> = sql.ref(`${alias}.domain_since`)) => {
  const name = sql.ref(`${alias}.name_since`)
  return sql`(case when ${domain} > ${name} then ${domain} else ${name} end)`
}

/**
 * The domain of another listed provider that has had it proven for longer under a name that looks the same; in a query whose provider
 * row is called `p`.
 */
const similarDomain = ({ skeleton, since }: Record<'skeleton' | 'since', RawBuilder<unknown>>, at: Moment) =>
  // Few names look alike, and SQLite takes 3 µs to set up a sort, even of no rows.
  sql<string | null>`case when exists (
  select 1 from providers o where o.name_skeleton = ${skeleton} and ${isHeldByOther}
) then (select o.domain from providers o
  where o.name_skeleton = ${skeleton} and ${isOtherProven(at)} and (${since} is null or ${sinceOf('o')} < ${since})
  order by ${sinceOf('o')}, o.domain limit 1) end`

const ofProvider = { skeleton: sql`p.name_skeleton`, since: sinceOf('p') }

export const similarNameDomain = (at: Moment) => similarDomain(ofProvider, at).as('similar_name_domain')

const linkDomainSince = sql`(select d.proven_since from provider_domains d where d.provider_id = p.id and d.domain = s.domain)`

const ofLink = {
  skeleton: sql`s.name_skeleton`,
  since: sql`(case when s.name_skeleton = p.name_skeleton then ${sinceOf('p', linkDomainSince)} when s.domain is not null then v.issued_at end)`,
}

/**
 * The name in a link's snapshot `s`, else the one its provider adopted since. A name given up since counts from when the link `v` was
 * minted.
 */
export const similarLinkNameDomain = (at: Moment) =>
  sql<string | null>`coalesce(${similarDomain(ofLink, at)},
    case when s.name_skeleton <> p.name_skeleton then ${similarDomain(ofProvider, at)} end)`.as('similar_name_domain')

/**
 * Whether a provider without a proven domain has the name of a listed one that has one. Its row is `p`. While that proof is stale, only a
 * provider that proved its domain earlier takes its place.
 */
export const isLookAlike = (at: Moment) => {
  const { isProven, stale_since } = primaryProof('p', at)
  return sql<SqlBool>`(not ${isProven} and p.name_skeleton is not null and exists (
  select 1 from providers o where o.name_skeleton = p.name_skeleton and ${isOtherProven(at)}
    and (${stale_since} is null or ${sinceOf('o')} < ${sinceOf('p')})))`
}

export const lookAlikeFlag = (at: Moment) =>
  sql<number>`case when ${isLookAlike(at)} then 1 else 0 end`.as('is_look_alike')

/** A public provider. Its row is `p`. */
export const isListed = (
  at: number,
) => sql<SqlBool>`p.is_listed = 1 and p.unfit_name = 0 and p.deactivated_at is null and p.deleted_at is null
  and p.company_name is not null and p.email is not null and p.website is not null and not ${isLookAlike(at)}`

/** Whether the name of a provider belongs to a domain other than its proven one. */
export const isWithheld = (
  protection: Protection,
  row: Pick<ProviderTable, 'company_name' | 'name_skeleton' | 'domain' | 'domain_verified_at'>,
): boolean =>
  protection.isOthers(
    { name: row.company_name, skeleton: row.name_skeleton },
    row.domain_verified_at === null ? null : row.domain,
  )

/** IDs of providers whose proof is overdue and whose name belongs to another provider now. The daily job takes them off the lists. */
export const selectOvertaken = (at: Moment) => sql`${selectOverdue(at)} and ${isLookAlike(at)}`

/**
 * Since when a provider has had its name and a proven domain. Null while it lacks either, and if the name belongs to a domain that it has
 * not proven: it has no claim to that name.
 */
const readNameSince = async (
  db: Db,
  protection: Protection,
  { provider_id, at }: { provider_id: string; at: number },
): Promise<Record<'is' | 'should', number | null>> => {
  const row = await db
    .selectFrom('providers')
    .select(['company_name as name', 'name_skeleton as skeleton', 'name_since'])
    .where('id', '=', provider_id)
    .executeTakeFirst()
  if (!row || row.skeleton === null) return { is: row?.name_since ?? null, should: null }
  const proven = await db
    .selectFrom('provider_domains')
    .select('domain')
    .where('provider_id', '=', provider_id)
    .where('verified_at', 'is not', null)
    .execute()
  const isItsOwn = proven.some(({ domain }) => !protection.isOthers(row, domain))
  return { is: row.name_since, should: isItsOwn ? (row.name_since ?? at) : null }
}

/** Whether a provider gained or lost the claim to its name because other names are protected. */
export const isNameSinceOutdated = async (db: Db, protection: Protection, of: { provider_id: string; at: number }) => {
  const { is, should } = await readNameSince(db, protection, of)
  return is !== should
}

/** The caller has locked the provider. */
export const noteNameSince = async (tx: Tx, protection: Protection, of: { provider_id: string; at: number }) => {
  const { is, should } = await readNameSince(tx, protection, of)
  if (is === should) return
  await tx.updateTable('providers').set({ name_since: should }).where('id', '=', of.provider_id).execute()
}

/* ---- names of versions ---- */

interface Owner {
  provider_id: string
  /** The domain that the names are shown with. Most names contain no other, so nothing is read. */
  domain: string | null
}

/** The names of a version beside its provider's proven domain: without those that contain a domain which it no longer proves. */
export const shownNames = async <Names extends Parameters<typeof fitNames>[0]>(
  db: Db,
  { provider_id, domain }: Owner,
  names: Names,
  at: number,
): Promise<Names> =>
  namesOthersDomain(names, domain === null ? [] : [domain]) === undefined
    ? names
    : fitNames(names, await listKeptDomains(db, provider_id, at))

/* ---- checking stored names ---- */

export const listUnchecked = async (db: Db, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('providers')
    .select('id')
    .where('names_checked', '=', sql.lit(0))
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** The job checks the names of a provider again, because what they may contain has changed. */
export const askNames = (tx: Tx, id: string) =>
  tx.updateTable('providers').set({ names_checked: 0 }).where('id', '=', id).execute()

/** Zero rows if another process checked it meanwhile. */
export const takeUnchecked = (tx: Tx, id: string) =>
  tx
    .updateTable('providers')
    .set({ names_checked: 1 })
    .where('id', '=', id)
    .where('names_checked', '=', 0)
    .where('deleted_at', 'is', null)
    .returning(['company_name', 'unfit_name', 'website', 'domain', 'domain_verified_at'])
    .executeTakeFirst()

export const listModelNames = (tx: Tx, provider_id: string) =>
  tx
    .selectFrom('models')
    .select(['id', 'display_name', 'api_model_identifier', 'model_name', 'version', 'family_name', 'unfit_name'])
    .where('provider_id', '=', provider_id)
    .where('deleted_at', 'is', null)
    .execute()

export const markProvider = (tx: Tx, id: string, set: { unfit_name: Flag; name_skeleton: string | null }) =>
  tx.updateTable('providers').set(set).where('id', '=', id).execute()

export const markModel = (tx: Tx, { provider_id, id }: { provider_id: string; id: string }, unfit_name: Flag) =>
  tx.updateTable('models').set({ unfit_name }).where('provider_id', '=', provider_id).where('id', '=', id).execute()

/** Providers with one of these names, by what it looks like. */
export const listNamed = async (db: Db, skeletons: readonly string[]): Promise<string[]> => {
  if (skeletons.length === 0) return []
  const rows = await db
    .selectFrom('providers')
    .select('id')
    // A name with these signs may be a protected one in a reading that the skeleton lacks.
    .where((on) =>
      on.or([
        on('name_skeleton', 'in', skeletons),
        on('company_name', 'like', '%!%'),
        on('company_name', 'like', '%+%'),
      ]),
    )
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}
