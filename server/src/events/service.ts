import type { Tx } from '../db/schema.ts'
import type { NewId } from '../ids.ts'

/** One change to something a provider owns: who, what, and before and after where that is public. */
export interface Event {
  /** The owner, or `registry` for what is the registry's own. */
  provider_id: string
  /** Id of the key that acted, or `registry`. */
  actor: string
  action: string
  subject: readonly [type: 'provider' | 'key' | 'model' | 'deployment' | 'authorization' | 'signing_key', id: string]
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

/** Writes the trail: append-only, in the transaction that makes the change. */
export const createEventRecorder = ({ now, newId }: { now: () => number; newId: NewId }) => ({
  record: async (tx: Tx, { provider_id, actor, action, subject: [subject_type, subject_id], before, after }: Event) => {
    await tx
      .insertInto('events')
      .values({
        id: newId('evt'),
        provider_id,
        actor,
        action,
        subject_type,
        subject_id,
        at: now(),
        before: before ? JSON.stringify(before) : null,
        after: after ? JSON.stringify(after) : null,
      })
      .execute()
  },
})

export type EventRecorder = ReturnType<typeof createEventRecorder>
