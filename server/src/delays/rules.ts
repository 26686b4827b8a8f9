import { Refusal } from '@countersign/sdk/contract'

/** How long owners can cancel what cannot be taken back. */
export const delayMs = 24 * 3_600_000

export const noLongerDelayed = () =>
  new Refusal('already_decided', 'This change does not wait for a time: it took effect, or was cancelled or decided.')

export const peopleOnly = () =>
  new Refusal('forbidden', 'Only a person can cancel a recovery: sign in on the web, or use the link in the email.')

/** The same change waits once, and only one primary domain waits at a time. */
export const digestOf = ({ endpoint, params }: { endpoint: string; params: string }) =>
  JSON.stringify(['delayed', endpoint, endpoint === 'domains.makePrimary' ? '' : params])
