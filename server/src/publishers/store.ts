import type { Publisher } from '@countersign/sdk/contract'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db, TrustedPublisherTable, Tx } from '../db/schema.ts'
import { timeOf } from '../db/times.ts'

export type PublisherRow = Selectable<TrustedPublisherTable>

/** Zero rows if the same publisher is already trusted. */
export const insertPublisher = (
  tx: Tx,
  publisher: Insertable<TrustedPublisherTable>,
): Promise<PublisherRow | undefined> =>
  tx
    .insertInto('trusted_publishers')
    .values(publisher)
    .onConflict((conflict) => conflict.columns(['provider_id', 'identity']).doNothing())
    .returningAll()
    .executeTakeFirst()

export const listPublishers = (db: Db, provider_id: string): Promise<PublisherRow[]> =>
  db.selectFrom('trusted_publishers').selectAll().where('provider_id', '=', provider_id).orderBy('id').execute()

export const deletePublisher = (
  tx: Tx,
  { provider_id, id }: { provider_id: string; id: string },
): Promise<PublisherRow | undefined> =>
  tx
    .deleteFrom('trusted_publishers')
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

/** The issuers of trusted publishers, and the publishers that are marked as refused. */
export const listIssuers = (db: Db) =>
  db
    .selectFrom('trusted_publishers')
    .select(['kind', 'issuer', sql<number>`case when issuer_refused_at is null then 0 else 1 end`.as('is_refused')])
    .distinct()
    .execute()

export const setIssuerRefused = (
  tx: Tx,
  { kind, issuer }: Pick<PublisherRow, 'kind' | 'issuer'>,
  at: number | null,
): Promise<PublisherRow[]> =>
  tx
    .updateTable('trusted_publishers')
    .set({ issuer_refused_at: at })
    .where('kind', '=', kind)
    .where('issuer', '=', issuer)
    .where('issuer_refused_at', at === null ? 'is not' : 'is', null)
    .returningAll()
    .execute()

/** Publishers of one issuer that the registry accepts, if the provider exists and is active. */
export const findTrusted = (
  tx: Tx,
  { provider_id, issuer }: { provider_id: string; issuer: string },
): Promise<PublisherRow[]> =>
  tx
    .selectFrom('trusted_publishers as t')
    .innerJoin('providers as p', 'p.id', 't.provider_id')
    .selectAll('t')
    .where('t.provider_id', '=', provider_id)
    .where('t.issuer', '=', issuer)
    .where('t.issuer_refused_at', 'is', null)
    .where('p.deleted_at', 'is', null)
    .where('p.deactivated_at', 'is', null)
    .orderBy('t.id')
    .execute()

interface Use {
  provider_id: string
  id: string
  at: number
  repository_id: string | null
  repository_owner_id: string | null
}

/** Pins the numbers at first use. Zero rows if another use has pinned others, or it is no longer trusted. */
export const noteUse = (
  tx: Tx,
  { provider_id, id, at, repository_id, repository_owner_id }: Use,
): Promise<{ id: string } | undefined> =>
  tx
    .updateTable('trusted_publishers')
    .set({ last_used_at: at, repository_id, repository_owner_id })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where((where) => where.or([where('repository_id', 'is', null), where('repository_id', '=', repository_id)]))
    .where((where) =>
      where.or([where('repository_owner_id', 'is', null), where('repository_owner_id', '=', repository_owner_id)]),
    )
    .returning('id')
    .executeTakeFirst()

/** Whether it is the first since `before`. */
export const noteRefusal = async (
  tx: Tx,
  {
    provider_id,
    id,
    at,
    before,
    claim,
  }: { provider_id: string; id: string; at: number; before: number; claim: string },
): Promise<boolean> => {
  const note = tx
    .updateTable('trusted_publishers')
    .set({ last_refused_at: at, last_refused_claim: claim })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
  const first = await note
    .where((where) => where.or([where('last_refused_at', 'is', null), where('last_refused_at', '<=', before)]))
    .returning('id')
    .executeTakeFirst()
  if (first === undefined) await note.execute()
  return first !== undefined
}

/** Zero rows if the token was already used. */
export const useToken = (tx: Tx, used: { hash: string; expires_at: number }): Promise<{ hash: string } | undefined> =>
  tx
    .insertInto('used_identity_tokens')
    .values(used)
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .returning('hash')
    .executeTakeFirst()

export const publisherOf = (row: PublisherRow): Publisher => ({
  id: row.id,
  kind: row.kind,
  issuer: row.issuer,
  repository: row.repository,
  repository_id: row.repository_id,
  repository_owner_id: row.repository_owner_id,
  workflow: row.workflow,
  environment: row.environment,
  subject: row.subject,
  created_at: timeOf(row.created_at),
  last_used_at: timeOf(row.last_used_at),
  last_refusal:
    row.last_refused_at === null || row.last_refused_claim === null
      ? null
      : { at: timeOf(row.last_refused_at), claim: row.last_refused_claim },
  is_issuer_accepted: row.issuer_refused_at === null,
})
