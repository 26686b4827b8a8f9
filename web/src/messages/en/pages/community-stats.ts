/** What people made of a model. */
export const communityStats = {
  heading: 'Community Stats',
  verifications: 'Total verifications',
  verificationsNote: 'Links of this model that people opened, not counting its provider.',
  open: 'Open reports',
  openNote:
    'Only reports that came with a genuine link, or that the provider looked into, are counted. They stay counted in every version and under a new account of the same domain.',
  total: 'All reports',
  dismissed: (count: string) => `${count} dismissed by the provider`,
  last: 'Last incident',
  lastOf: (when: string, status: string) => `${when}, ${status}`,
  noLast: 'None',
  statuses: {
    reported: 'reported',
    investigating: 'under investigation',
    resolved: 'resolved',
    dismissed: 'dismissed by the provider',
  } as Record<string, string>,
  trust: 'Provider trust level',
  failed: 'The numbers could not be loaded just now, so there are none.',
} as const
