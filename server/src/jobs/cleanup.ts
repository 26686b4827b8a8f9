import type { DeleteResult } from 'kysely'
import type { Database } from '../db/engine.ts'
import type { Tx } from '../db/schema.ts'
import { removeOldMails } from '../outbound/mail.ts'
import { forEachProvider } from './each-provider.ts'

const dayMs = 24 * 3_600_000
/** The limits of a day need only that day; the rest is for owners and operators. */
const keepUsageDays = 400
const keepMailsMs = 30 * dayMs
/** Longer than any link in an email works. */
const keepOutboxMs = 7 * dayMs
const batch = 2_000

type Sweep = (tx: Tx, at: number) => Promise<DeleteResult>

/** Each deletes a limited number of rows, so that other writers don't wait long. */
const sweeps: readonly Sweep[] = [
  (tx, at) =>
    tx
      .deleteFrom('idempotency')
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('principal', 'key'),
          'in',
          selectFrom('idempotency')
            .select(['principal', 'key'])
            .where('expires_at', '<=', at)
            .limit(batch)
            .$asTuple('principal', 'key'),
        ),
      )
      .executeTakeFirst(),
  (tx, at) =>
    tx
      .deleteFrom('one_time_tokens')
      .where('hash', 'in', (rows) =>
        rows
          .selectFrom('one_time_tokens')
          .select('hash')
          .where('expires_at', '<=', at - dayMs)
          .limit(batch),
      )
      .executeTakeFirst(),
  (tx, at) =>
    tx
      .deleteFrom('registrations')
      .where('id', 'in', (rows) =>
        rows.selectFrom('registrations').select('id').where('expires_at', '<=', at).limit(batch),
      )
      .executeTakeFirst(),
  (tx, at) =>
    tx
      .deleteFrom('invitations')
      .where('token_hash', 'in', (rows) =>
        rows.selectFrom('invitations').select('token_hash').where('expires_at', '<=', at).limit(batch),
      )
      .executeTakeFirst(),
  (tx, at) =>
    tx
      .deleteFrom('changes')
      .where('id', 'in', (rows) =>
        rows
          .selectFrom('changes')
          .select('id')
          .where('expires_at', '<=', at - 30 * dayMs)
          .limit(batch),
      )
      .executeTakeFirst(),
  (tx, at) =>
    tx
      .deleteFrom('rate_limits')
      .where('key', 'in', (rows) => rows.selectFrom('rate_limits').select('key').where('expire', '<=', at).limit(batch))
      .executeTakeFirst(),
  (tx, at) =>
    tx
      .deleteFrom('sessions')
      .where('id', 'in', (rows) => rows.selectFrom('sessions').select('id').where('expires_at', '<=', at).limit(batch))
      .executeTakeFirst(),
  (tx, at) =>
    tx
      .deleteFrom('presences')
      .where('session_id', 'in', (rows) =>
        rows.selectFrom('presences').select('session_id').where('expires_at', '<=', at).limit(batch),
      )
      .executeTakeFirst(),
  (tx, at) =>
    tx
      .deleteFrom('used_identity_tokens')
      .where('hash', 'in', (rows) =>
        rows.selectFrom('used_identity_tokens').select('hash').where('expires_at', '<=', at).limit(batch),
      )
      .executeTakeFirst(),
  (tx, at) =>
    tx
      .deleteFrom('workload_keys')
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('provider_id', 'spki_fingerprint'),
          'in',
          selectFrom('workload_keys')
            .select(['provider_id', 'spki_fingerprint'])
            .where('expires_at', '<=', at - dayMs)
            .limit(batch)
            .$asTuple('provider_id', 'spki_fingerprint'),
        ),
      )
      .executeTakeFirst(),
  // The trail records what they did.
  (tx, at) =>
    tx
      .deleteFrom('api_keys')
      .where('publisher_id', 'is not', null)
      .where('lookup', 'in', (rows) =>
        rows
          .selectFrom('api_keys')
          .select('lookup')
          .where('publisher_id', 'is not', null)
          .where('expires_at', '<=', at - dayMs)
          .limit(batch),
      )
      .executeTakeFirst(),
  (tx, at) =>
    tx
      .deleteFrom('mails')
      .where('id', 'in', (rows) =>
        rows
          .selectFrom('mails')
          .select('id')
          .where('due_at', 'is', null)
          .where('created_at', '<=', at - keepMailsMs)
          .limit(batch),
      )
      .executeTakeFirst(),
  (tx, at) =>
    tx
      .deleteFrom('link_usage')
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('provider_id', 'day'),
          'in',
          selectFrom('link_usage')
            .select(['provider_id', 'day'])
            .where('day', '<', Math.floor(at / dayMs) - keepUsageDays)
            .limit(batch)
            .$asTuple('provider_id', 'day'),
        ),
      )
      .executeTakeFirst(),
]

/**
 * Verifications of one provider, oldest first: IDs sort by creation time, so that the primary key finds them and minting needs no further
 * index.
 */
const sweepLinksOf = async (
  database: Database,
  { provider_id, before, signal }: { provider_id: string; before: number; signal: AbortSignal },
) => {
  while (!signal.aborted) {
    const oldest = await database.read
      .selectFrom('verifications')
      .select(['id', 'expires_at'])
      .where('provider_id', '=', provider_id)
      .orderBy('id')
      .limit(batch)
      .execute()
    const ids = oldest.filter(({ expires_at }) => expires_at < before).map(({ id }) => id)
    const last = ids.at(-1)
    if (last === undefined) return
    await database.transaction(async (tx) => {
      await tx
        .deleteFrom('bindings')
        .where('provider_id', '=', provider_id)
        .where('verification_id', '<=', last)
        .execute()
      await tx
        .deleteFrom('verifications')
        .where('provider_id', '=', provider_id)
        .where('id', '<=', last)
        .where('expires_at', '<', before)
        .execute()
    })
    if (ids.length < batch) return
  }
}

/** What the links of a deleted account named is deleted with the last of them. */
const sweepSnapshotsOf = async (database: Database, provider_id: string) => {
  const unused = await database.read
    .selectFrom('providers as p')
    .select('p.id')
    .where('p.id', '=', provider_id)
    .where('p.deleted_at', 'is not', null)
    .where(({ exists, not, selectFrom }) =>
      exists(selectFrom('link_snapshots as s').select('s.id').whereRef('s.provider_id', '=', 'p.id')).and(
        not(exists(selectFrom('verifications as v').select('v.id').whereRef('v.provider_id', '=', 'p.id'))),
      ),
    )
    .executeTakeFirst()
  if (!unused) return
  await database.transaction((tx) => tx.deleteFrom('link_snapshots').where('provider_id', '=', provider_id).execute())
}

interface Deps {
  database: Database
  outbox: string
  /** How long providers see links, and bind answers to them, after they expire. */
  keepLinksDays: number
  now: () => number
}

/** Deletes what has expired and is no longer needed. Idempotent. */
export const createCleanup =
  ({ database, outbox, keepLinksDays, now }: Deps) =>
  async (signal: AbortSignal): Promise<void> => {
    for (const sweep of sweeps) {
      let removed = batch
      while (removed === batch && !signal.aborted) {
        removed = Number((await database.transaction((tx) => sweep(tx, now()))).numDeletedRows)
      }
    }
    await removeOldMails(outbox, now() - keepOutboxMs)
    await forEachProvider(database, signal, async (provider_id) => {
      await sweepLinksOf(database, { provider_id, before: now() - keepLinksDays * dayMs, signal })
      await sweepSnapshotsOf(database, provider_id)
    })
  }
