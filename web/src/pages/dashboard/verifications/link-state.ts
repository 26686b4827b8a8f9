import type { Change, IssuedVerification } from '@countersign/sdk/contract'

export type LinkState = 'verified' | 'provider_unverified' | Change

type Judged = Pick<IssuedVerification, 'result' | 'change' | 'expires_at'>

/** What its page says of a link: as the registry judged it, and its time may have come since. */
export const stateOf = ({ result, change, expires_at }: Judged, now: number): LinkState => {
  if (change !== null) return change
  if (Date.parse(expires_at) <= now) return 'expired'
  return result === 'verified' ? 'verified' : 'provider_unverified'
}
