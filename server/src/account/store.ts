import type { Binding, IssuedVerification, TrailEvent } from '@countersign/sdk/contract'
import { sql, type Updateable } from 'kysely'
import { idsBefore, idsFrom } from '../db/id-times.ts'
import { selectFromLinks } from '../db/links.ts'
import { type PageQuery, readPage } from '../db/paging.ts'
import { emptyProviderFields } from '../db/provider-fields.ts'
import type { Db, DeploymentTable, Flag, ModelTable, ProviderTable, SigningKeyState, Tx } from '../db/schema.ts'
import { timeOf } from '../db/times.ts'

/* ---- links ---- */

const maxCounted = 10_000

/** The facts that decide whether a link is valid now. */
export interface IssuedFacts {
  issued_at: number
  expires_at: number
  minted_domain: string | null
  key_state: SigningKeyState | null
  provider_gone: 'deactivated' | 'deleted' | null
  is_suspended: boolean
  is_api_key_compromised: boolean
  domain_verified_at: number | null
  domain_checked_at: number | null
  domain_stale_since: number | null
  model_deleted: boolean
  model_archived_at: number | null
  bundle_status: ModelTable['bundle_status']
  binding: Binding | null
  deployment_id: string | null
  deployment_status: DeploymentTable['status'] | null
  deployment_deleted: boolean
  is_authorized: boolean
}

/**
 * IDs sort by creation time and follow the provider in the index, so every page costs the same. `decide` computes the current state of a
 * link.
 */
export const listVerifications = async (
  db: Db,
  provider_id: string,
  { model_id, ...page }: PageQuery & { model_id?: string | undefined },
  decide: (facts: IssuedFacts) => Pick<IssuedVerification, 'result' | 'strength' | 'reason' | 'change'>,
) => {
  const own = selectFromLinks(db)
    .select([
      's.domain as minted_domain',
      'k.state as key_state',
      'ak.compromised_since',
      'pd.verified_at as domain_verified_at',
      'pd.checked_at as domain_checked_at',
      'pd.stale_since as domain_stale_since',
      'p.deactivated_at',
      'p.suspended_at',
      'p.deleted_at as provider_deleted_at',
      'm.deleted_at as model_deleted_at',
      'm.archived_at as model_archived_at',
      'm.bundle_status',
      'd.status as deployment_status',
      'd.deleted_at as deployment_deleted_at',
      'a.authorized_at',
    ])
    .select([
      'v.id',
      'v.model_id',
      's.display_name as model_name',
      's.version as model_version',
      'v.deployment_id',
      'v.binding',
      'v.issued_at',
      'v.expires_at',
      'v.opened_at',
      'v.reopened_count',
      'v.user_fp',
      'v.challenge',
      'v.origin',
      'v.metadata',
      sql<number>`(select count(*) from bindings b where b.provider_id = v.provider_id and b.verification_id = v.id)`.as(
        'bindings',
      ),
    ])
    .where('v.provider_id', '=', provider_id)
  const id = sql.ref('v.id')
  const { rows, next_cursor } = await readPage(
    model_id === undefined ? own : own.where('v.model_id', '=', model_id),
    { key: id, keyType: 'string', id, direction: 'desc' },
    page,
  )
  const verifications: IssuedVerification[] = rows.map(
    ({ binding, bindings, metadata, issued_at, expires_at, opened_at, ...row }) => ({
      ...decide({
        ...row,
        issued_at,
        expires_at,
        is_api_key_compromised: row.compromised_since !== null && row.compromised_since <= issued_at,
        binding,
        is_suspended: row.suspended_at !== null,
        provider_gone:
          row.provider_deleted_at !== null ? 'deleted' : row.deactivated_at !== null ? 'deactivated' : null,
        model_deleted: row.model_deleted_at !== null,
        deployment_deleted: row.deployment_deleted_at !== null,
        is_authorized: row.authorized_at !== null,
      }),
      id: row.id,
      model_id: row.model_id,
      model_name: row.model_name,
      model_version: row.model_version,
      deployment_id: row.deployment_id,
      deployment_binding: binding,
      issued_at: timeOf(issued_at),
      expires_at: timeOf(expires_at),
      opened_at: opened_at === null ? null : timeOf(opened_at),
      opened_count: opened_at === null ? 0 : 1 + row.reopened_count,
      user_fp: row.user_fp,
      challenge: row.challenge,
      origin: row.origin,
      metadata: metadata === null ? null : JSON.parse(metadata),
      bound_to_response: bindings > 0,
    }),
  )
  return { verifications, next_cursor }
}

/** Counts the newest ten thousand; beyond them the number is marked as a lower bound. */
export const countVerifications = async (db: Db, provider_id: string, model_id: string | undefined) => {
  const newest = db
    .selectFrom('verifications')
    .select('model_id')
    .where('provider_id', '=', provider_id)
    .orderBy('id', 'desc')
    .limit(maxCounted + 1)
  const isOfModel = model_id === undefined ? sql.lit(1) : sql`case when n.model_id = ${model_id} then 1 else 0 end`
  const { seen, matching } = await db
    .selectFrom(newest.as('n'))
    .select((of) => [of.fn.countAll<number>().as('seen'), sql<number>`coalesce(sum(${isOfModel}), 0)`.as('matching')])
    .executeTakeFirstOrThrow()
  return { total: Math.min(matching, maxCounted), total_is_lower_bound: seen > maxCounted }
}

interface Period {
  /** Days since 1970, UTC, both inclusive. */
  first: number
  last: number
}

export const listOpeningsByDay = (
  db: Db,
  provider_id: string,
  { first, last }: Period,
  model_id: string | undefined,
) => {
  let openings = db
    .selectFrom('openings_by_day')
    .select((of) => ['day', of.fn.sum<number>('openings').as('openings')])
    .where('provider_id', '=', provider_id)
    .where('day', '>=', first)
    .where('day', '<=', last)
  if (model_id !== undefined) openings = openings.where('model_id', '=', model_id)
  return openings.groupBy('day').execute()
}

export const listMostOpened = (db: Db, provider_id: string, { first, last }: Period, limit: number) =>
  db
    .selectFrom('openings_by_day as o')
    .innerJoin('models as m', (join) =>
      join.onRef('m.provider_id', '=', 'o.provider_id').onRef('m.id', '=', 'o.model_id'),
    )
    .select((of) => [
      'o.model_id',
      'm.display_name as model_name',
      'm.version as model_version',
      of.fn.sum<number>('o.openings').as('verifications'),
    ])
    .where('o.provider_id', '=', provider_id)
    .where('o.day', '>=', first)
    .where('o.day', '<=', last)
    .groupBy(['o.model_id', 'm.display_name', 'm.version'])
    .orderBy('verifications', 'desc')
    .orderBy('o.model_id', 'desc')
    .limit(limit)
    .execute()

export const countOpenings = async (db: Db, provider_id: string, model_id: string | undefined) => {
  let models = db
    .selectFrom('models')
    .select((of) => of.fn.coalesce(of.fn.sum<number>('opened_count'), of.lit(0)).as('total'))
    .where('provider_id', '=', provider_id)
  if (model_id !== undefined) models = models.where('id', '=', model_id)
  return (await models.executeTakeFirstOrThrow()).total
}

/* ---- the trail ---- */

type EventQuery = PageQuery & {
  [Name in 'subject_type' | 'subject_id' | 'action' | 'since' | 'until']?: string | undefined
}

/** What each line is about and who acted, by their current names: an owner knows a key as `ci`. */
const selectEvents = (db: Db, provider_id: string) =>
  db
    .selectFrom('events as e')
    .leftJoin('models as m', (join) =>
      join.onRef('m.provider_id', '=', 'e.provider_id').onRef('m.id', '=', 'e.subject_id'),
    )
    .leftJoin('incidents as i', (join) =>
      join.onRef('i.provider_id', '=', 'e.provider_id').onRef('i.id', '=', 'e.subject_id'),
    )
    .leftJoin('api_keys as k', (join) =>
      join.onRef('k.provider_id', '=', 'e.provider_id').onRef('k.id', '=', 'e.subject_id'),
    )
    .leftJoin('trusted_publishers as t', (join) =>
      join.onRef('t.provider_id', '=', 'e.provider_id').onRef('t.id', '=', 'e.subject_id'),
    )
    .leftJoin('api_keys as a', (join) =>
      join.onRef('a.provider_id', '=', 'e.provider_id').onRef('a.id', '=', 'e.actor'),
    )
    .select((row) => [
      'e.id',
      'e.at',
      'e.actor',
      'a.name as actor_name',
      'e.action',
      'e.subject_type',
      'e.subject_id',
      row.fn.coalesce('m.display_name', 'i.title', 'k.name', 't.repository', 't.subject').as('subject_name'),
      'e.before',
      'e.after',
    ])
    .where('e.provider_id', '=', provider_id)

export const listEvents = async (
  db: Db,
  provider_id: string,
  { subject_type, subject_id, action, since, until, ...page }: EventQuery,
) => {
  let own = selectEvents(db, provider_id)
  if (subject_type !== undefined) own = own.where('e.subject_type', '=', subject_type)
  if (subject_id !== undefined) own = own.where('e.subject_id', '=', subject_id)
  if (action !== undefined) own = own.where('e.action', '=', action)
  if (since !== undefined)
    own = own.where('e.id', '>=', idsFrom('evt', Date.parse(since))).where('e.at', '>=', Date.parse(since))
  if (until !== undefined)
    own = own.where('e.id', '<=', idsBefore('evt', Date.parse(until))).where('e.at', '<', Date.parse(until))
  const id = sql.ref('e.id')
  const { rows, next_cursor } = await readPage(own, { key: id, keyType: 'string', id, direction: 'desc' }, page)
  const events: TrailEvent[] = rows.map(({ at, before, after, sort_key: _, ...row }) => ({
    ...row,
    at: timeOf(at),
    before: before === null ? null : JSON.parse(before),
    after: after === null ? null : JSON.parse(after),
  }))
  return { events, next_cursor }
}

/* ---- notifications ---- */

export const findNotifications = (db: Db, id: string) =>
  db
    .selectFrom('providers')
    .select(['notify_incidents', 'notify_weekly', 'notify_security'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

export const setNotifications = (
  tx: Tx,
  { id, at, ...set }: { id: string; at: number; notify_incidents?: Flag; notify_weekly?: Flag; notify_security?: Flag },
) =>
  tx
    .updateTable('providers')
    .set({ ...set, updated_at: at })
    .where('id', '=', id)
    .execute()

/* ---- the end ---- */

export const findAccount = (db: Db, id: string) =>
  db
    .selectFrom('providers')
    .select(['id', 'email_norm', 'email_verified_at', 'domain', 'deactivated_at', 'suspended_at'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/** Zero rows if nothing changes. */
export const setDeactivated = (tx: Tx, { id, at, isActive }: { id: string; at: number; isActive: boolean }) =>
  tx
    .updateTable('providers')
    .set({ deactivated_at: isActive ? null : at, updated_at: at, ...(isActive && { suspended_at: null }) })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('deactivated_at', isActive ? 'is not' : 'is', null)
    .returning('id')
    .executeTakeFirst()

/** Every column of a provider that identifies it. The type fails to compile until a new column is classified. */
const erasedPerson = {
  ...emptyProviderFields,
  name_skeleton: null,
  name_since: null,
  unfit_name: 0,
  domain: null,
  domain_nonce: '',
  domain_verified_at: null,
  domain_verification_method: null,
  domain_checked_at: null,
  domain_stale_since: null,
  email: null,
  email_norm: null,
  email_verified_at: null,
  email_vouched_by: null,
  logo_url: null,
  logo_id: null,
  is_listed: 0,
} as const satisfies Omit<Updateable<ProviderTable>, 'id'> & Record<ErasedColumn, unknown>

/** What is kept: numbers, settings and times. */
type KeptColumn =
  | 'id'
  | 'opened_count'
  | 'names_checked'
  | 'notify_incidents'
  | 'notify_weekly'
  | 'notify_security'
  | 'created_at'
  | 'updated_at'
  | 'suspended_at'
  | 'deactivated_at'
  | 'deleted_at'
  | 'erased_at'
  | 'weekly_report_at'
type ErasedColumn = Exclude<keyof ProviderTable, KeptColumn>

/**
 * Deletes an account's data from every table, in one place, so that what remains can be read here. The trail stays; lines about the
 * account itself keep only who did what, and when.
 */
export const eraseProvider = async (tx: Tx, { id, at }: { id: string; at: number }) => {
  await tx
    .updateTable('providers')
    .set({ ...erasedPerson, deleted_at: at, updated_at: at })
    .where('id', '=', id)
    .execute()
  for (const table of [
    'logos',
    'bundles',
    'model_files',
    'provider_domains',
    'declared_signers',
    'trusted_publishers',
    'key_reviews',
    'passwords',
    'identities',
    'sessions',
    'one_time_tokens',
    'authorizations',
    'health_hours',
    'opened_by_day',
    'openings_by_day',
    'link_usage',
  ] as const)
    await tx.deleteFrom(table).where('provider_id', '=', id).execute()
  await tx.deleteFrom('idempotency').where('principal', '=', id).execute()
  await eraseSnapshots(tx, id)
  await tx
    .updateTable('api_keys')
    .set((row) => ({ name: 'Deleted', revoked_at: row.fn.coalesce('revoked_at', row.val(at)) }))
    .where('provider_id', '=', id)
    .execute()
  await tx
    .updateTable('models')
    .set({
      deleted_at: at,
      is_public: 0,
      is_active: 0,
      health_check_enabled: 0,
      health_due_at: null,
      bundle_due_at: null,
    })
    .where('provider_id', '=', id)
    .where('deleted_at', 'is', null)
    .execute()
  await tx
    .updateTable('models')
    .set({ bundle_signer: null, bundle_verdict: null, bundle_verification_details: null })
    .where('provider_id', '=', id)
    .execute()
  await tx
    .updateTable('deployments')
    .set({ deleted_at: at, status: 'disabled', spiffe_id: null, cloud_identity: null, labels: '{}' })
    .where('provider_id', '=', id)
    .execute()
  await tx
    .updateTable('incidents')
    .set({ reporter_email: null, reporter_fingerprint: null })
    .where('provider_id', '=', id)
    .execute()
  await tx
    .updateTable('events')
    .set({ before: null, after: null })
    .where('provider_id', '=', id)
    .where((row) =>
      row.or([
        row('subject_type', 'in', ['provider', 'key', 'deployment', 'signer', 'publisher', 'incident']),
        // The signer may be a person.
        row('action', '=', 'model.bundle_checked'),
      ]),
    )
    .execute()
}

/** Emails waiting for or sent to an address. Only for an account that verified the mailbox; otherwise it may belong to someone else. */
export const eraseAddress = async (tx: Tx, email_norm: string) => {
  await tx.deleteFrom('registrations').where('email_norm', '=', email_norm).execute()
  await tx.deleteFrom('one_time_tokens').where('email_norm', '=', email_norm).execute()
  await tx.deleteFrom('mails').where('recipient', '=', email_norm).execute()
}

/** Deleted accounts whose links still contain personal data, oldest first. */
export const listUnerased = (db: Db, limit: number) =>
  db
    .selectFrom('providers')
    .select('id')
    .where('deleted_at', 'is not', null)
    .where('erased_at', 'is', null)
    .orderBy('deleted_at')
    .limit(limit)
    .execute()

/** One batch at a time, because an account may have millions of links. Returns the last ID of the batch, or undefined at the end. */
export const eraseSomeLinks = async (
  tx: Tx,
  { provider_id, after, limit }: { provider_id: string; after: string; limit: number },
) => {
  const some = tx
    .selectFrom('verifications')
    .select('id')
    .where('provider_id', '=', provider_id)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
  const erased = await tx
    .updateTable('verifications')
    .set({ metadata: null, user_fp: null, prompt_hash: null, challenge: null, origin: null })
    .where('provider_id', '=', provider_id)
    .where('id', 'in', some)
    .returning('id')
    .execute()
  return erased.length < limit ? undefined : erased.reduce((last, { id }) => (id > last ? id : last), after)
}

const eraseSnapshots = (tx: Tx, provider_id: string) =>
  tx
    .updateTable('link_snapshots')
    .set({ company_name: null, website: null, domain: null, name_skeleton: null })
    .where('provider_id', '=', provider_id)
    .execute()

/** Snapshots as well: a link may have been minted while the account was being deleted. */
export const markErased = async (tx: Tx, { id, at }: { id: string; at: number }) => {
  await eraseSnapshots(tx, id)
  await tx.updateTable('providers').set({ erased_at: at }).where('id', '=', id).execute()
}
