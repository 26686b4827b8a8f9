import type { Deployment } from '@countersign/sdk/contract'
import { deploymentsTab } from '#messages/dashboard/deployments.ts'
import { formatTime } from '#messages/site.ts'
import { StatusChip } from '../../../ui/values/status-chip.tsx'

const words = deploymentsTab.lastProof

/** Uses and proofs are recorded at most once a minute each, so within a minute they count as simultaneous. */
const sameMomentMs = 60_000

/** How a deployment last proved its key, and whether it was only named since. */
export const LastProof = ({ deployment }: { deployment: Deployment }) => {
  const { proven_at, last_proven_at, last_proven_by, last_used_at } = deployment
  if (last_used_at === null)
    return (
      <>
        <StatusChip tone="unk">{words.never}</StatusChip>
        <p className="mt-1 text-muted text-small">{words.neverUsed}</p>
      </>
    )
  const isNamedSince = last_proven_at === null || Date.parse(last_used_at) - Date.parse(last_proven_at) > sameMomentMs
  // Green only if enabled and its last use was proven.
  const tone = deployment.status !== 'enabled' ? 'unk' : isNamedSince ? 'warn' : 'ok'
  return (
    <>
      {last_proven_at === null || last_proven_by === null ? (
        <StatusChip tone="warn">{words.never}</StatusChip>
      ) : (
        <>
          <StatusChip tone={tone}>{words.by[last_proven_by]}</StatusChip>
          <p className="mt-1 text-small">{formatTime(last_proven_at)}</p>
          {proven_at !== null && proven_at !== last_proven_at && (
            <p className="text-muted text-small">{words.first(formatTime(proven_at))}</p>
          )}
        </>
      )}
      {isNamedSince && <p className="mt-1 text-small text-warn">{words.onlyNamed(formatTime(last_used_at))}</p>}
    </>
  )
}
