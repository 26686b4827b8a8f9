import { formatNumber, locale } from '../site.ts'
import { versionName } from '../version-name.ts'

const counted = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${formatNumber(count)} ${many}`
const models = (count: number) => counted(count, 'model', 'models')

/** The Models tab. */
export const modelsTab = {
  heading: 'Models',
  loading: (arrived: number) =>
    arrived === 0 ? 'Loading your models…' : `Loading your models… ${formatNumber(arrived)} so far`,
  active: (count: number) => counted(count, 'active model', 'active models'),
  registered: (count: number) => counted(count, 'registered model', 'registered models'),
  versions: (count: number) => `in ${counted(count, 'version', 'versions')}`,
  attention: (count: number) => counted(count, 'needs attention', 'need attention'),
  register: 'Register New Model',
  failed: 'Failed to Load Models',
  failedWhy: (message: string) => `Failed to load models: ${message}`,
  noKey: 'No API key available',
  again: 'Try Again',

  filters: {
    label: 'Filters',
    search: 'Search models',
    placeholder: 'Search models...',
    archived: 'Show archived models',
    visibility: 'Visibility',
    visibilities: { all: 'Public and private', public: 'Public', private: 'Private' },
    views: {
      all: 'All',
      attention: 'Needs attention',
      superseded: 'Superseded',
      archived: 'Archived',
      invalid: 'Invalid signature',
      failing: 'Not responding',
      untied: 'Signed by a third party',
    },
    found: (count: number, all: number) =>
      count === all ? `${models(all)}` : `${formatNumber(count)} of ${models(all)}`,
  },
  empty: {
    heading: 'No models found',
    noMatch: 'No models match your search criteria.',
    none: "You haven't registered any models yet.",
    allArchived: 'All your models are archived.',
    showArchived: 'Show archived models',
    why: 'A registered model gets its own page, and links that show for 15 minutes who requested them.',
    register: 'Register Your First Model',
    command: `countersign models register ./model \\
  --identifier atlas \\
  --display-name "Atlas" \\
  --endpoint https://api.acme.example/v1 \\
  --description "What it does and for whom"`,
  },
  list: 'Your models',
  columns: {
    name: 'Model',
    version: 'Version',
    file: 'Model file',
    visibility: 'Visibility',
    endpoint: 'Endpoint',
    created: 'Registered',
  },

  card: {
    named: (name: string, version: string) => `${name} ${versionName(version)}`,
    of: (act: string, name: string) => `${act}: ${name}`,
    version: (version: string, number: number) => `Version ${versionName(version)} (number ${number})`,
    latest: 'Latest',
    states: { archived: 'Archived', active: 'Active', superseded: 'Superseded', inactive: 'Inactive' },
    isPublic: 'Public',
    isPrivate: 'Private',
    identifier: 'API model identifier',
    id: 'Model ID',
    endpoint: 'API endpoint',
    noEndpoint: 'Not specified',
    released: 'Released',
    notReleased: 'N/A',
    registered: (day: string) => `Registered ${day}`,
    supersededOn: (day: string) => `superseded ${day}`,
    archivedOn: (day: string, reason: string | null) =>
      reason === null || reason === '' ? `archived ${day}` : `archived ${day}: ${reason}`,
    firstOpened: (day: string) => `first link opened ${day}`,
    view: 'View',
    details: 'Details',
    makePublic: 'Make public',
    makePrivate: 'Make private',
    versions: (count: number) => counted(count, 'version', 'versions'),
    older1: (name: string) => `↳ ${name}`,
    versionOf: (version: string, identifier: string) => `${versionName(version)} · ${identifier}`,
    previous: 'Previous version',
    next: 'Next version',
    neighbours: (name: string) => `Previous and next versions of ${name}`,
    history: 'History',
    newVersion: 'New Version',
    editFor: (minutes: number) => (minutes <= 1 ? 'Edit (1 minute left)' : `Edit (${minutes} minutes left)`),
    archive: 'Archive',
    unarchive: 'Unarchive',
    sync: 'Sync from the hub',
    bundle: 'Bundle',
    looks: { bundle: 'Bundle', health: 'Monitoring', access: 'Deployments' },
    showVersions: (count: number) => `View All Versions (${formatNumber(count)})`,
    hideVersions: 'Hide Versions',
  },
  visibility: { isPublic: 'Model made public', isPrivate: 'Model made private', failed: 'Failed to update visibility' },
  archive: {
    title: (name: string) => `Archive ${name}?`,
    text: 'Its links stop working at once, it can’t create new ones, and it is removed from the public lists. Its record is kept, and you can unarchive it.',
    reason: 'Reason',
    reasonHint: 'Stored with the record. Only you see it. The default is: Provider archived.',
    action: 'Archive',
    doing: 'Archiving…',
    done: (name: string) => `Model "${name}" archived`,
    failed: (why: string) => `Failed to archive model: ${why}`,
    already: 'This version is already archived.',
  },
  unarchive: {
    done: (name: string) => `Model "${name}" unarchived`,
    text: 'It is as visible as before, and it can create links again.',
    failed: 'Failed to unarchive the model',
  },
  sync: {
    done: 'Synced from the model hub',
    fields: (names: string) => `Changed: ${names}`,
    none: 'Nothing has changed on the hub.',
    failed: 'The model hub could not be read',
  },

  health: {
    states: { healthy: 'Healthy', unhealthy: 'Not responding', unknown: 'Not checked yet', off: 'Not monitored' },
    uptime: (percent: number) => `${formatNumber(percent)}% in 7 days`,
    week: (days: string) => `Uptime in the last seven days: ${days}`,
    day: (day: string, percent: string) => `${day} ${percent}`,
    percent: (share: number) => `${formatNumber(Math.floor(share * 1000) / 10)}%`,
    notChecked: 'not checked',
    title: (name: string) => `Monitoring of ${name}`,
    text: 'The registry checks the endpoint regularly. Any response with a status below 500 counts as healthy; its content is not read.',
    monitor: 'Monitor the endpoint',
    notWatched: 'Superseded and archived versions are not checked, even if this is on.',
    interval: 'Check every',
    intervalOf: (seconds: number) => {
      if (seconds % 3600 === 0) return counted(seconds / 3600, 'hour', 'hours')
      return seconds % 60 === 0 ? counted(seconds / 60, 'minute', 'minutes') : counted(seconds, 'second', 'seconds')
    },
    backOff: 'While it isn’t responding, it is checked less often, but at least every hour.',
    endpoint: 'Endpoint',
    state: 'State',
    lastCheck: 'Last checked',
    never: 'Never',
    uptimeName: 'Uptime in 7 days',
    noUptime: 'Not known yet',
    days: 'Day by day (UTC)',
    saved: 'Monitoring updated',
    failed: 'Failed to update monitoring',
    loadFailed: 'The monitoring data could not be loaded',
  },

  bundle: {
    title: (name: string) => `Signed bundle of ${name}`,
    upload: 'Upload a bundle',
    uploading: 'Uploading…',
    uploadText: 'A Sigstore or OpenSSF Model Signing bundle of this version. It is checked at once.',
    uploaded: {
      checking: 'The bundle was uploaded. It is being checked.',
      verified: 'The bundle was uploaded and verified.',
      ofUnknown: 'The bundle was uploaded. Its signature is valid, but your domain is not verified.',
      unknown: 'The bundle was uploaded but could not be verified yet. See below what is missing.',
      invalid: 'The bundle was uploaded but is not valid. See below why.',
      error: 'The bundle was uploaded but could not be checked. Try again later.',
    },
    uploadFailed: (why: string) => `The bundle was rejected: ${why}`,
    declare: 'Declare this signer',
    declareText:
      'You have declared no signer. If the signature is yours, declare its signer. The bundle is then checked again.',
  },
  deployments: {
    title: (name: string) => `Deployments of ${name}`,
    revokeFailed: 'Failed to revoke model authorization',
  },
  history: {
    title: 'Model Version History',
    none: 'No history found for this model.',
    failed: 'Failed to load model history',
    edits: 'Changes to this version',
    noEdits: 'No changes since it was registered.',
    before: 'Before',
    after: 'After',
    nothing: 'nothing',
    yes: 'yes',
    no: 'no',
    versions: (count: number) => `Versions (${formatNumber(count)})`,
    shown: 'This version',
    registered: (when: string) => `Registered ${when}`,
    firstOpened: (when: string) => `First link opened ${when}`,
    neverOpened: 'No link opened yet',
    superseded: (when: string) => `Superseded ${when}`,
    archived: (when: string) => `Archived ${when}`,
    reason: (reason: string) => `Reason: ${reason}`,
    fields: {
      archive_reason: 'Reason for archiving',
      unarchive_reason: 'Reason for unarchiving',
      health_check_enabled: 'Health monitoring',
      health_interval_seconds: 'Seconds between health checks',
      is_public: 'Public',
      model_files: 'Files of the model',
      tls_version: 'Minimum TLS version',
    } as Readonly<Record<string, string>>,
  },

  bulk: {
    chooseAll: (count: number) => `Select all ${formatNumber(count)}`,
    chosen: (count: number) => `${formatNumber(count)} selected`,
    makePublic: 'Make public',
    makePrivate: 'Make private',
    archive: 'Archive',
    archiveTitle: (count: number) => `Archive ${models(count)}?`,
    archiveList: 'Models that will be archived',
    progress: (done: number, all: number) => `${formatNumber(done)} of ${formatNumber(all)}…`,
    done: {
      public: (count: number) => `${models(count)} made public.`,
      private: (count: number) => `${models(count)} made private.`,
      archive: (count: number) => `${models(count)} archived.`,
    },
    failed: (count: number) => (count === 1 ? '1 failed:' : `${formatNumber(count)} failed:`),
    failure: (name: string, why: string) => `${name}: ${why}`,
  },
  dialog: { gone: 'This model is no longer in your list.', close: 'Close' },
} as const

const longTime = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'long', timeStyle: 'short' })
const shortDay = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short' })

/** `21 November 2026 at 13:20 UTC` */
export const formatLongTime = (time: string) => `${longTime.format(new Date(time))} UTC`

/** `21 Nov` */
export const formatShortDay = (day: string) => shortDay.format(new Date(day))
