import type { Tx } from '../schema.ts'
import { index } from './build.ts'

/** Which companies ever proved a domain, for its feed. */
export const up = async (tx: Tx) => {
  await index(tx, 'log_facts', ['fact', 'provider_id'])
}
