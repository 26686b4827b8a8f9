import type {
  Incident,
  IncidentFilter,
  IncidentResponse,
  IncidentSeverity,
  IncidentSort,
  TrailEvent,
} from '@countersign/sdk/contract'
import useSWR, { useSWRConfig } from 'swr'
import { client } from '../../../data/client.ts'
import { useList } from '../../../lists/use-list.ts'
import { refreshAttention } from '../shared/use-attention.ts'
import { isOpen } from './open-incident.ts'

export interface IncidentChoice {
  status: IncidentFilter | 'all'
  severity: IncidentSeverity | 'all'
  sort: IncidentSort
}

const pageSize = 50

const queryOf = ({ status, severity, sort }: IncidentChoice) => ({
  sort,
  ...(status !== 'all' && { status }),
  ...(severity !== 'all' && { severity }),
})

const isOf = ({ status, severity }: IncidentChoice, incident: Incident) =>
  (status === 'all' || (status === 'open' ? isOpen(incident) : incident.status === status)) &&
  (severity === 'all' || incident.severity === severity)

const detailsKey = (id: string) => ['own-incident', id]
const historyKey = (id: string) => ['own-incident-history', id]

/** Reports about the provider's models, in the order of the filter, with the number that match. */
export const useOwnIncidents = (providerId: string, filter: IncidentChoice) => {
  const { mutate } = useSWRConfig()
  const list = useList(
    ['own-incidents', providerId, filter.status, filter.severity, filter.sort],
    async (cursor) => {
      const { incidents, next_cursor, total, total_is_lower_bound } = await client.incidents.list({
        limit: pageSize,
        ...queryOf(filter),
        ...(cursor !== null && { cursor }),
      })
      return { items: incidents, cursor: next_cursor, total, total_is_lower_bound }
    },
    { isReloaded: true, isKept: true },
  )
  /** Updates the incident everywhere on the page; it leaves the list if it no longer matches the filter. */
  const keep = async (changed: Incident) => {
    await mutate(detailsKey(changed.id), changed, { revalidate: false })
    void mutate(historyKey(changed.id))
    void refreshAttention()
    await list.change(
      (each) => (each.id === changed.id ? (isOf(filter, changed) ? changed : undefined) : each),
      (first, gone) => (first.total_is_lower_bound ? first : { ...first, total: first.total - gone }),
    )
  }
  return {
    list,
    total: list.first?.total,
    isLowerBound: list.first?.total_is_lower_bound ?? false,
    respond: async (id: string, response: IncidentResponse, ifMatch?: string) =>
      keep(await client.incidents.respond(id, response, ifMatch ? { headers: { 'If-Match': ifMatch } } : {})),
    /** Another browser tab has changed something. */
    reload: async (id?: string) => {
      list.again()
      if (id !== undefined) await Promise.all([mutate(detailsKey(id)), mutate(historyKey(id))])
    },
  }
}

/** One report; `known` is shown until it has loaded. */
export const useOwnIncident = (id: string, known: Incident | undefined) => {
  const { data, error, mutate } = useSWR(detailsKey(id), () => client.incidents.get(id))
  return { incident: data ?? known, failure: error as unknown, again: () => void mutate() }
}

/** The history of a report, oldest first. */
export const useIncidentHistory = (id: string) => {
  const { data, error, mutate } = useSWR(historyKey(id), async (): Promise<TrailEvent[]> => {
    const events = await client.account.events({ subject_id: id, limit: 100 }).toArray({ limit: 500 })
    return events.toReversed()
  })
  return { events: data, failure: error as unknown, again: () => void mutate() }
}

/** All that match the filter, page by page. */
export const readAllIncidents = (filter: IncidentChoice) => client.incidents.list({ limit: 100, ...queryOf(filter) })
