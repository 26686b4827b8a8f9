/** Words of what it costs. */
export const billingTab = {
  heading: 'Billing',
  about: 'There is nothing to pay here, and no card is asked for.',
  individual: {
    heading: 'Individual Developers',
    price: 'Free forever',
    text: 'Registering models, proving deployments and giving out verification links costs individual developers nothing.',
  },
  teams: {
    heading: 'Teams & Enterprises',
    price: 'Custom',
    text: 'Tell us what your organization needs. We offer:',
    offers: [
      'Private registries',
      'Compliance features',
      'Dedicated support',
      'Custom verification workflows',
      'White-label',
      'Higher API limits',
      'Help with integration',
      'Uptime guarantees',
    ],
    contact: 'Contact us by mail',
    address: (address: string) => `The mail goes to ${address}.`,
    subject: 'Countersign for teams',
  },
} as const
