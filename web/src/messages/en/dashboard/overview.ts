import type { TrustLevel } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { formatDay, formatNumber, site } from '#messages/site.ts'
import { versionName } from '#messages/version-name.ts'

const models = (count: number) => (count === 1 ? '1 active model' : `${formatNumber(count)} active models`)
const points = (count: number) => (count === 1 ? '1 point' : `${formatNumber(count)} points`)
const verifications = (count: number) => (count === 1 ? '1 verification' : `${formatNumber(count)} verifications`)

/** The Overview tab. */
export const overviewTab = {
  heading: 'Overview',
  subtitle: 'Manage your provider account and view your statistics.',

  status: {
    listed: 'Listed.',
    unlisted: 'Not listed.',
    deactivated: 'Deactivated: your pages are gone and your links do not work.',
    domain: (domain: string) => `Domain ${domain} verified.`,
    email: 'Email verified, domain not.',
    nothing: 'Neither email nor domain verified.',
    unregistered: 'Not registered yet.',
    models: (count: number) => `${models(count)}.`,
  },

  banner: {
    heading: 'Provider Registration Incomplete',
    text: 'You are currently not a registered provider. Complete your profile by adding the required information below to become a registered provider. Until then you can register models, but you can’t make verification links.',
    action: 'Complete Registration',
  },

  steps: {
    heading: 'Next steps',
    toNext: (missing: number, level: TrustLevel) => `${points(missing)} to the trust level ${site.trustLevels[level]}`,
    andEmail: ', and your email address must be verified.',
    andDomain: ', and your domain must be verified.',
    withheldEmail: (level: TrustLevel) =>
      `Your points are enough for ${site.trustLevels[level]}. Verify your email address to be rated.`,
    withheldDomain: (level: TrustLevel) =>
      `Your points are enough for ${site.trustLevels[level]}. Without a verified domain the level stays ${site.trustLevels.basic}.`,
    andUse: ', and you need a verified bundle of your own and five opened links.',
    withheldUse: (level: TrustLevel) =>
      `Your points are enough for ${site.trustLevels[level]}. Without a verified bundle of your own and five opened links the level stays ${site.trustLevels.standard}.`,
    highest: 'You have the highest trust level.',
    worth: (count: number) => `adds ${points(count)}`,
    doneCount: (done: number, all: number) => `${formatNumber(done)} of ${formatNumber(all)} steps done`,
    email: {
      name: 'Verify your email now',
      text: 'Confirm your email address. Links stay amber until your domain is also verified.',
    },
    domain: {
      name: 'Complete domain verification',
      text: 'Publish a DNS record or a file. Links of your models then name your domain.',
    },
    profile: {
      name: 'Complete your profile',
      text: 'Each field that visitors can compare with what they know adds two points.',
    },
    model: { name: 'Register a model', text: 'Your links are for a registered model.' },
    sign: { name: 'Sign a model', text: 'Upload a bundle that the registry can verify.' },
    links: {
      name: 'Have your links opened',
      text: 'Five links opened from different networks show that you use them. Each network counts once a day.',
    },
  },

  company: 'Company',

  /** Each counts what its link lists. */
  figures: {
    verifications: '# of Verifications',
    inPeriod: (count: number) => `${formatNumber(count)} in 30 days`,
    models: 'Active Models',
    ofVersions: (count: number) => (count === 1 ? '1 version in all' : `${formatNumber(count)} versions in all`),
    reports: 'Open Reports',
    critical: (count: number) => (count === 0 ? 'none critical' : `${formatNumber(count)} critical`),
    links: 'Links Today',
    ofQuota: (limit: number) => `of ${formatNumber(limit)} a day`,
    since: 'Member Since',
    none: 'N/A',
  },

  models: {
    heading: 'Recent Models',
    text: 'Your latest registered models',
    empty: 'No models registered yet.',
    register: 'Register a model',
    version: (version: string) => `Version: ${versionName(version)}`,
    active: 'Active',
    inactive: 'Inactive',
    all: 'All models',
  },

  usage: {
    heading: 'Usage',
    loading: 'Loading your usage…',
    failed: 'Could not load your usage',
    short: (links: string) => `${links} links today`,
    today: 'Links today',
    none: 'No links minted today yet.',
    resets: 'The count resets at 00:00 UTC.',
    withDomain: (limit: number) => `With a verified domain you get ${formatNumber(limit)} links a day.`,
    month: 'Links in the last 30 days',
    count: formatNumber,
    ofLimit: (count: number, limit: number) => `${formatNumber(count)} of ${formatNumber(limit)}`,
    stored: [
      { name: 'api_keys', label: 'API keys' },
      { name: 'domains', label: 'Domains' },
      { name: 'publishers', label: 'Trusted publishers' },
      { name: 'models', label: 'Model versions' },
      { name: 'models_today', label: 'Model versions registered today' },
      { name: 'deployments', label: 'Deployments' },
    ],
  },

  incidents: {
    heading: 'Recent Incidents',
    text: 'The latest reports about your models',
    empty: 'No incidents reported yet.',
    all: 'All incidents',
    about: (model: string, day: string) => `${quote(model)}, ${formatDay(day)}`,
  },

  trust: {
    heading: 'Trust score',
    score: (score: number, level: TrustLevel) => `${score} of 100 points: ${site.trustLevels[level]}`,
    levels: 'Levels start at 15 (Basic), 25 (Standard), 50 (Advanced) and 70 (Premium) points.',
    counted:
      'Openings count once for each network and day, and never on your own devices. So “Active usage” can be lower than the number of verifications. Versions of one identifier count as one model.',
    columns: { what: 'Component', points: 'Points', missing: 'Missing' },
    ofPoints: (got: number, most: number) => `${got} of ${most}`,
    adds: (missing: number) => `Would add ${points(missing)}.`,
    complete: 'Nothing',
    proven: { name: 'Proven', note: 'Checked or counted by this registry.' },
    selfReported: { name: 'Self-reported', note: 'Stated by you. Visitors see that no one has checked it.' },
    components: {
      email_verified: 'Email verified',
      domain_verified: 'Domain verified',
      complete_profile: 'Complete profile',
      compliance_certifications: 'Compliance certifications',
      ai_certifications: 'AI-specific certifications',
      model_verified: 'Signed model',
      active_usage: 'Active usage: links opened from different networks',
      multiple_models: 'Several models, each with its own identifier',
      experienced: 'Experience: more of these links',
      business_presence: 'Professional presence',
      dedicated_support: 'Dedicated support contact',
    } as Record<string, string>,
  },

  chart: {
    heading: 'Verifications over time',
    text: 'Opened links per day (UTC). Each link counts once.',
    period: 'Period',
    days: (days: number) => `${days} days`,
    model: 'Model',
    allModels: 'All models',
    ofModel: (name: string, version: string, identifier: string) => `${quote(`${name} ${version}`)} (${identifier})`,
    asTable: 'Show as table',
    asChart: 'Show as chart',
    day: 'Day',
    count: 'Verifications',
    ofDay: (day: string, count: number) => `${formatDay(day)}: ${verifications(count)}`,
    summary: (count: number, from: string, to: string) =>
      `${verifications(count)} from ${formatDay(from)} to ${formatDay(to)}.`,
    peak: (day: string, count: number) => `Highest on ${formatDay(day)}: ${formatNumber(count)}.`,
    none: (days: number) => `No link was opened in the last ${days} days.`,
    loading: 'Loading verifications…',
    tableLabel: 'Verifications by day',
  },
} as const
