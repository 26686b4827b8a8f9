import { type DisputedEntry, notFound } from '@countersign/sdk/contract'
import { leafHash } from '@countersign/sdk/log'
import type { Database } from '../db/engine.ts'
import type { Tx } from '../db/schema.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { NewId } from '../ids.ts'
import type { MailService } from '../mail/service.ts'
import { type Dispute, findDispute, findOwnEntry, insertDispute, listMailboxes } from './dispute-store.ts'

interface Deps {
  database: Database
  events: EventRecorder
  mail: Pick<MailService, 'queue'>
  publicUrl: string
  now: () => number
  newId: NewId
}

/** “This was not me”: an urgent report to the operator about an entry of the log. */
export const createDisputes = ({ database, events, mail, publicUrl, now, newId }: Deps) => {
  const emailOwners = async (tx: Tx, { provider_id, id, position, leaf_hash, actor }: Dispute, type: string) => {
    for (const to of await listMailboxes(tx, provider_id))
      await mail.queue(tx, {
        to,
        subject: 'An entry of the public log was disputed',
        lines: [
          `Entry ${position} of the public log (${type}) was reported to the registry’s operator as “This was not me”. The operator sees the report ${id} first. If it is a mistake, ask the operator to close it.`,
          'Reported with this key or session:',
          { code: actor },
          `Leaf hash of the entry: ${leaf_hash}`,
          { link: `${publicUrl}/dashboard?tab=log`, label: 'See the entry' },
          'Until the operator answers: revoke API keys that you don’t know, and end sessions that aren’t yours.',
          { link: `${publicUrl}/dashboard?tab=settings&section=keys`, label: 'Open your API keys' },
        ],
      })
  }

  return {
    /** The same entry again gets the same report. */
    async dispute({ provider_id, actor }: Caller, index: number): Promise<DisputedEntry> {
      const row = await database.transaction(async (tx) => {
        const entry = await findOwnEntry(tx, { provider_id, position: index })
        if (!entry) throw notFound()
        const dispute: Dispute = {
          provider_id,
          id: newId('inc'),
          entry_id: entry.id,
          position: index,
          leaf_hash: Buffer.from(leafHash(Buffer.from(entry.leaf))).toString('base64'),
          actor,
          created_at: now(),
          closed_at: null,
          closed_reason: null,
        }
        if (!(await insertDispute(tx, dispute))) return findDispute(tx, dispute)
        await events.record(tx, {
          provider_id,
          actor,
          action: 'incident.entry_disputed',
          subject: ['incident', dispute.id],
          after: { index, type: entry.type, leaf_hash: dispute.leaf_hash },
        })
        await emailOwners(tx, dispute, entry.type)
        return dispute
      })
      if (!row) throw notFound()
      return {
        report_id: row.id,
        index,
        leaf_hash: row.leaf_hash,
        reported_at: new Date(row.created_at).toISOString(),
        is_open: row.closed_at === null,
      }
    },
  }
}

export type Disputes = ReturnType<typeof createDisputes>
