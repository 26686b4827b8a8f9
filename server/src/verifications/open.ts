import type { Caller } from '../http/callers.ts'
import type { Visitor } from '../http/endpoint.ts'
import { householdOf } from '../networks.ts'
import { hmac } from './codes.ts'
import type { PartDeps } from './deps.ts'
import type { Find } from './find.ts'
import { markOpened } from './opening-store.ts'
import { linkFactsOf } from './record.ts'
import { evaluateLink, linkErrorCode } from './rules.ts'

const dayMs = 86_400_000

/** Counts that a visitor opened a link. */
export const createOpen = ({ database, events, signing, listings, now }: PartDeps, find: Find) => {
  const viewerSecret = signing.deriveSecret('visitors')

  /**
   * Counted once for each valid link, and not when its own provider opens it. The number that trust uses grows once a day per network, so
   * that providers cannot inflate it. Requests caused by other sites don't count.
   */
  return async (
    caller: Caller | undefined,
    input: string,
    { address, isFromElsewhere }: Pick<Visitor, 'address' | 'isFromElsewhere'>,
  ) => {
    if (isFromElsewhere) return { counted: false }
    const found = await find(input)
    if ('refused' in found) return { counted: false }
    const { row } = found
    const isGood = linkErrorCode(evaluateLink(linkFactsOf(row), now())) === undefined
    if (!isGood || caller?.provider_id === row.provider_id) return { counted: false }
    const { provider_id, model_id } = row
    const at = now()
    const day = Math.floor(at / dayMs)
    const viewer = hmac(viewerSecret, `${provider_id} ${day} ${householdOf(address)}`)
    const counted = await database.transaction(async (tx) => {
      const opened = await markOpened(tx, { provider_id, id: row.id, model_id, at, day, viewer })
      if (!opened) return false
      if (opened.models_count === 1)
        await events.record(tx, {
          provider_id,
          actor: 'registry',
          action: 'model.first_verified',
          subject: ['model', model_id],
        })
      await listings.wasOpened(tx, { provider_id, model_id, ...opened })
      return true
    })
    return { counted }
  }
}
