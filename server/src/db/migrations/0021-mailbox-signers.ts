import { sql } from 'kysely'
import type { Tx } from '../schema.ts'
import { addColumns } from './build.ts'

/** The domain that a bundle's verdict rests on if a mailbox signed it. */
export const up = async (tx: Tx) => {
  await addColumns(tx, 'models', { bundle_domain: 'text' })
  const { rows } = await sql<{
    provider_id: string
    id: string
    bundle_signer: string
  }>`select provider_id, id, bundle_signer
    from models where bundle_status = 'verified' and bundle_signer like '%"identity":"%@%'`.execute(tx)
  for (const { provider_id, id, bundle_signer } of rows) {
    const { identity, key_fingerprint } = JSON.parse(bundle_signer).signer
    const domain = /^[^\s@/:]+@([^\s@/:]+)$/.exec(identity)?.[1]?.toLowerCase()
    if (key_fingerprint === null && domain !== undefined)
      await sql`update models set bundle_domain = ${domain} where provider_id = ${provider_id} and id = ${id}`.execute(
        tx,
      )
  }
}
