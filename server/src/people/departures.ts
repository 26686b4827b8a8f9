import { type Role, type Scope, scopesOfRole } from '@countersign/sdk/contract'
import type { Tx } from '../db/schema.ts'
import { rejectChangesOfDevices, rejectChangesOfRevoked } from '../db/staged.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import { scopesWithin } from './rules.ts'
import { deleteInvitationsOf, keepKeys, limitKey, listKeysOf, revokeKeys, takeInvitation } from './store.ts'

interface MemberIds {
  provider_id: string
  person_id: string
}

interface Deps {
  events: EventRecorder
  now: () => number
}

/** Ends what a removed or demoted member left behind: their keys, the changes that these asked for, and their invitations. */
export const createDepartures = ({ events, now }: Deps) => {
  const recordEnd = (tx: Tx, { provider_id, actor }: Pick<Caller, 'provider_id' | 'actor'>, id: string) =>
    events.record(tx, { provider_id, actor, action: 'invitation.withdrawn', subject: ['invitation', id] })

  const endKeys = async (tx: Tx, { provider_id, ids }: { provider_id: string; ids: readonly string[] }) => {
    if (ids.length === 0) return
    await revokeKeys(tx, { provider_id, ids, at: now() })
    await rejectChangesOfRevoked(tx, { provider_id, at: now() })
  }

  return {
    recordEnd,

    /** Returns the IDs of keys that were kept and revoked. */
    async endKeysOf(tx: Tx, of: MemberIds, kept: readonly string[]) {
      await rejectChangesOfDevices(tx, { ...of, at: now() })
      const ids = (await listKeysOf(tx, of)).map(({ id }) => id)
      const [left, gone] = [true, false].map((isKept) => ids.filter((id) => kept.includes(id) === isKept))
      if (left?.length) await keepKeys(tx, { provider_id: of.provider_id, ids: left })
      await endKeys(tx, { provider_id: of.provider_id, ids: gone ?? [] })
      return { kept: left ?? [], revoked: gone ?? [] }
    },

    /** Their keys can never do more than their role allows. */
    async limitKeys(tx: Tx, of: MemberIds, role: Role) {
      await rejectChangesOfDevices(tx, { ...of, at: now() })
      const ids: string[] = []
      for (const { id, scopes } of await listKeysOf(tx, of)) {
        const left = scopesWithin<Scope>(scopes === null ? null : JSON.parse(scopes), scopesOfRole[role])
        if (left === undefined) ids.push(id)
        else await limitKey(tx, { ...of, id, role, scopes: left && JSON.stringify(left) })
      }
      await endKeys(tx, { provider_id: of.provider_id, ids })
    },

    /** Otherwise a removed member could come back with an invitation that they sent, or become an owner with one that they got. */
    async endInvitations(tx: Tx, of: MemberIds, actor: string) {
      const { provider_id } = of
      for (const id of await deleteInvitationsOf(tx, of)) await recordEnd(tx, { provider_id, actor }, id)
    },

    /** Does nothing if it was answered. */
    async endInvitation(tx: Tx, caller: Pick<Caller, 'provider_id' | 'actor'>, id: string) {
      if (await takeInvitation(tx, { provider_id: caller.provider_id, id })) await recordEnd(tx, caller, id)
    },
  }
}

export type Departures = ReturnType<typeof createDepartures>
