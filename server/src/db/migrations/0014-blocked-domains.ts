import type { Tx } from '../schema.ts'
import { addColumns } from './build.ts'

/** Claims that the operator or a review has blocked, and the proven domain that the origin of a link belongs to. */
export const up = async (tx: Tx) => {
  await addColumns(tx, 'provider_domains', { blocked_by: 'text' })
  await addColumns(tx, 'verifications', { origin_domain: 'text' })
}
