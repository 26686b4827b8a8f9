import type { KeyReview } from '@countersign/sdk/contract'
import { type Insertable, type Selectable, sql } from 'kysely'
import { idsFrom } from '../db/id-times.ts'
import type { Db, KeyReviewTable, Tx } from '../db/schema.ts'
import { timeOf } from '../db/times.ts'
import { lastingActions, type TrailLine } from './rules.ts'

type ReviewRow = Selectable<KeyReviewTable>

interface Own {
  provider_id: string
  id: string
}

/** Oldest first. */
export const readTrail = async (
  tx: Tx,
  { provider_id, since }: { provider_id: string; since: number },
): Promise<TrailLine[]> => {
  const rows = await tx
    .selectFrom('events')
    .select(['actor', 'person_id', 'action', 'subject_id', 'at', 'before', 'after'])
    .where('provider_id', '=', provider_id)
    .where('id', '>=', idsFrom('evt', since))
    .where('at', '>=', since)
    .where('action', 'in', lastingActions)
    .orderBy('id')
    .execute()
  const parsed = (text: string | null) => (text === null ? null : JSON.parse(text))
  return rows.map(({ before, after, ...line }) => ({ ...line, before: parsed(before), after: parsed(after) }))
}

/** Authorizations that a version had when it was registered. */
export const listCopied = (
  tx: Tx,
  { provider_id, model_id, until }: { provider_id: string; model_id: string; until: number },
) =>
  tx
    .selectFrom('authorizations')
    .select('deployment_id')
    .where('provider_id', '=', provider_id)
    .where('model_id', '=', model_id)
    .where('authorized_at', '<=', until)
    .execute()

/** The name its owner knows: the name of a version, the fingerprint of a deployment. */
export const nameOfVersion = async (tx: Tx, { provider_id, id }: Own): Promise<string | null> => {
  const row = await tx
    .selectFrom('models')
    .select(['display_name', 'version'])
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ? `${row.display_name} ${row.version}` : null
}

export const nameOfDeployment = async (tx: Tx, { provider_id, id }: Own): Promise<string | null> => {
  const row = await tx
    .selectFrom('deployments')
    .select('spki_fingerprint')
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.spki_fingerprint ?? null
}

/** What a compromised key may have changed of the provider itself, at present. */
export const findProfile = (tx: Tx, id: string) =>
  tx.selectFrom('providers').select(['company_name', 'website']).where('id', '=', id).executeTakeFirstOrThrow()

/** For what was already suspended, the time of its last suspended change. */
export const readReviewed = async (tx: Tx, provider_id: string): Promise<Map<string, number>> => {
  const rows = await tx
    .selectFrom('key_reviews')
    .select((of) => ['kind', 'subject_id', of.fn.max('changed_at').as('changed_at')])
    .where('provider_id', '=', provider_id)
    .groupBy(['kind', 'subject_id'])
    .execute()
  return new Map(rows.map(({ kind, subject_id, changed_at }) => [`${kind} ${subject_id}`, Number(changed_at)]))
}

export const insertReview = (tx: Tx, row: Insertable<KeyReviewTable>) =>
  tx.insertInto('key_reviews').values(row).execute()

/** Pending ones before decided ones. */
export const listReviews = (db: Db, provider_id: string): Promise<ReviewRow[]> =>
  db
    .selectFrom('key_reviews')
    .selectAll()
    .where('provider_id', '=', provider_id)
    .orderBy(sql`case when decision is null then 0 else 1 end`)
    .orderBy('id', 'desc')
    .limit(1_000)
    .execute()

export const findReview = (db: Db, { provider_id, id }: Own): Promise<ReviewRow | undefined> =>
  db
    .selectFrom('key_reviews')
    .selectAll()
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .executeTakeFirst()

/** Zero rows if it was already decided. */
export const decide = (
  tx: Tx,
  { provider_id, id, decision, at }: Own & { decision: 'confirmed' | 'withdrawn'; at: number },
): Promise<ReviewRow | undefined> =>
  tx
    .updateTable('key_reviews')
    .set({ decision, decided_at: at })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('decision', 'is', null)
    .returningAll()
    .executeTakeFirst()

export const reviewOf = (row: ReviewRow): KeyReview => ({
  id: row.id,
  key_id: row.key_id,
  actor: row.actor,
  kind: row.kind,
  subject_id: row.subject_id,
  name: row.name,
  changed_at: timeOf(row.changed_at),
  decision: row.decision,
  decided_at: timeOf(row.decided_at),
})
