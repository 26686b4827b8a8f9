import type { Db, Tx } from '../db/schema.ts'

export const insertLogo = (tx: Tx, logo: { provider_id: string; id: string; bytes: Buffer; created_at: number }) =>
  tx.insertInto('logos').values(logo).execute()

export const deleteLogos = (tx: Tx, provider_id: string) =>
  tx.deleteFrom('logos').where('provider_id', '=', provider_id).execute()

interface Shown {
  id: string
  logo_id: string | null
  logo_url: string | null
  at: number
}

/** Zero rows if the provider is gone. */
export const setShownLogo = (tx: Tx, { id, logo_id, logo_url, at }: Shown) =>
  tx
    .updateTable('providers')
    .set({ logo_id, logo_url, updated_at: at })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()

/** The provider's current logo. */
export const findShownLogo = (db: Db, provider_id: string) =>
  db
    .selectFrom('providers')
    .select('logo_url')
    .where('id', '=', provider_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/** The logo of a provider, if the provider itself is visible. */
export const findLogo = (db: Db, id: string) =>
  db
    .selectFrom('logos as l')
    .innerJoin('providers as p', 'p.id', 'l.provider_id')
    .select('l.bytes')
    .where('l.id', '=', id)
    .whereRef('p.logo_id', '=', 'l.id')
    .where('p.deleted_at', 'is', null)
    .where('p.deactivated_at', 'is', null)
    .executeTakeFirst()
