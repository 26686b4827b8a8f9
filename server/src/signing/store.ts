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

/** Zero rows unless it is suspended: it may have been reported as compromised meanwhile. */
export const confirmKey = (tx: Tx, kid: string, at: number) =>
  tx
    .updateTable('signing_keys')
    .set({ state: 'retired', retired_at: at })
    .where('kid', '=', kid)
    .where('state', '=', 'suspended')
    .returning('kid')
    .executeTakeFirst()

export const replacePrivateKey = (tx: Tx, kid: string, private_encrypted: string) =>
  tx.updateTable('signing_keys').set({ private_encrypted }).where('kid', '=', kid).execute()

/** Only after the key encryption key was replaced; before, secrets are derived from the key itself. */
export const findSealedRoot = async (db: Db): Promise<string | undefined> => {
  const row = await db.selectFrom('registry_facts').select('value').where('name', '=', 'root').executeTakeFirst()
  return row?.value
}

export const putSealedRoot = (tx: Tx, value: string) =>
  tx
    .insertInto('registry_facts')
    .values({ name: 'root', value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
