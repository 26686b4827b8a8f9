import type { CommunityStats } from '@countersign/sdk/contract'
import useSWR from 'swr'
import { client } from '../../data/client.ts'
import { useViewer } from '../../data/session.ts'
import { currentOrNone } from '../../failures/giving-up.ts'

const noStats: Omit<CommunityStats, 'model_id' | 'unresolved_incidents' | 'last_incident_date'> = {
  total_verifications: 0,
  weeks: [],
  reports_under_investigation: 0,
  total_reports: 0,
  dismissed_reports: 0,
  last_incident: null,
  last_incident_status: null,
  provider_trust_level: 'unverified',
}

/** The model's community numbers; zeros unless `isKnown`. */
export const useCommunityStats = (id: string) => {
  const { data, error, mutate } = useSWR(
    ['model-stats', id, useViewer()],
    () => client.models.communityStats(id),
    currentOrNone,
  )
  return {
    stats: data ?? noStats,
    isKnown: data !== undefined,
    isFailed: error !== undefined,
    again: () => void mutate(),
  }
}
