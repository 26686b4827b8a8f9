import { formatTime } from '../site.ts'

/** The Domains section of the settings. */
export const domainsSection = {
  label: 'Domains',
  about:
    'Visitors know you by your proven domain. Your primary domain is shown on your pages and in new links. A link keeps the domain it was created under, and is verified while that domain is proven.',
  add: 'Add a domain',
  failed: 'Your domains could not be loaded',
  list: 'Domains',
  none: {
    heading: 'You have no domain yet',
    text: 'Add a domain and publish its DNS record. Until then, visitors see that no one has checked your company.',
  },
  primary: 'Primary',
  becomesPrimary: (time: string) =>
    `Becomes your primary domain at ${formatTime(time)}. Until then any owner can cancel it under Changes.`,
  states: { proven: 'Proven', stale: 'Could not be checked', unproven: 'Not proven' },
  proven: (method: string, at: string) => `By ${method}, since ${formatTime(at)}`,
  confirmed: (at: string) => `Last confirmed ${formatTime(at)}. It is checked every day.`,
  stale: (since: string) =>
    `Since ${formatTime(since)}. Your links are shown in amber. If it cannot be checked for 72 hours, the proof is lost.`,
  lost: (at: string) => `The proof was lost on ${formatTime(at)}. Publish it again, then check.`,
  contested: (at: string) =>
    `Another account has proven this domain. If its proof is still missing and yours is still published at ${formatTime(at)}, the domain becomes yours.`,
  open: 'Publish the record or the file, then check.',
  verify: { button: 'Prove', again: 'Check again', of: (domain: string) => `Prove ${domain}` },
  makePrimary: {
    button: 'Make primary',
    of: (domain: string) => `Make ${domain} primary`,
    title: (domain: string) => `Make ${domain} your primary domain?`,
    text: 'Your pages and new links will show it: at once, or after 24 hours if an owner has a passkey. Existing links keep their domain.',
    action: 'Make primary',
    doing: 'Changing…',
    done: 'Primary domain changed',
    later: 'The primary domain changes in 24 hours',
  },
  remove: {
    button: 'Remove',
    of: (domain: string) => `Remove ${domain}`,
    title: (domain: string) => `Remove ${domain}?`,
    text: 'Links created under it will no longer be shown as verified. To use the domain again, add it and prove it again.',
    action: 'Remove domain',
    doing: 'Removing…',
    done: 'Domain removed',
  },
  form: {
    title: 'Add a domain',
    description: 'Enter the domain without a path. You’ll get a DNS record or a file to publish.',
    label: 'Domain',
    example: 'northwind.example',
    submit: 'Add domain',
    submitting: 'Adding…',
    failed: 'The domain could not be added.',
  },
} as const
