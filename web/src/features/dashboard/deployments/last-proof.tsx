import type { Deployment } from '@countersign/sdk/contract'
import { deploymentsTab } from '#messages/dashboard/deployments.ts'
import { formatTime } from '#messages/site.ts'
import { StatusChip, type Tone } from '../../../ui/values/status-chip.tsx'

const words = deploymentsTab.lastProof

/** Uses and proofs are recorded at most once a minute each, so within a minute they count as simultaneous. */
const sameMomentMs = 60_000

type Proven = Pick<Deployment, 'status' | 'last_proven_at' | 'last_proven_by' | 'last_used_at'>

const isNamedSince = ({ last_proven_at, last_used_at }: Proven) =>
  last_used_at !== null &&
  (last_proven_at === null || Date.parse(last_used_at) - Date.parse(last_proven_at) > sameMomentMs)

/** The status of a deployment's proof: green only if it is enabled and its last use was proven. */
export const proofOf = (deployment: Proven): { tone: Tone; text: string } => {
  const { status, last_proven_at, last_proven_by, last_used_at } = deployment
  if (last_used_at === null) return { tone: 'unk', text: words.none }
  if (last_proven_at === null || last_proven_by === null) return { tone: 'warn', text: words.none }
  return {
    tone: status !== 'enabled' ? 'unk' : isNamedSince(deployment) ? 'warn' : 'ok',
    text: words.by[last_proven_by],
  }
}

/** How a deployment last proved its key, and whether it was only named since. */
export const LastProof = ({ deployment }: { deployment: Deployment }) => {
  const { proven_at, last_proven_at, last_used_at } = deployment
  const { tone, text } = proofOf(deployment)
  return (
    <>
      <StatusChip tone={tone}>{text}</StatusChip>
      {last_used_at === null && <p className="mt-1 text-muted text-small">{words.neverUsed}</p>}
      {last_proven_at !== null && <p className="mt-1 text-small">{formatTime(last_proven_at)}</p>}
      {proven_at !== null && proven_at !== last_proven_at && (
        <p className="text-muted text-small">{words.first(formatTime(proven_at))}</p>
      )}
      {last_used_at !== null && isNamedSince(deployment) && (
        <p className="mt-1 text-small text-warn">
          {(last_proven_at === null ? words.unproven : words.onlyNamed)(formatTime(last_used_at))}
        </p>
      )}
    </>
  )
}
