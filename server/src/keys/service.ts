import type { Database } from '../db/engine.ts'
import type { Tx } from '../db/schema.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { NewId } from '../ids.ts'
import { createApiKey, hashKey, isSameHash, readApiKey } from './rules.ts'
import { insertKey, prepareFindKey, touchKey } from './store.ts'

interface Needs {
  database: Database
  events: EventRecorder
  now: () => number
  newId: NewId
  onFailure: (error: unknown) => void
}

const touchEveryMs = 60_000

export const createKeyService = ({ database, events, now, newId, onFailure }: Needs) => {
  const findKey = prepareFindKey(database)
  const touched = new Map<string, number>()

  /** Notes the use of a key, at most once a minute; the request does not wait for it. */
  const touch = (provider_id: string, id: string, lastUsedAt: number | null) => {
    const at = now()
    if (at - Math.max(lastUsedAt ?? 0, touched.get(id) ?? 0) < touchEveryMs) return
    if (touched.size > 10_000) touched.clear()
    touched.set(id, at)
    database.transaction((tx) => touchKey(tx, { provider_id, id, at })).catch(onFailure)
  }

  return {
    /** Nothing but the key's row decides, and it is read each time: a revoked key stops at the next request everywhere. */
    async authenticate(credential: string): Promise<Caller | undefined> {
      const parts = readApiKey(credential)
      if (!parts) return undefined
      const [row] = await findKey(parts)
      if (!row || !isSameHash(row.hash, hashKey(credential))) return undefined
      if (row.expires_at !== null && row.expires_at <= now()) return undefined
      touch(row.provider_id, row.id, row.last_used_at)
      return {
        provider_id: row.provider_id,
        actor: row.id,
        key_id: row.id,
        session_id: null,
        scopes: row.scopes === null ? null : JSON.parse(row.scopes),
        credential,
        isDeactivated: row.deactivated_at !== null,
      }
    },

    /** Makes a key inside the transaction that makes its reason to exist. The key is returned once and kept nowhere. */
    async create(tx: Tx, { provider_id, name, actor }: { provider_id: string; name: string; actor?: string }) {
      const { key, lookup, hash, prefix } = createApiKey()
      const id = newId('key')
      await insertKey(tx, {
        id,
        provider_id,
        lookup,
        hash,
        name,
        key_prefix: prefix,
        created_at: now(),
        last_used_at: null,
        revoked_at: null,
      })
      await events.record(tx, {
        provider_id,
        actor: actor ?? id,
        action: 'key.created',
        subject: ['key', id],
        after: { name, key_prefix: prefix },
      })
      return { id, key }
    },
  }
}

export type KeyService = ReturnType<typeof createKeyService>
