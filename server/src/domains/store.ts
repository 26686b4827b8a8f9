import type { Selectable } from 'kysely'
import type { Db, ProviderTable, Tx } from '../db/schema.ts'

/** A provider as far as its domain goes. */
const columns = [
  'id',
  'email',
  'email_verified_at',
  'email_vouched_by',
  'website',
  'domain',
  'domain_nonce',
  'domain_verified_at',
  'domain_verification_method',
] as const satisfies (keyof ProviderTable)[]

export type DomainRow = Pick<Selectable<ProviderTable>, (typeof columns)[number]>
export type Method = NonNullable<DomainRow['domain_verification_method']>

export const findDomainRow = (db: Db, id: string): Promise<DomainRow | undefined> =>
  db.selectFrom('providers').select(columns).where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst()

/** Who else has proven the domain; the constraint allows one. */
export const findDomainHolder = (db: Db, { domain, except }: { domain: string; except: string }): Promise<DomainRow | undefined> =>
  db
    .selectFrom('providers')
    .select(columns)
    .where('domain', '=', domain)
    .where('domain_verified_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .where('id', '!=', except)
    .executeTakeFirst()

interface Proven {
  id: string
  domain: string
  domain_nonce: string
  method: Method
  at: number
  due_at: number | null
}

/** Fails on the constraint where another provider has proven the domain. Zero rows where it was proven so before, or has changed. */
export const markProven = (tx: Tx, { id, domain, domain_nonce, method, at, due_at }: Proven) =>
  tx
    .updateTable('providers')
    .set({ domain_verified_at: at, domain_verification_method: method, domain_due_at: due_at, updated_at: at })
    .where('id', '=', id)
    .where('domain', '=', domain)
    .where('domain_nonce', '=', domain_nonce)
    .where('deleted_at', 'is', null)
    .where((where) => where.or([where('domain_verified_at', 'is', null), where('domain_verification_method', '!=', method)]))
    .returning('id')
    .executeTakeFirst()

/** Only the proof that was looked at: the same nonce, the same method. Zero rows where it is another by now. */
export const clearProof = (tx: Tx, { id, domain_nonce, method, at }: { id: string; domain_nonce: string; method: Method; at: number }) =>
  tx
    .updateTable('providers')
    .set({ domain_verified_at: null, domain_verification_method: null, domain_due_at: null, updated_at: at })
    .where('id', '=', id)
    .where('domain_nonce', '=', domain_nonce)
    .where('domain_verification_method', '=', method)
    .where('domain_verified_at', 'is not', null)
    .returning('id')
    .executeTakeFirst()

/** Another domain: what was proven of the one before is over, and so is everything published for it. */
export const setDomain = (
  tx: Tx,
  { id, website, domain, domain_nonce, at }: { id: string; website: string; domain: string; domain_nonce: string; at: number },
) =>
  tx
    .updateTable('providers')
    .set({
      website,
      domain,
      domain_nonce,
      domain_verified_at: null,
      domain_verification_method: null,
      domain_due_at: null,
      updated_at: at,
    })
    .where('id', '=', id)
    .execute()

export const setWebsite = (tx: Tx, { id, website, at }: { id: string; website: string; at: number }) =>
  tx.updateTable('providers').set({ website, updated_at: at }).where('id', '=', id).execute()

/** The proofs that are to be read again, oldest first. */
export const listDueProofs = (db: Db, { at, limit }: { at: number; limit: number }): Promise<DomainRow[]> =>
  db
    .selectFrom('providers')
    .select(columns)
    .where('domain_due_at', '<=', at)
    .where('deleted_at', 'is', null)
    .orderBy('domain_due_at')
    .limit(limit)
    .execute()

export const postponeProof = (tx: Tx, { id, domain_nonce, due_at }: { id: string; domain_nonce: string; due_at: number }) =>
  tx
    .updateTable('providers')
    .set({ domain_due_at: due_at })
    .where('id', '=', id)
    .where('domain_nonce', '=', domain_nonce)
    .where('domain_due_at', 'is not', null)
    .execute()
