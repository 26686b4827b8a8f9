import type { CommunityStats } from '@countersign/sdk/contract'
import useSWR from 'swr'
import { client } from '../../data/client.ts'
import { useViewer } from '../../data/session.ts'
import { keptCurrent } from '../../hooks/kept-current.ts'

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

/** The model's community numbers; zeros unless `isKnown`. The page around them no longer shows anything after two failures. */
export const useCommunityStats = (id: string) => {
  const { data, error, mutate } = useSWR(
    ['model-stats', id, useViewer()],
    () => client.models.communityStats(id),
    keptCurrent,
  )
  return {
    stats: data ?? noStats,
    isKnown: data !== undefined,
    isFailed: error !== undefined,
    again: () => void mutate(),
  }
}
