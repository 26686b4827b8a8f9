import {
  type ApiKey,
  invalidField,
  limits,
  type NewApiKey,
  notFound,
  publisherScope,
  Refusal,
  type Role,
  type Scope,
  workloadScope,
} from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import type { Tx } from '../db/schema.ts'
import { rejectChangesOfRevoked } from '../db/staged.ts'
import { timeOf } from '../db/times.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { NewId } from '../ids.ts'
import type { MailService } from '../mail/service.ts'
import { hashSecret } from '../secrets.ts'
import { createApiKey, isSameHash, keyRefusal, readApiKey, revocationRefusal, scopesOf } from './rules.ts'
import {
  apiKeyOf,
  countActiveKeys,
  disownBindings,
  findOwnKey,
  insertKey,
  listKeys,
  markCompromised,
  prepareFindKey,
  revokeKey,
  revokeKeysOfPublisher,
  type Touch,
  touchKey,
} from './store.ts'

interface Deps {
  database: Database
  events: EventRecorder
  mail: Pick<MailService, 'alert'>
  now: () => number
  newId: NewId
  onFailure: (error: unknown) => void
}

interface KeyToMake {
  /** If the ID was assigned before the key was created. */
  id?: `key_${string}`
  provider_id: string
  name: string
  /** The recorded creator; by default the key itself. */
  actor?: string
  /** Default: null, everything. */
  scopes?: readonly Scope[] | null
  expires_at?: number | null
  maker?: Maker
}

/** A key may do no more than the member who made it. */
interface Maker {
  person_id: string | null
  role: Role
}

const touchEveryMs = 60_000
const saveTouchesAfterMs = 200

const ifNotYou = "If this wasn't you or your team, revoke it now, check your other keys, and change your password."

const reachOf = ({ scopes, expires_at }: { scopes: string | null; expires_at: number | null }) => {
  const may = scopes === null ? 'It has full access' : `It is restricted to: ${JSON.parse(scopes).join(', ')}`
  return `${may}, and ${expires_at === null ? 'does not expire' : `expires on ${new Date(expires_at).toISOString().slice(0, 10)}`}.`
}

export const createKeyService = ({ database, events, mail, now, newId, onFailure }: Deps) => {
  const findKey = prepareFindKey(database)
  const touched = new Map<string, number>()
  let unsaved: Touch[] = []

  const saveTouches = () => {
    const touches = unsaved
    unsaved = []
    database
      .quickTransaction(async (tx) => {
        for (const touch of touches) await touchKey(tx, touch)
      })
      .catch(onFailure)
  }

  /** Records the use of a key, at most once a minute. The request does not wait for it, keys share the commit, and nothing waits for the disk. */
  const touch = (provider_id: string, id: string, lastUsedAt: number | null) => {
    const at = now()
    if (at - Math.max(lastUsedAt ?? 0, touched.get(id) ?? 0) < touchEveryMs) return
    if (touched.size > 10_000) touched.clear()
    touched.set(id, at)
    if (unsaved.push({ provider_id, id, at }) === 1) setTimeout(saveTouches, saveTouchesAfterMs).unref()
  }

  /** Creates a key inside the transaction that gives the reason for it. The key is returned once and not stored. */
  const create = async (
    tx: Tx,
    { id = newId('key'), provider_id, name, actor, scopes = null, expires_at = null, maker }: KeyToMake,
  ) => {
    const { key, lookup, hash, prefix } = createApiKey()
    const row = {
      id,
      provider_id,
      lookup,
      hash,
      name,
      key_prefix: prefix,
      scopes: scopes && JSON.stringify(scopes),
      person_id: maker?.person_id ?? null,
      role: maker?.role ?? null,
      created_at: now(),
      expires_at,
      last_used_at: null,
      revoked_at: null,
      compromised_at: null,
      compromised_since: null,
      publisher_id: null,
      publisher_run: null,
    }
    await insertKey(tx, row)
    await events.record(tx, {
      provider_id,
      actor: actor ?? id,
      action: 'key.created',
      subject: ['key', id],
      after: {
        name,
        key_prefix: prefix,
        ...(scopes && { scopes }),
        ...(expires_at !== null && { expires_at: timeOf(expires_at) }),
      },
    })
    return { id, key, row }
  }

  return {
    /** Only the key's row decides, and it is read each time: a revoked key stops at the next request everywhere. */
    async authenticate(credential: string): Promise<Caller | 'expired' | undefined> {
      const parts = readApiKey(credential)
      if (!parts) return undefined
      const [row] = await findKey(parts)
      if (!row || !isSameHash(row.hash, hashSecret(credential))) return undefined
      if (row.expires_at !== null && row.expires_at <= now()) return 'expired'
      touch(row.provider_id, row.id, row.last_used_at)
      return {
        provider_id: row.provider_id,
        actor: row.publisher_id === null ? row.id : `${row.publisher_id} ${row.publisher_run}`,
        key_id: row.id,
        session_id: null,
        isDevice: false,
        person_id: null,
        role: row.role ?? 'owner',
        scopes: row.scopes === null ? null : JSON.parse(row.scopes),
        credential,
        isDeactivated: row.deactivated_at !== null && row.suspended_at === null,
        isSuspended: row.suspended_at !== null,
      }
    },

    create,

    /** A token of a trusted publisher: a key that may only publish, expires by itself and is not listed. */
    async createForPublisher(
      tx: Tx,
      {
        provider_id,
        publisher_id,
        run,
        expires_at,
      }: { provider_id: string; publisher_id: string; run: string; expires_at: number },
    ) {
      const { key, lookup, hash, prefix } = createApiKey()
      const id = newId('key')
      await insertKey(tx, {
        id,
        provider_id,
        lookup,
        hash,
        name: 'Trusted publisher',
        key_prefix: prefix,
        scopes: JSON.stringify([publisherScope]),
        created_at: now(),
        expires_at,
        last_used_at: null,
        revoked_at: null,
        publisher_id,
        publisher_run: run,
      })
      return { id, key }
    },

    /** For a workload, for an hour: it may only mint links and bind answers. A link is proven only if its key signs the request. */
    async createForWorkload(
      tx: Tx,
      { provider_id, workload_id, expires_at }: { provider_id: string; workload_id: string; expires_at: number },
    ) {
      const { key, lookup, hash, prefix } = createApiKey()
      const id = newId('key')
      await insertKey(tx, {
        id,
        provider_id,
        lookup,
        hash,
        name: 'Workload',
        key_prefix: prefix,
        scopes: JSON.stringify([workloadScope]),
        created_at: now(),
        expires_at,
        last_used_at: null,
        revoked_at: null,
        publisher_id: workload_id,
        publisher_run: 'workload',
      })
      return { id, key }
    },

    /** Revokes all tokens of a publisher that is no longer trusted. */
    async revokeOfPublisher(tx: Tx, of: { provider_id: string; publisher_id: string }) {
      await revokeKeysOfPublisher(tx, { ...of, at: now() })
      await rejectChangesOfRevoked(tx, { ...of, at: now() })
    },

    async list(caller: Caller): Promise<ApiKey[]> {
      return (await listKeys(database.read, caller.provider_id)).map((row) => apiKeyOf(row, caller, now()))
    },

    async make(caller: Caller, input: NewApiKey): Promise<ApiKey & { api_key: string }> {
      const scopes = scopesOf(input.scopes)
      const role = caller.person_id === null ? undefined : caller.role
      const refusal = keyRefusal({ caller: caller.scopes, role, wanted: scopes })
      if (refusal) throw refusal
      const { provider_id, actor } = caller
      const expires_at = input.expires_in_days === undefined ? null : now() + input.expires_in_days * 86_400_000
      return database.transaction(async (tx) => {
        if ((await countActiveKeys(tx, { provider_id, at: now() })) >= limits.activeApiKeys)
          throw invalidField('name', `At most ${limits.activeApiKeys} keys may be active. Revoke one you don't use.`)
        const own = caller.key_id === null ? undefined : await findOwnKey(tx, { provider_id, id: caller.key_id })
        // Otherwise an expiring key could create its own successor.
        if (own?.expires_at && (expires_at === null || expires_at > own.expires_at))
          throw new Refusal(
            'forbidden',
            `This key expires on ${timeOf(own.expires_at)}; a key created with it cannot last longer. Set expires_in_days.`,
          )
        const maker = { person_id: caller.person_id ?? own?.person_id ?? null, role: caller.role }
        // Otherwise a viewer could use up the keys of the provider.
        if (maker.person_id !== null && maker.role !== 'owner' && maker.role !== 'admin') {
          const count = await countActiveKeys(tx, { provider_id, person_id: maker.person_id, at: now() })
          if (count >= limits.activeKeysOfMember)
            throw invalidField('name', `You may have at most ${limits.activeKeysOfMember} active keys. Revoke one.`)
        }
        const { key, row } = await create(tx, { provider_id, actor, name: input.name, scopes, expires_at, maker })
        await mail.alert(tx, provider_id, {
          section: 'keys',
          subject: 'An API key was added to your account',
          lines: ['A new API key with this name was created:', { quote: input.name }, reachOf(row), ifNotYou],
        })
        return { ...apiKeyOf(row, caller, now()), api_key: key }
      })
    },

    /** Revokes the key; what it did from `since` on no longer counts. Default: since it was created. */
    async markCompromised(tx: Tx, caller: Caller, id: string, since: number | undefined) {
      const { provider_id, actor } = caller
      const before = await findOwnKey(tx, { provider_id, id })
      if (!before) throw notFound()
      // Links are issued at whole seconds.
      const from = Math.floor((since ?? before.created_at) / 1_000) * 1_000
      const row = await markCompromised(tx, { provider_id, id, at: now(), since: from })
      if (!row) throw notFound()
      await disownBindings(tx, { provider_id, id, since: row.compromised_since ?? from })
      await rejectChangesOfRevoked(tx, { provider_id, at: now() })
      await events.record(tx, {
        provider_id,
        actor,
        action: 'key.compromised',
        subject: ['key', id],
        after: { name: row.name, key_prefix: row.key_prefix, since: timeOf(from) },
      })
      return { key: apiKeyOf(row, caller, now()), since: row.compromised_since ?? from }
    },

    /** Idempotent for a revoked key. */
    async revoke(caller: Caller, id: string): Promise<ApiKey> {
      const refusal = revocationRefusal(caller, id)
      const { provider_id, actor, person_id } = caller
      return database.transaction(async (tx) => {
        const maker = refusal && person_id !== null ? (await findOwnKey(tx, { provider_id, id }))?.person_id : undefined
        if (refusal && (person_id === null || maker !== person_id)) throw refusal
        const revoked = await revokeKey(tx, { provider_id, id, at: now() })
        await rejectChangesOfRevoked(tx, { provider_id, at: now() })
        if (revoked)
          await events.record(tx, {
            provider_id,
            actor,
            action: 'key.revoked',
            subject: ['key', id],
            after: { name: revoked.name, key_prefix: revoked.key_prefix },
          })
        const row = revoked ?? (await findOwnKey(tx, { provider_id, id }))
        if (!row) throw notFound()
        return apiKeyOf(row, caller, now())
      })
    },
  }
}

export type KeyService = ReturnType<typeof createKeyService>
