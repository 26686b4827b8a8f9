import { platformOf, type Workload } from '@countersign/sdk/contract'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db, Tx, WorkloadKeyTable, WorkloadTable } from '../db/schema.ts'
import { timeOf } from '../db/times.ts'

export type WorkloadRow = Selectable<WorkloadTable>

interface Own {
  provider_id: string
  id: string
}

/** Zero rows if the same identity is already trusted for this deployment. */
export const insertWorkload = (tx: Tx, row: Insertable<WorkloadTable>): Promise<WorkloadRow | undefined> =>
  tx
    .insertInto('workloads')
    .values(row)
    .onConflict((conflict) => conflict.columns(['provider_id', 'identity']).doNothing())
    .returningAll()
    .executeTakeFirst()

export const listWorkloads = (db: Db, provider_id: string): Promise<WorkloadRow[]> =>
  db.selectFrom('workloads').selectAll().where('provider_id', '=', provider_id).orderBy('id').execute()

/** With the keys that it was given. */
export const deleteWorkload = async (tx: Tx, { provider_id, id }: Own): Promise<WorkloadRow | undefined> => {
  await tx.deleteFrom('workload_keys').where('provider_id', '=', provider_id).where('workload_id', '=', id).execute()
  return tx
    .deleteFrom('workloads')
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** The issuers of trusted identities, and the identities that are marked as refused. */
export const listIssuers = (db: Db) =>
  db
    .selectFrom('workloads')
    .select(['issuer', sql<number>`case when issuer_refused_at is null then 0 else 1 end`.as('is_refused')])
    .distinct()
    .execute()

/** Ends the keys of those whose issuer is refused from now on. */
export const setIssuerRefused = async (tx: Tx, issuer: string, at: number | null): Promise<WorkloadRow[]> => {
  const changed = await tx
    .updateTable('workloads')
    .set({ issuer_refused_at: at })
    .where('issuer', '=', issuer)
    .where('issuer_refused_at', at === null ? 'is not' : 'is', null)
    .returningAll()
    .execute()
  if (at !== null)
    await tx
      .deleteFrom('workload_keys')
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('workloads as w')
            .select('w.id')
            .whereRef('w.provider_id', '=', 'workload_keys.provider_id')
            .whereRef('w.id', '=', 'workload_keys.workload_id')
            .where('w.issuer', '=', issuer),
        ),
      )
      .execute()
  return changed
}

/** Identities of one issuer that stand for enabled deployments, if the provider exists and is active. */
export const findTrusted = (
  db: Db,
  { provider_id, issuer }: { provider_id: string; issuer: string },
): Promise<WorkloadRow[]> =>
  db
    .selectFrom('workloads as w')
    .innerJoin('providers as p', 'p.id', 'w.provider_id')
    .innerJoin('deployments as d', (join) =>
      join.onRef('d.provider_id', '=', 'w.provider_id').onRef('d.id', '=', 'w.deployment_id'),
    )
    .selectAll('w')
    .where('w.provider_id', '=', provider_id)
    .where('w.issuer', '=', issuer)
    .where('p.deleted_at', 'is', null)
    .where('p.deactivated_at', 'is', null)
    .where('p.suspended_at', 'is', null)
    .where('d.status', '=', 'enabled')
    .where('d.deleted_at', 'is', null)
    .orderBy('w.id')
    .execute()

/** Zero rows if it is no longer trusted. */
export const noteUse = (tx: Tx, { provider_id, id, at }: Own & { at: number }) =>
  tx
    .updateTable('workloads')
    .set({ last_used_at: at })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()

/** Zero rows if the key was used in an earlier exchange. */
export const insertWorkloadKey = (tx: Tx, row: Insertable<WorkloadKeyTable>) =>
  tx
    .insertInto('workload_keys')
    .values(row)
    .onConflict((conflict) => conflict.columns(['provider_id', 'spki_fingerprint']).doNothing())
    .returning('spki_fingerprint')
    .executeTakeFirst()

/** Whether the key belongs to a registered deployment, of anyone. */
export const isDeploymentKey = async (db: Db, spki_fingerprint: string): Promise<boolean> => {
  const row = await db
    .selectFrom('deployments')
    .select(sql<number>`1`.as('one'))
    .where('spki_fingerprint', '=', spki_fingerprint)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

export const workloadOf = (row: WorkloadRow): Workload => ({
  id: row.id,
  deployment_id: row.deployment_id,
  issuer: row.issuer,
  platform: platformOf(row.issuer),
  subject: row.subject,
  claims: JSON.parse(row.claims),
  audience: row.audience,
  created_at: timeOf(row.created_at),
  last_used_at: timeOf(row.last_used_at),
  is_issuer_accepted: row.issuer_refused_at === null,
})
