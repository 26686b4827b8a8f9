import type { Insertable, Selectable } from 'kysely'
import { listOwnerMailboxes } from '../db/people.ts'
import type { Db, LogDisputeTable, Tx } from '../db/schema.ts'

export type Dispute = Selectable<LogDisputeTable>

/** An entry about a provider, if it is in the tree. */
export const findOwnEntry = (db: Db, { provider_id, position }: { provider_id: string; position: number }) =>
  db
    .selectFrom('log_entries')
    .selectAll()
    .where('position', '=', position)
    .where('owner', '=', provider_id)
    .executeTakeFirst()

/** Zero rows if the entry was disputed already. */
export const insertDispute = (tx: Tx, dispute: Insertable<LogDisputeTable>) =>
  tx
    .insertInto('log_disputes')
    .values(dispute)
    .onConflict((conflict) => conflict.columns(['provider_id', 'entry_id']).doNothing())
    .returning('id')
    .executeTakeFirst()

export const findDispute = (db: Db, { provider_id, entry_id }: Pick<Dispute, 'provider_id' | 'entry_id'>) =>
  db
    .selectFrom('log_disputes')
    .selectAll()
    .where('provider_id', '=', provider_id)
    .where('entry_id', '=', entry_id)
    .executeTakeFirst()

/** The reports about these entries, by entry. */
export const listDisputesOf = async (db: Db, provider_id: string, entryIds: readonly string[]) => {
  if (entryIds.length === 0) return new Map<string, string>()
  const rows = await db
    .selectFrom('log_disputes')
    .select(['entry_id', 'id'])
    .where('provider_id', '=', provider_id)
    .where('entry_id', 'in', entryIds)
    .execute()
  return new Map(rows.map(({ entry_id, id }) => [entry_id, id]))
}

/** Whom to email: the owners, or the verified mailbox of a provider without owners. */
export const listMailboxes = async (db: Db, provider_id: string): Promise<string[]> => {
  const owners = await listOwnerMailboxes(db, provider_id)
  if (owners.length > 0) return owners.map(({ email }) => email)
  const provider = await db
    .selectFrom('providers')
    .select('email')
    .where('id', '=', provider_id)
    .where('email_verified_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return provider?.email ? [provider.email] : []
}

/* ---- for the operator ---- */

const mostListed = 200

const selectAny = (db: Db) =>
  db
    .selectFrom('log_disputes as d')
    .leftJoin('log_entries as e', 'e.position', 'd.position')
    .selectAll('d')
    .select(['e.type', 'e.at', 'e.subject'])

/** The oldest that are open: of all providers, or of one by its ID or a domain that it has proven. */
export const listOpenDisputes = (db: Db, providerOrDomain: string | undefined) => {
  const open = selectAny(db).where('d.closed_at', 'is', null).orderBy('d.created_at').orderBy('d.id').limit(mostListed)
  if (providerOrDomain === undefined) return open.execute()
  return open
    .where((row) =>
      row.or([
        row('d.provider_id', '=', providerOrDomain),
        row.exists(
          row
            .selectFrom('provider_domains as o')
            .select('o.domain')
            .whereRef('o.provider_id', '=', 'd.provider_id')
            .where('o.domain', '=', providerOrDomain.toLowerCase()),
        ),
      ]),
    )
    .execute()
}

export type OperatorDispute = Awaited<ReturnType<typeof listOpenDisputes>>[number]

export const findAnyDispute = (db: Db, id: string) => selectAny(db).where('d.id', '=', id).executeTakeFirst()

/** Zero rows if it is closed already. */
export const closeDispute = (tx: Tx, { id, reason, at }: { id: string; reason: string | null; at: number }) =>
  tx
    .updateTable('log_disputes')
    .set({ closed_at: at, closed_reason: reason })
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .returning(['provider_id', 'position'])
    .executeTakeFirst()
