import { sql } from 'kysely'
import type { Tx } from '../schema.ts'
import { addColumns, index } from './build.ts'

/** Finds in the log when any account proved or lost a domain, for the domain's feed. */
export const up = async (tx: Tx) => {
  for (const name of ['log_pending', 'log_entries']) {
    await addColumns(tx, name, { domain: 'text' })
    const entries = sql.table(name)
    // A leaf is JSON without spaces; the facts of its owner name the domains that it may be about.
    await sql`update ${entries} set domain = (
      select max(substr(f.fact, 8)) from log_facts f
      where f.provider_id = ${entries}.owner and f.subject = ${entries}.owner and f.fact like 'domain %'
        and replace(${entries}.leaf, '"domain":"' || substr(f.fact, 8) || '"', '') <> ${entries}.leaf)
      where type in ('domain.proven', 'domain.stale', 'domain.lost')`.execute(tx)
  }
  await index(tx, 'log_entries', ['domain', 'position'], { where: 'domain is not null' })
  await sql`drop index log_facts_fact_provider_id`.execute(tx)
}
