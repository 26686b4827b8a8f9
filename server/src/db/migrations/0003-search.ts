import type { Dialect } from '../dialect.ts'
import type { Tx } from '../schema.ts'
import { index, table } from './build.ts'

const modelOrders = ['created_at', 'title', 'company', 'context'] as const

/** Only what is public, with an index for each order of the two lists. */
export const up = async (tx: Tx, dialect: Dialect) => {
  await table(
    tx,
    'listed_providers',
    { id: 'text!', place: 'bigint!', names: 'text!', words: 'text!', title: 'text!', standing: 'text!' },
    ['id'],
  )
  await index(tx, 'listed_providers', ['title', 'id'])
  await index(tx, 'listed_providers', ['standing', 'id'])

  await table(
    tx,
    'listed_models',
    {
      provider_id: 'text!',
      api_model_identifier: 'text!',
      id: 'text!',
      place: 'bigint!',
      names: 'text!',
      words: 'text!',
      title: 'text!',
      company: 'text!',
      year: 'integer!',
      context: 'bigint!',
      created_at: 'bigint!',
    },
    ['provider_id', 'api_model_identifier'],
  )
  for (const column of modelOrders) {
    await index(tx, 'listed_models', [column, 'id'])
    await index(tx, 'listed_models', ['year', column, 'id'])
  }

  for (const name of ['listed_providers', 'listed_models'] as const) {
    // Ranked rows are read best first, so store them in that order.
    await index(tx, name, ['place', 'id', 'names'], { name: `${name}_ranked` })
    await dialect.createTextIndex(tx, name)
  }
}
