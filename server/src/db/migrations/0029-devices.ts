import type { Tx } from '../schema.ts'
import { addColumns } from './build.ts'

/** Sessions of machines without a browser, which a person approved. */
export const up = (tx: Tx) => addColumns(tx, 'sessions', { device: 'text' })
