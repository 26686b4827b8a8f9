/** Shared by all tabs of the dashboard. */
export const dashboard = {
  title: 'Dashboard',
  notReloaded: (since: string) => `This page could not be loaded again since ${since}. What you see may have changed.`,
  offline: 'You are offline. This page may be out of date, and changes can’t be saved until you are back online.',
  menu: {
    label: 'Dashboard',
    profile: 'Your public profile',
    open: 'open',
    company: 'Acting for',
    membership: (company: string, role: string) => `${company}, ${role}`,
    notSwitched: 'The company could not be changed',
    limited: {
      publisher: 'You are a publisher here: you can change models, bundles, servers and links.',
      responder: 'You are a responder here: you can answer incidents.',
      viewer: 'You are a viewer here: you can look at the company’s records, but change nothing.',
    },
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
