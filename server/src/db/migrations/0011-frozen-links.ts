import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import type { Tx } from '../schema.ts'
import { addColumns, table } from './build.ts'

/** As it was when this migration was written. */
interface Snapshot {
  provider_id: string
  api_model_identifier: string
  display_name: string
  version: string
  model_type: string
  model_digest: string | null
  company_name: string | null
  website: string | null
  domain: string | null
  name_skeleton: string | null
}

const idOf = ({ provider_id, ...content }: Snapshot) =>
  hash('sha256', JSON.stringify([provider_id, content]), 'base64url').slice(0, 32)

const chunk = 200

/**
 * What a link names is frozen when it is minted; links refer to it. Existing links are frozen with what is known now. Links keep the key
 * they were minted with, and keys the time they were reported as compromised.
 */
export const up = async (tx: Tx, dialect: Dialect) => {
  await dialect.allowLongStatements(tx)
  await table(
    tx,
    'link_snapshots',
    {
      provider_id: 'text!',
      id: 'text!',
      api_model_identifier: 'text!',
      display_name: 'text!',
      version: 'text!',
      model_type: 'text!',
      model_digest: 'text',
      company_name: 'text',
      website: 'text',
      domain: 'text',
      name_skeleton: 'text',
    },
    ['provider_id', 'id'],
  )
  await addColumns(tx, 'verifications', { snapshot_id: 'text', api_key_id: 'text' })
  await freezeOldLinks(tx)
  for (const column of ['provider_domain', 'model_digest'])
    await sql`alter table verifications drop column ${sql.ref(column)}`.execute(tx)

  await addColumns(tx, 'models', { first_minted_at: 'bigint' })
  await sql`update models set first_minted_at = coalesce(
    (select min(l.at) from (select provider_id, model_id, min(issued_at) as at from verifications group by provider_id, model_id) l
      where l.provider_id = models.provider_id and l.model_id = models.id), first_verified_at)`.execute(tx)

  await addColumns(tx, 'api_keys', { compromised_at: 'bigint', compromised_since: 'bigint' })
  await table(
    tx,
    'key_reviews',
    {
      provider_id: 'text!',
      id: 'text!',
      key_id: 'text!',
      actor: 'text!',
      kind: 'text!',
      subject_id: 'text!',
      name: 'text',
      changed_at: 'bigint!',
      held: 'text',
      created_at: 'bigint!',
      decision: 'text',
      decided_at: 'bigint',
    },
    ['provider_id', 'id'],
  )
}

/** One snapshot for each model, domain and digest that links were minted with, through a temporary table. */
const freezeOldLinks = async (tx: Tx) => {
  await table(
    tx,
    'link_snapshots_to_take',
    { provider_id: 'text!', model_id: 'text!', domain: 'text!', model_digest: 'text!', snapshot_id: 'text!' },
    ['provider_id', 'model_id', 'domain', 'model_digest'],
  )
  const { rows } = await sql<
    Snapshot & { model_id: string }
  >`select v.provider_id, v.model_id, m.api_model_identifier, m.display_name,
      m.version, m.model_type, v.model_digest, p.company_name, p.website, v.provider_domain as domain, p.name_skeleton
    from (select distinct provider_id, model_id, provider_domain, model_digest from verifications) v
    join models m on m.provider_id = v.provider_id and m.id = v.model_id join providers p on p.id = v.provider_id`.execute(
    tx,
  )
  const taken = rows.map(({ model_id, ...snapshot }) => ({ model_id, snapshot: { ...snapshot, id: idOf(snapshot) } }))
  for (let at = 0; at < taken.length; at += chunk) {
    const some = taken.slice(at, at + chunk)
    await tx
      .insertInto('link_snapshots')
      .values(some.map(({ snapshot }) => snapshot))
      .onConflict((conflict) => conflict.columns(['provider_id', 'id']).doNothing())
      .execute()
    const values = some.map(
      ({ model_id, snapshot: { provider_id, domain, model_digest, id } }) =>
        sql`(${provider_id}, ${model_id}, ${domain ?? ''}, ${model_digest ?? ''}, ${id})`,
    )
    await sql`insert into link_snapshots_to_take (provider_id, model_id, domain, model_digest, snapshot_id) values ${sql.join(values)}`.execute(
      tx,
    )
  }
  await sql`update verifications set snapshot_id = (select t.snapshot_id from link_snapshots_to_take t
    where t.provider_id = verifications.provider_id and t.model_id = verifications.model_id
      and t.domain = coalesce(verifications.provider_domain, '') and t.model_digest = coalesce(verifications.model_digest, ''))`.execute(
    tx,
  )
  await tx.schema.dropTable('link_snapshots_to_take').execute()
}
