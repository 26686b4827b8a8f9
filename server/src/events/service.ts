import type { TrailAction, TrailSubject } from '@countersign/sdk/contract'
import type { Tx } from '../db/schema.ts'
import type { NewId } from '../ids.ts'
import { logFact } from '../transparency/log-fact.ts'

/** One change to something a provider owns: who, what, and before and after if public. */
export interface Event {
  /** The owner, or `registry` for the registry's own changes. */
  provider_id: string
  /** ID of the key or session that acted, or `registry`. */
  actor: string
  action: TrailAction | `signing_key.${string}`
  subject: readonly [type: TrailSubject | 'signing_key', id: string]
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

interface Deps {
  now: () => number
  newId: NewId
}

/**
 * Writes the trail: append-only, in the transaction that makes the change, after the change. What a verdict rests on goes into the
 * transparency log as well.
 */
export const createEventRecorder = ({ now, newId }: Deps) => ({
  record: async (tx: Tx, event: Event) => {
    const { provider_id, actor, action, subject, before, after } = event
    const [subject_type, subject_id] = subject
    await tx
      .insertInto('events')
      .values({
        id: newId('evt'),
        provider_id,
        actor,
        // Session rows are deleted when they end; the trail keeps who it was.
        person_id: actor.startsWith('ses_')
          ? (row) => row.selectFrom('sessions').select('person_id').where('id', '=', actor)
          : null,
        action,
        subject_type,
        subject_id,
        at: now(),
        before: before ? JSON.stringify(before) : null,
        after: after ? JSON.stringify(after) : null,
      })
      .execute()
    await logFact({ now, newId }, tx, event)
  },
})

export type EventRecorder = ReturnType<typeof createEventRecorder>
