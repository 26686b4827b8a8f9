import type { Insertable } from 'kysely'
import type { IdempotencyTable, Tx } from '../db/schema.ts'

type Claim = Omit<Insertable<IdempotencyTable>, 'state' | 'status' | 'response'>

/**
 * Takes the key until it expires, or returns the stored result of the request that has it. A claim is never taken over: its work may have
 * been done.
 */
export const claimKey = async (tx: Tx, claim: Claim) => {
  const fresh = { ...claim, state: 'in_flight' as const, status: null, response: null }
  const taken = await tx
    .insertInto('idempotency')
    .values(fresh)
    .onConflict((conflict) =>
      conflict.columns(['principal', 'key']).doUpdateSet(fresh).where('idempotency.expires_at', '<=', claim.created_at),
    )
    .returning('key')
    .executeTakeFirst()
  if (taken) return undefined
  return tx
    .selectFrom('idempotency')
    .selectAll()
    .where('principal', '=', claim.principal)
    .where('key', '=', claim.key)
    .executeTakeFirstOrThrow()
}

/** The claim that this attempt made, not one that replaced it. */
type OwnClaim = Pick<Claim, 'principal' | 'key' | 'created_at'>

export const finishKey = (
  tx: Tx,
  { principal, key, created_at, status, response }: OwnClaim & { status: number; response: string },
) =>
  tx
    .updateTable('idempotency')
    .set({ state: 'done', status, response })
    .where('principal', '=', principal)
    .where('key', '=', key)
    .where('created_at', '=', created_at)
    .execute()

export const releaseKey = (tx: Tx, { principal, key, created_at }: OwnClaim) =>
  tx
    .deleteFrom('idempotency')
    .where('principal', '=', principal)
    .where('key', '=', key)
    .where('created_at', '=', created_at)
    .execute()

export const forgetExpiredKeys = (tx: Tx, { principal, created_at }: Pick<Claim, 'principal' | 'created_at'>) =>
  tx.deleteFrom('idempotency').where('principal', '=', principal).where('expires_at', '<=', created_at).execute()
