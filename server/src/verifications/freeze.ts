import { hash } from 'node:crypto'
import type { Database } from '../db/engine.ts'
import { insertSnapshot, type MintRow, snapshotOf } from './store.ts'

const maxKnown = 20_000

/**
 * Makes sure that what a link names is stored, and returns its id. Contents that are known to be there are remembered, so that
 * minting writes one only after something changed.
 */
export const createFreezer = (database: Database) => {
  const known = new Map<string, string>()

  return async (provider_id: string, facts: MintRow): Promise<string> => {
    const content = snapshotOf(facts)
    const text = JSON.stringify([provider_id, content])
    const found = known.get(text)
    if (found !== undefined) return found
    const id = hash('sha256', text, 'base64url').slice(0, 32)
    await database.transaction((tx) => insertSnapshot(tx, { provider_id, id, ...content }))
    if (known.size >= maxKnown) known.clear()
    known.set(text, id)
    return id
  }
}
