import { sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import type { Tx } from '../schema.ts'
import { table } from './build.ts'

/** How many of a model's links were opened each day. The links themselves are kept for a month only. */
export const up = async (tx: Tx, dialect: Dialect) => {
  await dialect.allowLongStatements(tx)
  await table(
    tx,
    'openings_by_day',
    { provider_id: 'text!', day: 'integer!', model_id: 'text!', openings: 'integer!' },
    ['provider_id', 'day', 'model_id'],
  )
  const day = sql<number>`opened_at / 86400000`
  await tx
    .insertInto('openings_by_day')
    .columns(['provider_id', 'day', 'model_id', 'openings'])
    .expression(
      tx
        .selectFrom('verifications')
        .select((row) => ['provider_id', day.as('day'), 'model_id', row.fn.countAll<number>().as('openings')])
        .where('opened_at', 'is not', null)
        .groupBy(['provider_id', day, 'model_id']),
    )
    .execute()
}
