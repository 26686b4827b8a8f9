import type { Updateable } from 'kysely'
import { emptyProviderFields } from '../db/provider-fields.ts'
import type { Db, ProviderTable, Tx } from '../db/schema.ts'
import { rejectChangesOfRevoked } from '../db/staged.ts'

export const findAccount = (db: Db, id: string) =>
  db
    .selectFrom('providers')
    .select(['id', 'company_name', 'email_norm', 'email_verified_at', 'domain', 'deactivated_at', 'suspended_at'])
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

/** On reactivation: old results say nothing about endpoints that were not checked while the account was deactivated. */
export const forgetHealth = (tx: Tx, provider_id: string) =>
  tx
    .updateTable('models')
    .set({ health_status: 'unknown', health_failures: 0, uptime_7d: null })
    .where('provider_id', '=', provider_id)
    .where('health_status', '<>', 'unknown')
    .execute()

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
  domain_since: null,
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
 * account itself keep only who did what, and when. Returns who its members were: people are not erased with it.
 */
export const eraseProvider = async (tx: Tx, { id, at }: { id: string; at: number }): Promise<string[]> => {
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
    'workloads',
    'workload_keys',
    'key_reviews',
    'invitations',
    'changes',
    'sessions',
    'one_time_tokens',
    'authorizations',
    'ended_authorizations',
    'health_hours',
    'opened_by_day',
    'openings_by_day',
    'link_usage',
    'log_near_keys',
    'log_near',
  ] as const)
    await tx.deleteFrom(table).where('provider_id', '=', id).execute()
  // The log keeps hashes that no one can guess without the salts erased here.
  for (const table of ['log_pending', 'log_entries'] as const)
    await tx.updateTable(table).set({ revealed: null }).where('owner', '=', id).execute()
  const members = await removeMembers(tx, id)
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
    .set({ bundle_signer: null, bundle_domain: null, bundle_verdict: null, bundle_verification_details: null })
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
  return members
}

const removeMembers = async (tx: Tx, provider_id: string) => {
  const removed = await tx.deleteFrom('members').where('provider_id', '=', provider_id).returning('person_id').execute()
  return removed.map(({ person_id }) => person_id)
}

export const findPerson = (db: Db, id: string) =>
  db.selectFrom('people').select(['email', 'email_norm']).where('id', '=', id).executeTakeFirst()

export const listProvidersOf = async (db: Db, person_id: string) => {
  const rows = await db.selectFrom('members').select('provider_id').where('person_id', '=', person_id).execute()
  return rows.map(({ provider_id }) => provider_id)
}

/** The tables with rows of a person. */
const personTables = [
  'members',
  'passwords',
  'identities',
  'sessions',
  'one_time_tokens',
  'factors',
  'recovery_codes',
  'presences',
] as const

/** Deletes a person’s data from every table. Keys that they made are revoked. The trail says that someone acted, not who. */
export const erasePerson = async (
  tx: Tx,
  { id, email_norm, providers, at }: { id: string; email_norm: string; providers: readonly string[]; at: number },
) => {
  for (const table of personTables) await tx.deleteFrom(table).where('person_id', '=', id).execute()
  await tx.deleteFrom('people').where('id', '=', id).execute()
  await eraseAddress(tx, email_norm)
  await tx.deleteFrom('invitations').where('invited_by', '=', id).execute()
  for (const provider_id of providers) {
    await tx
      .updateTable('api_keys')
      .set((row) => ({ person_id: null, revoked_at: row.fn.coalesce('revoked_at', row.val(at)) }))
      .where('provider_id', '=', provider_id)
      .where('person_id', '=', id)
      .execute()
    await rejectChangesOfRevoked(tx, { provider_id, at })
    await tx
      .updateTable('events')
      .set({ before: null, after: null })
      .where('provider_id', '=', provider_id)
      .where('subject_type', 'in', ['person', 'invitation'])
      .where((row) => row.or([row('subject_id', '=', id), row('after', 'like', `%${JSON.stringify(email_norm)}%`)]))
      .execute()
  }
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

/** The domain stays for reports, until the cleanup deletes the links. */
const eraseSnapshots = (tx: Tx, provider_id: string) =>
  tx
    .updateTable('link_snapshots')
    .set({ company_name: null, website: null, name_skeleton: null })
    .where('provider_id', '=', provider_id)
    .execute()

/** Snapshots as well: a link may have been minted while the account was being deleted. */
export const markErased = async (tx: Tx, { id, at }: { id: string; at: number }) => {
  await eraseSnapshots(tx, id)
  await tx.updateTable('providers').set({ erased_at: at }).where('id', '=', id).execute()
}
