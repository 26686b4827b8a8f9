import type { Tx } from '../schema.ts'
import { addColumns } from './build.ts'

/** The platform identity of a deployment's last proof. Earlier proofs by a platform don't say which one it was. */
export const up = async (tx: Tx) => {
  await addColumns(tx, 'deployments', { last_proven_workload: 'text' })
}
