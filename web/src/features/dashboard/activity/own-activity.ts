import type { TrailAction, TrailEvent, TrailSubject } from '@countersign/sdk/contract'
import { client } from '../../../data/client.ts'
import { useList } from '../../../lists/use-list.ts'

export interface ActivityQuery {
  subject_type?: TrailSubject | undefined
  subject_id?: string | undefined
  action?: TrailAction | undefined
  /** Times; the second is exclusive. */
  since?: string | undefined
  until?: string | undefined
  sort: 'created' | '-created'
}

const pageSize = 50

/** The provider's audit log by time. */
export const useActivity = (query: ActivityQuery) =>
  useList<TrailEvent>(
    ['own-activity', query],
    async (cursor) => {
      const page = await client.account.events({ ...query, limit: pageSize, ...(cursor !== null && { cursor }) })
      return { items: page.events, cursor: page.next_cursor }
    },
    { isReloaded: true, isKept: true },
  )

/** All entries that match, page by page. */
export const readActivity = (query: ActivityQuery) => client.account.events({ ...query, limit: 100 })
