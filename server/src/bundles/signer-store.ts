import {
  type DeclaredSigner,
  isTiedDeclaration,
  type SignerRecord,
  type SignerTies,
  tieKindOf,
} from '@countersign/sdk/contract'
import { type Insertable, type Selectable, sql } from 'kysely'
import { type PageQuery, readPage } from '../db/paging.ts'
import type { Db, DeclaredSignerTable, Tx } from '../db/schema.ts'
import { timeOf } from '../db/times.ts'
import { fingerprintOf } from './rules.ts'

interface Subject {
  provider_id: string
  id: string
}

export type SignerRow = Selectable<DeclaredSignerTable>

/** The signers of the versions of one identifier. */
export const findSigners = async (
  db: Db,
  provider_id: string,
  api_model_identifier: string,
): Promise<DeclaredSigner[]> => {
  const rows = await db
    .selectFrom('declared_signers')
    .select('signer')
    .where('provider_id', '=', provider_id)
    .where((of) =>
      of.or([of('api_model_identifier', 'is', null), of('api_model_identifier', '=', api_model_identifier)]),
    )
    .orderBy('id')
    .execute()
  return rows.map(({ signer }) => JSON.parse(signer))
}

export const findAllSigners = (db: Db, provider_id: string): Promise<SignerRow[]> =>
  db.selectFrom('declared_signers').selectAll().where('provider_id', '=', provider_id).orderBy('id').execute()

export const listSigners = (db: Db, provider_id: string, page: PageQuery) => {
  const id = sql.ref('id')
  return readPage(
    db.selectFrom('declared_signers').selectAll().where('provider_id', '=', provider_id),
    { key: id, keyType: 'string', id, direction: 'desc' },
    page,
  )
}

export const insertSigner = (tx: Tx, row: Insertable<DeclaredSignerTable>) =>
  tx.insertInto('declared_signers').values(row).execute()

export const deleteSigner = (tx: Tx, { provider_id, id }: Subject): Promise<SignerRow | undefined> =>
  tx
    .deleteFrom('declared_signers')
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

export const findSigner = (db: Db, { provider_id, id }: Subject): Promise<SignerRow | undefined> =>
  db
    .selectFrom('declared_signers')
    .selectAll()
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .executeTakeFirst()

export const setChallenge = (
  tx: Tx,
  { provider_id, id, challenge, expires_at }: Subject & { challenge: string; expires_at: number },
) =>
  tx
    .updateTable('declared_signers')
    .set({ challenge, challenge_expires_at: expires_at })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

/** Uses the challenge up. Nothing if it was used or replaced meanwhile. */
export const markProven = (
  tx: Tx,
  { provider_id, id, challenge, keys, at }: Subject & { challenge: string; keys: readonly string[]; at: number },
): Promise<SignerRow | undefined> =>
  tx
    .updateTable('declared_signers')
    .set({ challenge: null, challenge_expires_at: null, proven_at: at, proven_keys: JSON.stringify(keys) })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('challenge', '=', challenge)
    .returningAll()
    .executeTakeFirst()

/** Zero rows if it is gone, or was proven meanwhile. */
export const setProof = (
  tx: Tx,
  { provider_id, id }: Subject,
  { proven_at, proven_keys }: Pick<SignerRow, 'proven_at' | 'proven_keys'>,
) =>
  tx
    .updateTable('declared_signers')
    .set({ proven_at, proven_keys })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('proven_keys', proven_keys === null ? 'is not' : 'is', null)
    .returning('api_model_identifier')
    .executeTakeFirst()

export const provenKeysOf = ({ proven_keys }: Pick<SignerRow, 'proven_keys'>): string[] =>
  proven_keys === null ? [] : JSON.parse(proven_keys)

export const signerOf = (row: SignerRow, ties: SignerTies): SignerRecord => {
  const signer: DeclaredSigner = JSON.parse(row.signer)
  return {
    id: row.id,
    signer,
    api_model_identifier: row.api_model_identifier,
    key_fingerprint: fingerprintOf(signer),
    tied: isTiedDeclaration(signer, provenKeysOf(row), ties),
    tie: tieKindOf(signer),
    proven_at: timeOf(row.proven_at),
    created_at: timeOf(row.created_at),
  }
}
