import type { Insertable, Selectable } from 'kysely'
import { effectiveFactors } from '../db/factors.ts'
import { selectPeople } from '../db/people.ts'
import type { Db, FactorPurpose, FactorTable, Tx } from '../db/schema.ts'

export type FactorRow = Selectable<FactorTable>

/** Changes of one person’s factors wait for each other. */
export const lockPerson = (tx: Tx, person_id: string) =>
  tx
    .updateTable('people')
    .set((row) => ({ email: row.ref('email') }))
    .where('id', '=', person_id)
    .returning(['id', 'email', 'created_at'])
    .executeTakeFirst()

export const findPerson = (db: Db, id: string) =>
  db.selectFrom('people').select(['id', 'email', 'created_at']).where('id', '=', id).executeTakeFirst()

/** The provider for which a person acts at first. */
export const findAccount = (db: Db, person_id: string) =>
  selectPeople(db).where('e.id', '=', person_id).executeTakeFirst()

export const findSessionStart = (db: Db, { person_id, id }: { person_id: string; id: string }) =>
  db
    .selectFrom('sessions')
    .select('created_at')
    .where('person_id', '=', person_id)
    .where('id', '=', id)
    .executeTakeFirst()

/** Without those whose removal has taken effect; the oldest first. */
export const listFactors = (db: Db, person_id: string, at: number): Promise<FactorRow[]> =>
  db
    .selectFrom('factors')
    .selectAll()
    .where('person_id', '=', person_id)
    .where((row) => row.or([row('removes_at', 'is', null), row('removes_at', '>', at)]))
    .orderBy('id')
    .limit(100)
    .execute()

/** The passkeys that count now. */
export const listEffective = (db: Db, person_id: string, at: number) =>
  effectiveFactors(db, at)
    .select(['credential_id', 'transports'])
    .where('person_id', '=', person_id)
    .where('kind', '=', 'passkey')
    .orderBy('id')
    .limit(100)
    .execute()

export const findFactor = (db: Db, { person_id, id }: { person_id: string; id: string }) =>
  db.selectFrom('factors').selectAll().where('person_id', '=', person_id).where('id', '=', id).executeTakeFirst()

/** The authenticator app that counts now. */
export const findAuthenticator = (db: Db, person_id: string, at: number) =>
  effectiveFactors(db, at).selectAll().where('person_id', '=', person_id).where('kind', '=', 'totp').executeTakeFirst()

/** A passkey that counts now. */
export const findPasskey = (db: Db, credential_id: string, at: number) =>
  effectiveFactors(db, at).selectAll().where('credential_id', '=', credential_id).executeTakeFirst()

export const insertFactor = (tx: Tx, row: Insertable<FactorTable>) => tx.insertInto('factors').values(row).execute()

export const setName = (tx: Tx, { person_id, id, name }: { person_id: string; id: string; name: string }) =>
  tx.updateTable('factors').set({ name }).where('person_id', '=', person_id).where('id', '=', id).execute()

export const setRemoval = (tx: Tx, of: { person_id: string; id: string; removes_at: number | null }) =>
  tx
    .updateTable('factors')
    .set({ removes_at: of.removes_at })
    .where('person_id', '=', of.person_id)
    .where('id', '=', of.id)
    .execute()

export const deleteFactor = (tx: Tx, { person_id, id }: { person_id: string; id: string }) =>
  tx.deleteFrom('factors').where('person_id', '=', person_id).where('id', '=', id).execute()

/** Nothing if another request advanced the counter meanwhile. Passkeys without a counter stay at 0. */
export const advanceCounter = (
  tx: Tx,
  { person_id, id, was, counter, at }: { person_id: string; id: string; was: number; counter: number; at: number },
) =>
  tx
    .updateTable('factors')
    .set({ counter, last_used_at: at })
    .where('person_id', '=', person_id)
    .where('id', '=', id)
    .where('counter', '=', was)
    .returning('id')
    .executeTakeFirst()

/** The companies of a person, for the trail, and whether they own one. */
export const listMemberships = (db: Db, person_id: string) =>
  db
    .selectFrom('members as m')
    .innerJoin('providers as p', 'p.id', 'm.provider_id')
    .select(['m.provider_id', 'm.role'])
    .where('m.person_id', '=', person_id)
    .where('p.deleted_at', 'is', null)
    .limit(100)
    .execute()

/* ---- codes and challenges ---- */

interface NewToken {
  purpose: FactorPurpose
  hash: string
  person_id: string | null
  code_hash?: string
  cookie_hash?: string
  data?: object
  created_at: number
  expires_at: number
}

export const insertToken = (tx: Tx, { data, ...token }: NewToken) =>
  tx
    .insertInto('one_time_tokens')
    .values({ ...token, data: data ? JSON.stringify(data) : null, attempts: 0 })
    .execute()

/** Counts an attempt and returns the code’s hash; nothing after too many. */
export const tryCode = (tx: Tx, { person_id, max, at }: { person_id: string; max: number; at: number }) =>
  tx
    .updateTable('one_time_tokens')
    .set((row) => ({ attempts: row('attempts', '+', 1) }))
    .where('person_id', '=', person_id)
    .where('purpose', '=', 'factor_code')
    .where('attempts', '<', max)
    .where('expires_at', '>', at)
    .returning('code_hash')
    .executeTakeFirst()

/** Counts an attempt, and returns what was begun. Undefined after too many attempts. */
export const tryToken = async <Data>(
  tx: Tx,
  { purpose, hash, max, at }: { purpose: FactorPurpose; hash: string; max: number; at: number },
): Promise<{ person_id: string | null; data: Data } | undefined> => {
  const row = await tx
    .updateTable('one_time_tokens')
    .set((of) => ({ attempts: of('attempts', '+', 1) }))
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('attempts', '<', max)
    .where('expires_at', '>', at)
    .returning(['person_id', 'data'])
    .executeTakeFirst()
  return row && { ...row, data: JSON.parse(row.data ?? '{}') }
}

/** Counts a guess in a period. Zero rows after too many. */
export const countGuess = (
  tx: Tx,
  { hash, person_id, max, at, until }: { hash: string; person_id: string; max: number; at: number; until: number },
) =>
  tx
    .insertInto('one_time_tokens')
    .values({ hash, purpose: 'totp_tries', person_id, attempts: 1, created_at: at, expires_at: until, data: null })
    .onConflict((conflict) =>
      conflict
        .column('hash')
        .doUpdateSet((row) => ({ attempts: row('one_time_tokens.attempts', '+', 1) }))
        .where('one_time_tokens.attempts', '<', max),
    )
    .returning('attempts')
    .executeTakeFirst()

export const forgetGuesses = (tx: Tx, person_id: string) =>
  tx.deleteFrom('one_time_tokens').where('person_id', '=', person_id).where('purpose', '=', 'totp_tries').execute()

export const forgetCodes = (tx: Tx, person_id: string) =>
  tx.deleteFrom('one_time_tokens').where('person_id', '=', person_id).where('purpose', '=', 'factor_code').execute()

/** Each challenge is answered at most once, even with a wrong answer. */
export const takeChallenge = async <Data>(
  tx: Tx,
  { purpose, hash, at }: { purpose: FactorPurpose; hash: string; at: number },
): Promise<{ person_id: string | null; cookie_hash: string | null; data: Data } | undefined> => {
  const row = await tx
    .deleteFrom('one_time_tokens')
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', at)
    .returning(['person_id', 'cookie_hash', 'data'])
    .executeTakeFirst()
  return row && { ...row, data: JSON.parse(row.data ?? '{}') }
}

/* ---- recovery codes ---- */

/** New codes replace all earlier ones. */
export const putRecoveryCodes = async (
  tx: Tx,
  { person_id, hashes, at }: { person_id: string; hashes: readonly string[]; at: number },
) => {
  await tx.deleteFrom('recovery_codes').where('person_id', '=', person_id).execute()
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ person_id, code_hash, created_at: at })))
    .execute()
}

/** Only those that were made with a factor. */
export const deleteCodesMadeAt = (tx: Tx, { person_id, at }: { person_id: string; at: number }) =>
  tx.deleteFrom('recovery_codes').where('person_id', '=', person_id).where('created_at', '=', at).execute()

/** If several requests race with one code, only one gets its row. */
export const takeRecoveryCode = (tx: Tx, { person_id, code_hash }: { person_id: string; code_hash: string }) =>
  tx
    .deleteFrom('recovery_codes')
    .where('person_id', '=', person_id)
    .where('code_hash', '=', code_hash)
    .returning('code_hash')
    .executeTakeFirst()

export const countRecoveryCodes = async (db: Db, person_id: string) => {
  const { codes } = await db
    .selectFrom('recovery_codes')
    .select((row) => row.fn.countAll<number>().as('codes'))
    .where('person_id', '=', person_id)
    .executeTakeFirstOrThrow()
  return Number(codes)
}
