import { type Insertable, sql } from 'kysely'
import { idsFrom } from '../db/id-times.ts'
import type { ChangeTable, Db, Tx } from '../db/schema.ts'

interface Own {
  provider_id: string
  id: string
}

const lastDecisions = 50

const selectChanges = (db: Db, provider_id: string) =>
  db
    .selectFrom('changes as c')
    .leftJoin('api_keys as k', (join) =>
      join.onRef('k.provider_id', '=', 'c.provider_id').onRef('k.id', '=', 'c.key_id'),
    )
    .leftJoin('sessions as s', 's.id', 'c.actor')
    .leftJoin('people as e', 'e.id', 'c.decided_by')
    .selectAll('c')
    .select(['e.email as decider', (of) => of.fn.coalesce('k.name', 's.device').as('actor_name')])
    .where('c.provider_id', '=', provider_id)
    .where('c.state', '!=', 'stop')

export type ChangeRow = Awaited<ReturnType<typeof listChanges>>[number]

/** Open ones first, newest first. */
export const listChanges = (db: Db, { provider_id, at }: { provider_id: string; at: number }) =>
  selectChanges(db, provider_id)
    .orderBy(sql`case when c.state in ('open', 'delayed') and c.expires_at > ${at} then 0 else 1 end`)
    .orderBy('c.id', 'desc')
    .limit(lastDecisions)
    .execute()

export const findChange = (db: Db, { provider_id, id }: Own) =>
  selectChanges(db, provider_id).where('c.id', '=', id).executeTakeFirst()

export const countOpen = async (db: Db, { provider_id, at }: { provider_id: string; at: number }): Promise<number> => {
  const row = await db
    .selectFrom('changes')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('provider_id', '=', provider_id)
    .where('state', '=', 'open')
    .where('expires_at', '>', at)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Expired ones no longer block the same call. */
export const releaseExpired = (tx: Tx, { provider_id, at }: { provider_id: string; at: number }) =>
  tx
    .updateTable('changes')
    .set({ digest: null, body: null })
    .where('provider_id', '=', provider_id)
    .where('state', '=', 'open')
    .where('digest', 'is not', null)
    .where('expires_at', '<=', at)
    .execute()

export const findByDigest = (db: Db, { provider_id, digest }: { provider_id: string; digest: string }) =>
  db
    .selectFrom('changes')
    .select('id')
    .where('provider_id', '=', provider_id)
    .where('digest', '=', digest)
    .executeTakeFirst()

export const insertChange = (tx: Tx, row: Insertable<ChangeTable>) => tx.insertInto('changes').values(row).execute()

/** One decision wins: zero rows if it was decided, has expired, or belongs to another provider. */
export const decideChange = (
  tx: Tx,
  { provider_id, id, state, at, by }: Own & { state: 'approved' | 'rejected'; at: number; by: string | null },
) =>
  tx
    .updateTable('changes')
    .set({ state, decided_at: at, decided_by: by, body: null, digest: null })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('state', '=', 'open')
    .where('expires_at', '>', at)
    .returning('id')
    .executeTakeFirst()

export const countStops = async (
  tx: Tx,
  { provider_id, since }: { provider_id: string; since: number },
): Promise<number> => {
  const row = await tx
    .selectFrom('changes')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('provider_id', '=', provider_id)
    .where('state', '=', 'stop')
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return row.count
}

/* ---- what the rules depend on ---- */

export const findDetails = (db: Db, provider_id: string) =>
  db
    .selectFrom('providers')
    .select(['company_name', 'website', 'support_email'])
    .where('id', '=', provider_id)
    .executeTakeFirst()

/**
 * Whether a deployment may mint for any version of the model to which this version belongs, and was not revoked on this version or on a
 * later one than that: authorizing it again undoes a stop.
 */
export const isAuthorizedForModel = async (
  db: Db,
  { provider_id, model_id, deployment_id }: { provider_id: string; model_id: string; deployment_id: string },
): Promise<boolean> => {
  const row = await db
    .selectFrom('models as m')
    .innerJoin('models as v', (join) =>
      join
        .onRef('v.provider_id', '=', 'm.provider_id')
        .onRef('v.api_model_identifier', '=', 'm.api_model_identifier')
        .on('v.archived_at', 'is', null)
        .on('v.deleted_at', 'is', null),
    )
    .innerJoin('authorizations as a', (join) =>
      join.onRef('a.provider_id', '=', 'v.provider_id').onRef('a.model_id', '=', 'v.id'),
    )
    .select('a.model_id')
    .where('m.provider_id', '=', provider_id)
    .where('m.id', '=', model_id)
    .where('a.deployment_id', '=', deployment_id)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('ended_authorizations as e')
            .innerJoin('models as x', (join) =>
              join.onRef('x.provider_id', '=', 'e.provider_id').onRef('x.id', '=', 'e.model_id'),
            )
            .select('e.model_id')
            .where('e.provider_id', '=', provider_id)
            .where('e.deployment_id', '=', deployment_id)
            .whereRef('x.api_model_identifier', '=', 'm.api_model_identifier')
            .where(({ or, eb, ref }) =>
              or([eb('x.id', '=', ref('m.id')), eb('x.version_number', '>=', ref('v.version_number'))]),
            ),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the latest version of a model is archived and has authorized deployments: copying those undoes a stop. */
export const isLatestArchived = async (
  db: Db,
  { provider_id, identifier }: { provider_id: string; identifier: string },
): Promise<boolean> => {
  const row = await db
    .selectFrom('models as m')
    .innerJoin('authorizations as a', (join) =>
      join.onRef('a.provider_id', '=', 'm.provider_id').onRef('a.model_id', '=', 'm.id'),
    )
    .select('m.id')
    .where('m.provider_id', '=', provider_id)
    .where('m.api_model_identifier', '=', identifier)
    .where('m.is_latest', '=', 1)
    .where('m.archived_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export const countArchived = async (
  db: Db,
  { provider_id, since }: { provider_id: string; since: number },
): Promise<number> => {
  const row = await db
    .selectFrom('events')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('provider_id', '=', provider_id)
    .where('action', '=', 'model.archived')
    .where('id', '>=', idsFrom('evt', since))
    .where('at', '>', since)
    .executeTakeFirstOrThrow()
  return row.count
}

export const findReviewed = async (db: Db, { provider_id, id }: Own) => {
  const row = await db
    .selectFrom('key_reviews')
    .select('kind')
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.kind ?? null
}
