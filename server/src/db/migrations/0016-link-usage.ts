import type { Tx } from '../schema.ts'
import { table } from './build.ts'

/** How many links a provider minted on each day, for its quota. */
export const up = (tx: Tx) =>
  table(tx, 'link_usage', { provider_id: 'text!', day: 'integer!', links: 'integer!' }, ['provider_id', 'day'])
