/** The Billing tab. */
export const billingTab = {
  heading: 'Billing',
  about: 'There is nothing to pay, and we don’t ask for a card.',
  individual: {
    heading: 'Individual Developers',
    price: 'Free forever',
    text: 'Registering models, proving deployments and creating verification links is free for individual developers.',
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
    contact: 'Contact us by email',
    address: (address: string) => `Emails go to ${address}.`,
    subject: 'Countersign for teams',
  },
} as const
