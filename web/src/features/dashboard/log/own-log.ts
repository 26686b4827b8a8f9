import type { OwnLogEntry } from '@countersign/sdk/contract'
import { client } from '../../../data/client.ts'
import { useList } from '../../../lists/use-list.ts'

const pageSize = 50

/** What the log says about the provider, newest first. */
export const useOwnLog = () =>
  useList<OwnLogEntry>(
    ['own-log'],
    async (cursor) => {
      const page = await client.log.entries({ limit: pageSize, ...(cursor !== null && { cursor }) })
      return { items: page.entries, cursor: page.next_cursor }
    },
    { isReloaded: true, isKept: true },
  )

/** All entries, page by page. */
export const readOwnLog = () => client.log.entries({ limit: 100 })

/** Where the proof of an entry is; undefined if it is not in the log yet. */
export const proofAddressOf = ({ index }: OwnLogEntry) => (index === null ? undefined : `/log/proof/${index}`)

/** Each entry of the log once. */
export const canDispute = ({ index, report_id }: OwnLogEntry) => index !== null && report_id === null

/** Tells the operator that an entry was not the owner. */
export const disputeEntry = (index: number) => client.log.dispute(String(index))
