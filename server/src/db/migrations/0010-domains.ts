import { sql } from 'kysely'
import type { Tx } from '../schema.ts'
import { addColumns, index, table } from './build.ts'

/** Providers may prove several domains. A mailbox proves none: those proofs end, and the job `domains` notifies their owners. */
export const up = async (tx: Tx) => {
  await table(
    tx,
    'provider_domains',
    {
      provider_id: 'text!',
      domain: 'text!',
      nonce: 'text!',
      is_primary: 'integer!',
      method: 'text',
      verified_at: 'bigint',
      checked_at: 'bigint',
      stale_since: 'bigint',
      due_at: 'bigint',
      contested_at: 'bigint',
      contested_by: 'text',
      lost_at: 'bigint',
      notice: 'text',
      created_at: 'bigint!',
    },
    ['provider_id', 'domain'],
  )
  await index(tx, 'provider_domains', ['domain'], {
    unique: true,
    where: 'verified_at is not null',
    name: 'provider_domains_one_proven_per_domain',
  })
  await index(tx, 'provider_domains', ['provider_id'], {
    unique: true,
    where: 'is_primary = 1',
    name: 'provider_domains_one_primary',
  })
  await index(tx, 'provider_domains', ['due_at'], { where: 'due_at is not null', name: 'provider_domains_due' })
  await addColumns(tx, 'providers', { domain_checked_at: 'bigint', domain_stale_since: 'bigint' })

  const isKept = sql<number>`domain_verified_at is not null and domain_verification_method <> 'email'`
  const isByMailbox = sql<number>`domain_verified_at is not null and domain_verification_method = 'email'`
  await sql`insert into provider_domains
      (provider_id, domain, nonce, is_primary, method, verified_at, checked_at, due_at, notice, created_at)
    select id, domain, domain_nonce, 1,
      case when ${isKept} then domain_verification_method end,
      case when ${isKept} then domain_verified_at end,
      domain_verified_at,
      case when domain_verified_at is not null then domain_verified_at end,
      case when ${isByMailbox} then 'email_ended' end,
      created_at
    from providers where domain is not null and deleted_at is null`.execute(tx)
  await sql`update providers set domain_checked_at = domain_verified_at where domain_verified_at is not null`.execute(
    tx,
  )
  await sql`update providers set domain_verified_at = null, domain_verification_method = null where domain_verification_method = 'email'`.execute(
    tx,
  )
  // Replaced by the new table.
  await sql`drop index providers_one_verified_per_domain`.execute(tx)
  await sql`drop index providers_domain_due`.execute(tx)
  await sql`alter table providers drop column domain_due_at`.execute(tx)
}
