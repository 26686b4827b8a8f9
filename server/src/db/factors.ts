import type { Db } from './schema.ts'

/** Factors count once their waiting time has passed, until they are removed. */
export const effectiveFactors = (db: Db, at: number) =>
  db
    .selectFrom('factors')
    .where('effective_at', '<=', at)
    .where((row) => row.or([row('removes_at', 'is', null), row('removes_at', '>', at)]))

/** Whether a person has a factor that counts. */
export const isPersonProtected = async (db: Db, person_id: string, at: number): Promise<boolean> =>
  (await effectiveFactors(db, at).select('id').where('person_id', '=', person_id).limit(1).executeTakeFirst()) !==
  undefined

/** Whether one of the providers of a person is protected, or the person. */
export const isAnywhereProtected = async (db: Db, person_id: string, at: number): Promise<boolean> =>
  (await isPersonProtected(db, person_id, at)) ||
  (await effectiveFactors(db, at)
    .innerJoin('members as o', 'o.person_id', 'factors.person_id')
    .innerJoin('members as m', 'm.provider_id', 'o.provider_id')
    .select('factors.id')
    .where('o.role', '=', 'owner')
    .where('m.person_id', '=', person_id)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** When the first of the owners' effective factors became effective; null if the provider is unprotected. */
export const protectedSince = async (db: Db, provider_id: string, at: number): Promise<number | null> => {
  const row = await effectiveFactors(db, at)
    .innerJoin('members', 'members.person_id', 'factors.person_id')
    .select((of) => of.fn.min('factors.effective_at').as('since'))
    .where('members.provider_id', '=', provider_id)
    .where('members.role', '=', 'owner')
    .executeTakeFirst()
  return row?.since == null ? null : Number(row.since)
}

/** Whether an owner of a provider has a factor that counts. Before that, nothing needs presence and nothing is staged. */
export const isProtected = async (db: Db, provider_id: string, at: number): Promise<boolean> =>
  (await effectiveFactors(db, at)
    .innerJoin('members', 'members.person_id', 'factors.person_id')
    .select('factors.id')
    .where('members.provider_id', '=', provider_id)
    .where('members.role', '=', 'owner')
    .limit(1)
    .executeTakeFirst()) !== undefined
