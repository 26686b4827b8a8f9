import type { Outcome } from '@countersign/sdk/verify'

/** What the page says of a link: the verdict's outcome, and of an unconfirmed company whether it was confirmed lately. */
export type LinkState = Outcome | 'domain_stale'

const shownStates = ['verified', 'provider_only', 'provider_unverified', 'domain_stale', 'check_failed'] as const

/** A link that is known and within its time. All other states are a failure, or no answer. */
export type ShownState = (typeof shownStates)[number]
export type FailureState = Exclude<LinkState, ShownState>

export const isShown = (state: LinkState): state is ShownState => (shownStates as readonly LinkState[]).includes(state)
