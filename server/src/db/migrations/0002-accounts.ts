import { sql } from 'kysely'
import type { Tx } from '../schema.ts'
import { addColumns, index, table } from './build.ts'

/** Accounts, incidents, jobs and the other tables of the API. */
export const up = async (tx: Tx) => {
  await addColumns(tx, 'providers', {
    email_norm: 'text',
    email_vouched_by: 'text',
    logo_id: 'text',
    domain_due_at: 'bigint',
    name_skeleton: 'text',
    erased_at: 'bigint',
    notify_incidents: 'integer! default 1',
    notify_weekly: 'integer! default 0',
    notify_security: 'integer! default 1',
    weekly_report_at: 'bigint',
  })
  await tx
    .updateTable('providers')
    .set({ email_norm: tx.fn('lower', ['email']) })
    .execute()
  // In plain SQL: a later migration drops the column.
  await sql`update providers set domain_due_at = domain_verified_at where domain_verification_method = 'dns'`.execute(
    tx,
  )
  await index(tx, 'providers', ['email_norm'], {
    unique: true,
    where: 'email_verified_at is not null and deleted_at is null',
    name: 'providers_one_verified_per_address',
  })
  await index(tx, 'providers', ['domain_due_at'], { where: 'domain_due_at is not null', name: 'providers_domain_due' })
  await index(tx, 'providers', ['weekly_report_at'], { where: 'notify_weekly = 1', name: 'providers_weekly' })
  await index(tx, 'providers', ['deleted_at'], {
    where: 'deleted_at is not null and erased_at is null',
    name: 'providers_to_erase',
  })
  await index(tx, 'providers', ['name_skeleton'], {
    where: 'domain_verified_at is not null and deleted_at is null',
    name: 'providers_verified_names',
  })

  await addColumns(tx, 'api_keys', { scopes: 'text', expires_at: 'bigint' })

  await addColumns(tx, 'models', {
    opened_count: 'bigint! default 0',
    health_last_check: 'bigint',
    health_interval_seconds: 'integer! default 300',
    health_due_at: 'bigint',
    health_failures: 'integer! default 0',
    huggingface_revision: 'text',
  })
  await index(tx, 'models', ['health_due_at'], { where: 'health_due_at is not null', name: 'models_health_due' })

  // One row for each hour in which a model was probed; its uptime covers a week of them.
  await table(
    tx,
    'health_hours',
    { provider_id: 'text!', model_id: 'text!', hour: 'bigint!', checks: 'integer!', healthy: 'integer!' },
    ['provider_id', 'model_id', 'hour'],
  )

  await tx
    .updateTable('models')
    .set((model) => ({ health_due_at: model.ref('created_at') }))
    .where('health_check_enabled', '=', 1)
    .where('is_latest', '=', 1)
    .where('archived_at', 'is', null)
    .execute()

  // Links opened so far count for their models. A provider's own number grows at most once a day per visitor network.
  await tx
    .updateTable('models')
    .set((model) => ({
      opened_count: model
        .selectFrom('verifications as v')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('v.provider_id', '=', 'models.provider_id')
        .whereRef('v.model_id', '=', 'models.id')
        .where('v.opened_at', 'is not', null),
    }))
    .where('first_verified_at', 'is not', null)
    .execute()
  await table(tx, 'opened_by_day', { provider_id: 'text!', day: 'integer!', viewer: 'text!' }, [
    'provider_id',
    'day',
    'viewer',
  ])
  await index(tx, 'events', ['provider_id', 'subject_id', 'id'])

  await table(tx, 'logos', { provider_id: 'text!', id: 'text!', bytes: 'bytea!', created_at: 'bigint!' }, [
    'provider_id',
    'id',
  ])
  await index(tx, 'logos', ['id'])

  await table(tx, 'passwords', { provider_id: 'text!', hash: 'text!', set_at: 'bigint!' }, ['provider_id'])
  await table(
    tx,
    'identities',
    { issuer: 'text!', subject: 'text!', provider_id: 'text!', login: 'text', email: 'text', linked_at: 'bigint!' },
    ['issuer', 'subject'],
  )
  await index(tx, 'identities', ['provider_id'])
  await table(
    tx,
    'sessions',
    {
      provider_id: 'text!',
      id: 'text!',
      token_hash: 'text!',
      user_agent: 'text',
      created_at: 'bigint!',
      last_used_at: 'bigint!',
      expires_at: 'bigint!',
      revoked_at: 'bigint',
    },
    ['provider_id', 'id'],
  )
  await index(tx, 'sessions', ['id'], { unique: true })

  // Registration details that wait for the mailbox to be verified. Several may wait for one address; the first to be verified wins.
  await table(
    tx,
    'registrations',
    {
      id: 'text!',
      email: 'text!',
      email_norm: 'text!',
      company_name: 'text',
      website: 'text',
      password_hash: 'text',
      cookie_hash: 'text',
      confirmation_hash: 'text!',
      created_at: 'bigint!',
      expires_at: 'bigint!',
      completed_at: 'bigint',
    },
    ['id'],
  )
  await index(tx, 'registrations', ['expires_at'])
  // Tokens in emails and redirects: single use, hashed, bound to one purpose and one subject.
  await table(
    tx,
    'one_time_tokens',
    {
      hash: 'text!',
      purpose: 'text!',
      registration_id: 'text',
      provider_id: 'text',
      email_norm: 'text',
      code_hash: 'text',
      cookie_hash: 'text',
      data: 'text',
      attempts: 'integer!',
      stray_attempts: 'integer! default 0',
      created_at: 'bigint!',
      expires_at: 'bigint!',
      used_at: 'bigint',
    },
    ['hash'],
  )
  await index(tx, 'one_time_tokens', ['email_norm', 'purpose'])
  await index(tx, 'one_time_tokens', ['provider_id', 'purpose'])
  await index(tx, 'one_time_tokens', ['expires_at'])

  await table(
    tx,
    'incidents',
    {
      provider_id: 'text!',
      id: 'text!',
      model_id: 'text!',
      verification_id: 'text',
      category: 'text!',
      severity: 'text!',
      status: 'text!',
      title: 'text!',
      description: 'text!',
      reference_url: 'text',
      screenshot_url: 'text',
      reporter_email: 'text',
      reporter_fingerprint: 'text',
      is_verified_report: 'integer!',
      counts_publicly: 'integer!',
      provider_response: 'text',
      created_at: 'bigint!',
      updated_at: 'bigint!',
      resolved_at: 'bigint',
      digested_at: 'bigint',
    },
    ['provider_id', 'id'],
  )
  await index(tx, 'incidents', ['provider_id', 'model_id', 'created_at'])
  await index(tx, 'incidents', ['provider_id', 'verification_id', 'category'], {
    unique: true,
    where: 'verification_id is not null',
    name: 'incidents_one_per_link_and_category',
  })
  await index(tx, 'incidents', ['provider_id'], { where: 'digested_at is null', name: 'incidents_undigested' })

  // Emails are queued in the transaction they report on, and sent by a job.
  await table(
    tx,
    'mails',
    {
      id: 'text!',
      recipient: 'text!',
      subject: 'text!',
      body_text: 'text!',
      body_html: 'text!',
      cap: 'text',
      attempts: 'integer!',
      due_at: 'bigint',
      created_at: 'bigint!',
      sent_at: 'bigint',
    },
    ['id'],
  )
  await index(tx, 'mails', ['recipient', 'created_at'])
  await index(tx, 'mails', ['due_at'], { where: 'due_at is not null', name: 'mails_due' })

  await table(
    tx,
    'jobs',
    { name: 'text!', due_at: 'bigint!', holder: 'text', leased_until: 'bigint', last_run_at: 'bigint' },
    ['name'],
  )
  await table(tx, 'rate_limits', { key: 'text!', points: 'integer!', expire: 'bigint' }, ['key'])
}
