import type { StagedChange } from '@countersign/sdk/contract'

const delayed: Record<string, string> = {
  'providers.delete': 'The company is deleted',
  'domains.makePrimary': 'The primary domain changes',
  'factors.remove': 'A passkey of an owner is removed',
  'factors.recover': 'All passkeys of a member are removed',
  'members.remove': 'An owner is removed',
  'members.setRole': 'An owner gets another role',
}

/** What a delayed call of an endpoint does. */
export const delayedWords = (endpoint: string) => delayed[endpoint] ?? endpoint

/** The Changes section of the settings. */
export const changesSection = {
  label: 'Changes',
  about:
    'Once an owner has a passkey, keys, CI jobs and signed-in devices cannot make dangerous changes by themselves: they wait here for up to 7 days until someone approves them. Changes that cannot be undone take effect after 24 hours.',
  failed: 'The changes could not be loaded',
  none: 'No changes are waiting.',
  list: 'Changes that wait',
  by: (actor: string, when: string) => `Asked for by ${actor} on ${when}`,
  until: (when: string) => `Expires on ${when}`,
  approve: 'Approve',
  approveOf: (what: string) => `Approve: ${what}`,
  effect: (time: string) => `Takes effect at ${time}. Until then any owner can cancel it`,
  cancel: 'Cancel this change',
  cancelOf: (what: string) => `Cancel: ${what}`,
  cancelled: 'The change was cancelled',
  notCancelled: 'The change could not be cancelled',
  banner: (count: number) => (count === 1 ? 'A change takes effect soon.' : `${count} changes take effect soon.`),
  bannerLink: 'See or cancel',
  reject: 'Reject',
  rejectOf: (what: string) => `Reject: ${what}`,
  rejected: 'The change was rejected',
  notRejected: 'The change could not be rejected',
  dialog: {
    title: 'Approve this change?',
    description: 'Exactly what is written here is done: at once, or after 24 hours if it cannot be undone.',
    recovery:
      'Ask this person first whether they lost their passkeys. Their passkeys are removed once each of their companies has confirmed it.',
    action: 'Approve',
    doing: 'Approving…',
    done: 'The change was approved',
  },
  key: {
    title: 'The new API key',
    text: 'Copy it now: it is not shown again.',
  },
  decided: {
    heading: 'Last decisions',
    states: {
      open: 'Waiting',
      approved: 'Approved',
      rejected: 'Rejected',
      expired: 'Expired',
      delayed: 'Delayed',
      done: 'Done',
      cancelled: 'Cancelled',
    } satisfies Record<StagedChange['state'], string>,
    by: (state: string, who: string, when: string) => `${state} by ${who} on ${when}`,
    back: (when: string) => `Taken back on ${when}`,
  },
} as const
