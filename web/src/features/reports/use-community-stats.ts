import useSWR from 'swr'
import { client } from '../../data/client.ts'
import { useViewer } from '../../data/session.ts'

const noStats = {
  total_verifications: 0,
  reports_under_investigation: 0,
  total_reports: 0,
  dismissed_reports: 0,
  last_incident: null,
  last_incident_status: null,
  provider_trust_level: 'unverified',
} as const

/** The model's community numbers; undefined if unknown. */
export const useCommunityStats = (id: string) => {
  const { data, error, mutate } = useSWR(['model-stats', id, useViewer()], () => client.models.communityStats(id))
  return {
    stats: data ?? noStats,
    isKnown: data !== undefined,
    isFailed: error !== undefined,
    again: () => void mutate(),
  }
}
