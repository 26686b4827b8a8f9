import type { BundleStatus, Model } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { formatDay, formatNumber } from '#messages/site.ts'
import { versionName } from '#messages/version-name.ts'

const links = (count: number) => (count === 1 ? '1 link' : `${formatNumber(count)} links`)

const titleStates = { registered: '', withdrawn: 'withdrew ', invalid: 'invalid signature of ' }

/** `/models/:id` */
export const modelPage = {
  kind: 'Model',
  loading: 'Loading the model',
  notReloaded: 'This page could not be loaded again. What you see may have changed.',
  /** Same as the server-rendered title: the checked domain first, unchecked names in quotation marks. */
  title: (model: string, domain: string | null, state: keyof typeof titleStates) =>
    `${domain ?? 'Provider not checked'}: ${titleStates[state]}${quote(model)}`,
  path: 'Where you are',
  models: 'Models',

  banners: {
    archived: (when: string) =>
      `This model is archived: its provider withdrew it on ${when}. Its links are no longer valid.`,
    superseded: (when: string) =>
      `A newer version replaced this one on ${when}. That did not end this version’s links.`,
    inactive: 'This version is inactive: it is not listed, and its endpoint is not monitored.',
    next: 'Next version',
    latest: 'Latest version',
  },
  header: {
    by: 'Provider',
    nobodyChecked: 'No one has checked who registered this model. Anyone can register any name.',
    version: (version: string, number: number) => `Version ${versionName(version)} (number ${number})`,
    latest: 'Latest',
    isPublic: 'Public',
    isPrivate: 'Private',
    privateNote: 'This model is private. Only you can see this page.',
    versions: 'Versions',
    allVersions: 'Compare all versions',
    neighbours: 'Versions before and after',
    previous: 'Previous version',
    next: 'Next version',
    id: 'Model ID',
    demo: 'Sample data',
    demoNote: 'This model is sample data. It is not a real model.',
  },
  tabs: {
    label: 'Parts of this page',
    names: { overview: 'Overview', security: 'Security', versions: 'Versions', reports: 'Reports' },
  },

  checked: {
    heading: 'Checked by us',
    summary: (passed: number, failed: number, open: number) =>
      [
        `${passed} of ${passed + failed + open} checks passed`,
        ...(failed > 0 ? [`${failed} failed`] : []),
        ...(open > 0 ? [`${open} not checked`] : []),
      ].join(', '),
    recorded: 'In this registry',
    domain: 'Provider domain',
    proven: (domain: string) => `${domain}, verified`,
    notProven: 'Not verified',
    status: 'Status',
    active: 'Active',
    inactive: 'Inactive',
    superseded: 'Superseded',
    archived: 'Archived',
    visibility: 'Visibility',
    registered: 'Registered by this account',
    firstOpened: 'First link opened',
    never: 'Not yet',
    deployments: 'Authorized deployments',
    proofRequired: 'Only a deployment that proves its key can request links.',
    health: 'Endpoint',
    healthNames: { healthy: 'Answers', unhealthy: 'Does not answer', unknown: 'Not checked' } satisfies Record<
      Model['health_status'],
      string
    >,
    uptime: (percent: string) => `${percent}% of the checks in the last seven days`,
    elsewhere: 'Its address is not at the provider’s proven domain, so this does not show whose it is.',
    bundle: 'Signed bundle',
    thirdParty: 'Signed by a third party',
    ofUnknown: 'Signed by someone unknown',
    bundleStatus: { unknown: 'Unknown', verified: 'Verified', invalid: 'Invalid', error: 'Error' } satisfies Record<
      BundleStatus,
      string
    >,
    reports: 'Reports not closed by the provider',
  },
  use: {
    heading: 'Use over time',
    summary: (count: number, weeks: number, lastWeek: number) =>
      `${links(count)} opened in the last ${weeks} weeks, ${formatNumber(lastWeek)} in the last seven days. Programs can open links as well.`,
    none: (weeks: number) => `No link of this version was opened in the last ${weeks} weeks.`,
    ofWeek: (day: string, count: number) => `${links(count)} opened in the week from ${formatDay(day)}`,
    today: 'Today',
    asTable: 'Show as a table',
    week: 'Week from',
    count: 'Links opened',
  },
  stated: {
    heading: 'Stated by the provider',
    description: 'Description, stated by the provider',
    notChecked: 'Stated by the provider, not checked by us.',
    groups: {
      basic: 'Basic information',
      specifications: 'Technical specifications',
      abilities: 'Capabilities',
      service: 'Service',
      benchmarks: 'Benchmarks',
      links: 'Links',
    },
    types: {
      language: 'Language',
      'image-generation': 'Image generation',
      audio: 'Audio',
      embedding: 'Embedding',
      multimodal: 'Multimodal',
    } satisfies Record<Model['model_type'], string>,
    units: { tokens: (count: string) => `${count} tokens` },
    benchmarkNames: {
      mmlu: 'MMLU',
      humaneval: 'HumanEval',
      gsm8k: 'GSM8K',
      hellaswag: 'HellaSwag',
      lmarena_ranking: 'LMArena rank',
    },
  },

  json: 'This record as JSON',
  badge: {
    summary: 'Show this model on your website',
    text: 'The image shows the state when it was loaded, and a domain only if the registry has checked it. The level also counts what the provider says of itself.',
    alt: 'Status in the registry',
    markdown: 'Markdown',
    html: 'HTML',
  },

  sample: {
    label: 'Sample data',
    text: 'This is made up, to show what a completed page looks like. Nothing here was checked.',
    digest: 'Digest',
    signer: 'Signed by',
    checks: 'Checks of the bundle',
    checksValue: 'Signature, certificate, log, time, digest, signer: not checked',
    fingerprint: 'Key fingerprint',
    spiffe: 'SPIFFE ID',
    cloud: 'Cloud identity',
  },

  missing: {
    heading: 'Model Not Found',
    notFound: 'Model not found or is not publicly available',
    failed: 'Failed to load data',
    noId: 'Model ID is required',
    browse: 'Browse Models',
  },
} as const
