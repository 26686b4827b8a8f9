import type { Binding, Change } from '@countersign/sdk/contract'
import type { Outcome } from '@countersign/sdk/verify'
import { quote } from '@countersign/sdk/words'
import { formatNumber } from '#messages/site.ts'

/** The Verifications tab. */
export const verificationsTab = {
  heading: 'Verifications',
  about: 'Links that your programs requested. Each is valid for 15 minutes unless it is revoked.',
  loading: 'Loading your links…',
  failed: 'Failed to fetch verifications',
  found: (count: number, isMore: boolean) =>
    isMore ? `More than ${formatNumber(count)} links` : count === 1 ? 'One link' : `${formatNumber(count)} links`,
  moreThan: (count: number) => `more than ${formatNumber(count)}`,
  list: 'Links',
  columns: { model: 'Model', created: 'Requested', deployment: 'Deployment', state: 'State', opened: 'Opened' },
  empty: { heading: 'No links', hint: 'No link was requested for this model.' },
  firstStep: {
    heading: 'No links yet',
    text: 'Your program requests a link when someone asks your model for proof. Create one to see what they see.',
  },
  model: 'Model',
  allModels: 'All models',
  version: (name: string, version: string) => quote(`${name} ${version}`),
  issued: (time: string) => `Requested ${time}`,
  stateAt: (state: string, time: string) => `${state} · ${time}`,
  deployment: {
    none: 'No deployment named',
    proven: {
      mtls: 'Proven by mutual TLS',
      proxy: 'Proven by a trusted proxy',
      signed: 'Proven by a signature',
      workload: 'Proven by its platform',
      'self-asserted': 'Named, not proven',
    } satisfies Record<Binding, string>,
  },
  /** Where the link page's words are too long for a list, or address visitors. */
  states: {
    verified: 'Verified',
    provider_only: 'Server not confirmed',
    provider_unverified: 'Provider not verified',
  } as Partial<Record<Outcome, string>>,
  changes: {
    expired: 'Expired',
    key_compromised: 'Key compromised',
    api_key_compromised: 'API key compromised',
    provider_deactivated: 'Provider deactivated',
    provider_deleted: 'Provider deleted',
    model_archived: 'Model withdrawn',
    model_deleted: 'Model deleted',
    deployment_disabled: 'Deployment disabled',
    deployment_deleted: 'Deployment deleted',
    authorization_removed: 'Authorization revoked',
    suspended: 'Suspended after a restore',
    bundle_invalid: 'Signature invalid',
  } satisfies Record<Change, string>,
  state: {
    expires: (time: string) => `Expires ${time}`,
    expired: (time: string) => `Expired ${time}`,
    wouldHave: (time: string) => `Would have expired ${time}`,
  },
  bound: 'An answer is attached',
  opened: {
    never: 'Not opened',
    first: (time: string) => `First opened ${time}`,
    firstOn: (day: string) => `First on ${day}`,
    often: (count: number) => (count === 1 ? 'Opened once' : `Opened ${formatNumber(count)} times`),
  },
  details: {
    title: 'Link',
    open: 'Details',
    model: 'View model',
    only: 'Only links of this model',
    challenge: 'Phrase',
    origin: 'For the website',
    answer: 'Answer',
  },
  id: 'Verification ID',
  user: 'User (pseudonym)',
  metadata: 'Metadata',
} as const
