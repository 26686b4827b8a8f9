import { formatNumber, locale } from '../site.ts'

const counted = (count: number, one: string, many: string) => (count === 1 ? `1 ${one}` : `${formatNumber(count)} ${many}`)
const models = (count: number) => counted(count, 'model', 'models')

/** Words of the tab of models. */
export const modelsTab = {
  heading: 'Models',
  loading: (arrived: number) => (arrived === 0 ? 'Loading your models…' : `Loading your models… ${formatNumber(arrived)} so far`),
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
    sort: 'Sort by',
    sorts: { newest: 'Newest first', name: 'Name', attention: 'Needs attention first' },
    found: (count: number, all: number) => (count === all ? `${models(all)}` : `${formatNumber(count)} of ${models(all)}`),
  },
  empty: {
    heading: 'No models found',
    noMatch: 'No models match your search criteria.',
    none: "You haven't registered any models yet.",
    allArchived: 'All your models are archived.',
    showArchived: 'Show archived models',
    why: 'A registered model gets a page of its own, and links that prove for 15 minutes that it is talking.',
    register: 'Register Your First Model',
    command: `countersign models register ./model \\
  --identifier atlas \\
  --display-name "Atlas" \\
  --endpoint https://api.acme.example/v1 \\
  --description "What it does and for whom"`,
  },
  list: 'Your models',

  card: {
    named: (name: string, version: string) => `${name} ${version}`,
    of: (act: string, name: string) => `${act}: ${name}`,
    version: (version: string, number: number) => `Version ${version} (number ${number})`,
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
    firstVerified: (day: string) => `first verified ${day}`,
    view: 'View',
    previous: 'Previous version',
    next: 'Next version',
    neighbours: (name: string) => `Versions before and after ${name}`,
    history: 'History',
    newVersion: 'New Version',
    editFor: (minutes: number) => (minutes <= 1 ? 'Edit (1 minute left)' : `Edit (${minutes} minutes left)`),
    archive: 'Archive',
    unarchive: 'Unarchive',
    sync: 'Sync from the hub',
    syncing: 'Syncing…',
    bundle: 'Bundle',
    looks: { bundle: 'Bundle', health: 'Monitoring', access: 'Deployments' },
    showVersions: (count: number) => `View All Versions (${formatNumber(count)})`,
    hideVersions: 'Hide Versions',
    older: (name: string) => `Other versions of ${name}`,
    choose: (name: string) => `Choose ${name}`,
  },
  visibility: { isPublic: 'Model made public', isPrivate: 'Model made private', failed: 'Failed to update visibility' },
  archive: {
    title: (name: string) => `Archive ${name}?`,
    text: 'Its links stop at once, it gives no more of them, and it leaves the public lists. Its record stays, and you can bring it back.',
    reason: 'Reason',
    reasonHint: 'Kept with the record, for you alone. Without one it says: Provider archived.',
    action: 'Archive',
    doing: 'Archiving…',
    done: (name: string) => `Model "${name}" archived`,
    failed: (why: string) => `Failed to archive model: ${why}`,
    already: 'This version is archived already.',
  },
  unarchive: {
    done: (name: string) => `Model "${name}" is back`,
    text: 'It is as public as it was, and gives links again.',
    failed: 'Failed to bring the model back',
  },
  sync: {
    done: 'Taken over from the model hub',
    fields: (names: string) => `Changed: ${names}`,
    none: 'Nothing has changed there.',
    failed: 'The model hub could not be read',
  },

  health: {
    states: { healthy: 'Healthy', unhealthy: 'Does not answer', unknown: 'Not checked yet', off: 'Not monitored' },
    uptime: (percent: number) => `${formatNumber(percent)} % in 7 days`,
    week: (days: string) => `Answered in the last seven days: ${days}`,
    day: (day: string, percent: string) => `${day} ${percent}`,
    percent: (share: number) => `${formatNumber(Math.floor(share * 1000) / 10)} %`,
    notAsked: 'not asked',
    title: (name: string) => `Monitoring of ${name}`,
    text: 'The registry asks the endpoint again and again. Any answer below status 500 counts: what it says is read by nobody.',
    monitor: 'Monitor the endpoint',
    notWatched: 'A version that was superseded or archived is not asked, whatever is set here.',
    interval: 'Ask every',
    intervalOf: (seconds: number) => {
      if (seconds % 3600 === 0) return counted(seconds / 3600, 'hour', 'hours')
      return seconds % 60 === 0 ? counted(seconds / 60, 'minute', 'minutes') : counted(seconds, 'second', 'seconds')
    },
    backOff: 'While it does not answer, it is asked less often, at least every hour.',
    endpoint: 'Endpoint',
    state: 'State',
    lastCheck: 'Last asked',
    never: 'Never',
    uptimeName: 'Uptime in 7 days',
    noUptime: 'Not known yet',
    days: 'Day by day (UTC)',
    saved: 'Monitoring updated',
    failed: 'Failed to update monitoring',
    loadFailed: 'What is known of the endpoint could not be loaded',
  },

  bundle: {
    title: (name: string) => `Signed bundle of ${name}`,
    upload: 'Upload a bundle',
    uploading: 'Uploading…',
    uploadText: 'A Sigstore or OpenSSF Model Signing bundle of this version. It is checked at once.',
    uploaded: {
      verified: 'The bundle was uploaded, and it is verified.',
      unknown: 'The bundle was uploaded, but could not be verified yet. What is missing stands here.',
      invalid: 'The bundle was uploaded, but it is not valid. Why stands here.',
      error: 'The bundle was uploaded, but could not be checked. Try again later.',
    },
    uploadFailed: (why: string) => `The bundle was not taken: ${why}`,
    declare: 'Declare who may sign',
    declareText:
      'The signature is good, but you have not declared this signer. If it is yours, declare it; the bundle is then checked again.',
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
    noEdits: 'Nothing has been changed since it was registered.',
    before: 'Before',
    after: 'After',
    nothing: 'nothing',
    yes: 'yes',
    no: 'no',
    versions: (count: number) => `Versions (${formatNumber(count)})`,
    shown: 'This version',
    registered: (when: string) => `Registered ${when}`,
    firstVerified: (when: string) => `First verified ${when}`,
    neverVerified: 'Not verified by anybody yet',
    superseded: (when: string) => `Superseded ${when}`,
    archived: (when: string) => `Archived ${when}`,
    reason: (reason: string) => `Reason: ${reason}`,
    fields: {
      archive_reason: 'Reason for archiving',
      unarchive_reason: 'Reason for bringing it back',
      health_check_enabled: 'Health monitoring',
      health_interval_seconds: 'Seconds between two health checks',
      is_public: 'Public',
      model_files: 'Files of the model',
      tls_version: 'Least TLS version',
    } as Readonly<Record<string, string>>,
  },

  bulk: {
    chooseAll: (count: number) => `Choose all ${formatNumber(count)}`,
    chosen: (count: number) => `${formatNumber(count)} chosen`,
    ofNewest: 'This is done to the newest version of each.',
    clear: 'Choose none',
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
  dialog: { gone: 'This model is not in your list any more.', close: 'Close' },
} as const

const longTime = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'long', timeStyle: 'short' })
const shortDay = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short' })

/** `21 November 2026 at 13:20 UTC` */
export const formatLongTime = (time: string) => `${longTime.format(new Date(time))} UTC`

/** `21 Nov` */
export const formatShortDay = (day: string) => shortDay.format(new Date(day))
