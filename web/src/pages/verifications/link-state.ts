/** What the page can say of a link. */
export const linkStates = [
  'verified',
  'unknown-provider',
  'check-failed',
  'expired',
  'revoked',
  'archived',
  'gone',
  'mistyped',
  'malformed',
  'not-found',
  'forged',
  'foreign',
  /** Refused for a reason that this page does not know yet. */
  'failed',
  'could-not-check',
] as const
export type LinkState = (typeof linkStates)[number]
