import { type SqlBool, sql } from 'kysely'

/** Whether the platform identity of its last proof still stands for a deployment. The row of `deployments` is called `alias`. */
export const isPlatformTrusted = (alias: string) => {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql<SqlBool>`exists (select 1 from workloads w where w.provider_id = ${column('provider_id')}
    and w.id = ${column('last_proven_workload')} and w.deployment_id = ${column('id')} and w.issuer_refused_at is null)`
}
