/** How a model is used and reported. */
export const communityStats = {
  heading: 'Community Stats',
  verifications: 'Total verifications',
  verificationsNote:
    'Links of this model that were opened, each once. Anyone can open one; only openings by the signed-in provider are left out.',
  open: 'Not closed by the provider',
  openNote:
    'Counts only reports with a link and reports the provider acted on, across all versions and later accounts of the same domain.',
  total: 'All reports',
  dismissed: (count: string) => `${count} dismissed by the provider`,
  last: 'Last incident',
  lastOf: (when: string, status: string) => `${when}, ${status}`,
  noLast: 'None',
  statuses: {
    reported: 'reported',
    investigating: 'under investigation, according to the provider',
    resolved: 'marked as resolved by the provider',
    dismissed: 'dismissed by the provider',
  } as Record<string, string>,
  trust: 'Provider trust level',
  failed: 'The numbers could not be loaded just now.',
} as const
