import type { Change, IssuedVerification } from '@countersign/sdk/contract'
import { type Outcome, outcomeOf } from '@countersign/sdk/verify'

type Judged = Pick<IssuedVerification, 'result' | 'strength' | 'reason' | 'change' | 'expires_at'>

/** What happened to a link, or else what it is now: its time may have come since the registry answered. */
export const stateOf = (link: Judged, now: number): { outcome: Outcome; change: Change | null } => {
  const outcome = outcomeOf(link, now)
  return { outcome, change: outcome === 'could_not_check' ? null : link.change }
}
