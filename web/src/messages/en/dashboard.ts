/** Words of the provider area that are not of one tab. */
export const dashboard = {
  title: 'Dashboard',
  offline: 'You are offline. What you see may be old, and changes cannot be saved until you are back.',
  menu: {
    label: 'Dashboard',
    profile: 'Your public profile',
    open: 'open',
    tabs: {
      overview: 'Overview',
      models: 'Models',
      deployments: 'Deployments',
      incidents: 'Incidents',
      verifications: 'Verifications',
      activity: 'Activity',
      billing: 'Billing',
      settings: 'Settings',
    },
  },
  firstStep: { command: 'Or on the command line:', what: 'the command' },
} as const
