import { sql } from 'kysely'
import type { Tx } from '../schema.ts'
import { addColumns, table } from './build.ts'

/** When a deployment was disabled, and when its permission for a version ended. Earlier times are read from the trail. */
export const up = async (tx: Tx) => {
  await addColumns(tx, 'deployments', { disabled_at: 'bigint' })
  await sql`
    update deployments set disabled_at = (
      select max(e.at) from events e
      where e.provider_id = deployments.provider_id and e.subject_type = 'deployment' and e.subject_id = deployments.id
        and e.action = 'deployment.disabled'
    ) where status = 'disabled'
  `.execute(tx)
  await table(
    tx,
    'ended_authorizations',
    { provider_id: 'text!', model_id: 'text!', deployment_id: 'text!', ended_at: 'bigint!' },
    ['provider_id', 'deployment_id', 'model_id'],
  )
  // The subject of such an event is the ID of the version, a space and the ID of the deployment.
  await sql`
    insert into ended_authorizations (provider_id, model_id, deployment_id, ended_at)
    select e.provider_id, substr(e.subject_id, 1, 30), substr(e.subject_id, 32), max(e.at)
    from events e
    where e.action = 'deployment.revoked' and e.subject_type = 'authorization' and not exists (
      select 1 from authorizations a
      where a.provider_id = e.provider_id and a.model_id = substr(e.subject_id, 1, 30)
        and a.deployment_id = substr(e.subject_id, 32)
    )
    group by e.provider_id, e.subject_id
  `.execute(tx)
}
