import type { StagedChange } from '@countersign/sdk/contract'

/** The Changes section of the settings. */
export const changesSection = {
  label: 'Changes to approve',
  about:
    'Once an owner has a passkey, keys and CI jobs cannot make dangerous changes by themselves. Such changes wait here for 7 days. Nothing happens until someone approves them.',
  failed: 'The changes could not be loaded',
  none: 'No changes wait for approval.',
  list: 'Changes that wait',
  by: (actor: string, when: string) => `Asked for by ${actor} on ${when}`,
  until: (when: string) => `Expires on ${when}`,
  approve: 'Approve',
  approveOf: (what: string) => `Approve: ${what}`,
  reject: 'Reject',
  rejectOf: (what: string) => `Reject: ${what}`,
  rejected: 'The change was rejected',
  notRejected: 'The change could not be rejected',
  dialog: {
    title: 'Approve this change?',
    description: 'It happens at once, exactly as it is written here.',
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
    } satisfies Record<StagedChange['state'], string>,
    by: (state: string, who: string, when: string) => `${state} by ${who} on ${when}`,
    back: (when: string) => `Taken back on ${when}`,
  },
} as const
