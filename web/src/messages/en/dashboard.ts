/** Shared by all tabs of the dashboard. */
export const dashboard = {
  title: 'Dashboard',
  offline: 'You are offline. This page may be out of date, and changes can’t be saved until you are back online.',
  menu: {
    label: 'Dashboard',
    profile: 'Your public profile',
    open: 'open',
    company: 'Acting for',
    membership: (company: string, role: string) => `${company} (${role})`,
    notSwitched: 'The company could not be changed',
    tabs: {
      overview: 'Overview',
      models: 'Models',
      deployments: 'Deployments',
      incidents: 'Incidents',
      verifications: 'Verifications',
      activity: 'Activity',
      log: 'Public log',
      billing: 'Billing',
      settings: 'Settings',
    },
  },
  firstStep: { command: 'Or use the command line:', what: 'the command' },
} as const
