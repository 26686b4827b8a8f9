import { quote } from '@countersign/sdk/words'
import { site } from '../site.ts'

/** `/providers/:id` */
export const providerPage = {
  kind: 'Provider',
  loading: 'Loading the provider',
  unnamed: 'A company without a name',
  /** Same as the server-rendered title. */
  title: (domain: string | null, name: string | null) =>
    [domain ?? 'Provider not checked', name !== null && quote(name)].filter(Boolean).join(': '),
  providers: 'Providers',
  path: 'Where you are',
  badges: { verified: 'Domain Verified', email: 'Email Verified', none: 'Unverified' },
  calls: (name: string) => `The company calls itself ${name}.`,
  similarName: (domain: string) => `Another provider has had a similar name and a proven domain for longer: ${domain}`,
  nobodyChecked: 'No one has checked who this is. Anyone can register any name.',
  provenBy: (method: keyof typeof site.domainMethods | null, day: string | null) =>
    `Checked by this registry${method === null ? '' : `: ${site.domainMethods[method]}`}${day === null ? '' : `, ${day}`}.`,

  checked: {
    heading: 'Checked by us',
    domain: 'Domain',
    notProven: (domain: string) => `${domain}, not proven`,
    stale: (domain: string) => `${domain}, could not be checked`,
    confirmed: (time: string) => `Last confirmed ${time}.`,
    noDomain: 'None',
    email: 'Account’s email address',
    emailVerified: 'Verified, not shown here',
    emailNotVerified: 'Not verified',
    trust: 'Trust level',
    trustOf: (level: keyof typeof site.trustLevels, score: number) =>
      `${site.trustLevels[level]}, ${score} of 100 points`,
    withoutEmail: 'No trust level until the account’s email address is verified.',
    withoutDomain: 'At most Basic until the domain is verified.',
    trustNote:
      'A score for the account and its history. Up to 50 of the 100 points are for self-reported facts that we have not checked. The score says nothing about the quality of the models.',
    trustMade: 'How the score is made up',
    factors: {
      email_verified: 'Account’s email address verified',
      domain_verified: 'Domain verified',
      complete_profile: 'Profile complete',
      compliance_certified: 'Certifications stated (not checked by us)',
      actively_used: 'Links of its models are opened',
      experienced_provider: 'At least 50 of its links were opened',
    },
    yes: 'Yes',
    no: 'No',
    models: 'Public models',
    verifiedModels: 'Verified models',
    verifiedModelsNote: 'Public models whose signed bundle was verified.',
    created: 'Account created',
    id: 'Provider ID',
  },
  stated: {
    heading: 'Stated by the provider',
    headquarters: 'Headquarters',
    contact: 'Contact',
    contactNote: 'Stated by the provider, not checked by us. It may not be the account’s email address.',
    notChecked: 'Stated by the provider, not checked by us.',
    nothing: 'The provider has not filled in its profile.',
  },

  models: {
    heading: 'Public Models',
    name: 'Name',
    description: 'Description',
    version: 'Version',
    endpoint: 'API endpoint',
    endpointElsewhere: 'Stated by the provider, not at its proven domain',
    context: 'Context window',
    tokens: (count: string) => `${count} tokens`,
    released: 'Released',
    status: 'Status',
    active: 'Active',
    inactive: 'Inactive',
    notStated: 'Not stated',
    none: 'No public models',
    noneText: 'This provider has no public models.',
    unlisted: 'Its models are not listed',
    unlistedText:
      'This provider is left out of lists and search, either by its own choice or because its name resembles that of a provider with a verified domain. Each of its public models can still be opened by its own link.',
  },

  request: {
    heading: 'Ask for verification links',
    text: (domain: string) =>
      `Would you like the models of ${domain} to give you links in your chats? This opens a ready-made message to the provider in your email program.`,
    button: 'Write the integration request',
    subject: 'Please give your models verification links',
    body: (domain: string, page: string, docs: string) =>
      [
        'Hello,',
        '',
        `I use AI models of ${domain} and would like to check which company vouches for them.`,
        'Please give your models verification links: when someone asks, the model answers with a link that shows who requested it, and for which model.',
        '',
        `Your page in the registry: ${page}`,
        `How to integrate: ${docs}`,
        '',
        'Thank you.',
      ].join('\n'),
  },

  json: 'This record as JSON',
  badge: {
    summary: 'Show this provider on your website',
    text: 'The image shows the state when it was loaded, and a domain only if the registry has checked it. The level also counts what the provider says of itself.',
    alt: 'Status in the registry',
    markdown: 'Markdown',
    html: 'HTML',
  },

  missing: {
    heading: 'Provider Not Available',
    notFound: 'This provider profile is private or does not exist.',
    failed: 'Failed to load provider information.',
    browse: 'Browse Providers',
  },
} as const
