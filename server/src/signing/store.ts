import type { Selectable } from 'kysely'
import type { Db, SigningKeyState, SigningKeyTable, Tx } from '../db/schema.ts'

export type SigningKeyRow = Selectable<SigningKeyTable>

export const listSigningKeys = (db: Db): Promise<SigningKeyRow[]> =>
  db.selectFrom('signing_keys').selectAll().orderBy('created_at').execute()

export const findSigningKey = (db: Db, kid: string): Promise<SigningKeyRow | undefined> =>
  db.selectFrom('signing_keys').selectAll().where('kid', '=', kid).executeTakeFirst()

export const findKeyInState = (db: Db, state: SigningKeyState): Promise<SigningKeyRow | undefined> =>
  db.selectFrom('signing_keys').selectAll().where('state', '=', state).executeTakeFirst()

export const insertSigningKey = (
  tx: Tx,
  key: Pick<SigningKeyRow, 'kid' | 'public_x' | 'private_encrypted' | 'state' | 'created_at' | 'activated_at'>,
) =>
  tx
    .insertInto('signing_keys')
    .values({ ...key, retired_at: null, compromised_at: null })
    .execute()

export const moveKey = (
  tx: Tx,
  kid: string,
  change: Partial<Pick<SigningKeyRow, 'state' | 'activated_at' | 'retired_at' | 'compromised_at'>>,
) => tx.updateTable('signing_keys').set(change).where('kid', '=', kid).execute()
