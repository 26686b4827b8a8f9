import type { Change, IssuedVerification } from '@countersign/sdk/contract'
import { type Outcome, outcomeOf } from '@countersign/sdk/verify'

type LinkFields = Pick<IssuedVerification, 'result' | 'strength' | 'reason' | 'change' | 'expires_at'>

/** What happened to a link, or its current state: it may have expired since the response. */
export const stateOf = (link: LinkFields, now: number): { outcome: Outcome; change: Change | null } => {
  const outcome = outcomeOf(link, now)
  return { outcome, change: outcome === 'could_not_check' ? null : link.change }
}
