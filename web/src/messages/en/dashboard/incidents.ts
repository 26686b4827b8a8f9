import type { IncidentSeverity, IncidentStatus } from '@countersign/sdk/contract'
import { formatNumber } from '#messages/site.ts'

const counted = (count: number) => (count === 1 ? '1 report' : `${formatNumber(count)} reports`)

export const statusNames = {
  reported: 'Reported',
  investigating: 'Investigating',
  resolved: 'Resolved',
  dismissed: 'Dismissed',
} satisfies Record<IncidentStatus, string>

const totalReports = 'Total Reports'

/** The Incidents tab. */
export const incidentsTab = {
  heading: 'Incidents',
  about: 'Reports about your models. A report that came with a link for the model counts for more.',
  loading: 'Loading incidents…',
  failed: 'Incidents could not be loaded',
  list: 'Reports about your models',
  total: totalReports,
  totalOf: (total: string) => `${totalReports}: ${total}`,
  atLeast: (count: number) => `more than ${formatNumber(count)}`,
  exactly: (count: number) => formatNumber(count),
  status: 'Status',
  statuses: { all: 'All Incidents', open: 'Open', ...statusNames },
  severity: 'Severity',
  severities: { low: 'Low', medium: 'Medium', high: 'High', critical: 'Critical' } satisfies Record<
    IncidentSeverity,
    string
  >,
  anySeverity: 'Any severity',
  none: {
    heading: 'No incidents reported yet',
    text: 'Anyone can report your models, on a model’s page or with one of its links. Read and answer the reports here.',
  },
  empty: { heading: 'No incidents match these filters', hint: 'Choose another status or severity.' },
  saved: { all: 'All Incidents', open: 'Open', critical: 'Critical and open' },

  columns: { report: 'Report', severity: 'Severity', status: 'Status', reporter: 'Reporter', created: 'Reported' },
  about1: (model: string, category: string) => `${model} · ${category}`,
  onPhone: (severity: string, status: string, model: string) => `${severity} · ${status} · ${model}`,
  withLink: 'With a link',
  withoutLink: 'Without a link',
  anonymous: 'Anonymous',
  unconfirmed: 'Address not confirmed',
  respond: 'Respond',
  showDetails: 'Details',
  viewModel: 'View model',

  bulk: {
    all: 'Select all open reports shown',
    chosen: (count: number) => `${counted(count)} selected`,
    working: (done: number, count: number) => `${formatNumber(done)} of ${formatNumber(count)} done…`,
    dismiss: 'Dismiss',
    title: (count: number) => `Dismiss ${counted(count)}?`,
    text: 'This is final: you can’t reply to them again. Those in the public numbers stay there, as dismissed by you.',
    answer: 'Reply',
    answerHint: 'The same for all of them. Only you can see it.',
    doing: 'Dismissing…',
    done: (count: number) => `${counted(count)} dismissed`,
    failed: (count: number) => `${counted(count)} could not be dismissed`,
    these: 'Reports that will be dismissed',
    reason: (title: string, why: string) => `${title}: ${why}`,
  },
  details: {
    title: 'Incident Details',
    loading: 'Loading the incident…',
    failed: 'The incident could not be loaded',
    report: 'Title',
    id: 'Incident ID',
    model: 'Model',
    category: 'Category',
    severity: 'Severity',
    status: 'Status',
    kind: 'Report',
    withLink: 'It came with a link for this model.',
    withoutLink: 'It came without a link for the model.',
    public: 'Public numbers',
    counts: 'Counted in this model’s public numbers.',
    countsNot: 'Not counted. Visitors don’t see it.',
    reporter: 'Reporter',
    addressHint: 'Typed by the reporter. The address was not confirmed.',
    fingerprint: 'Reporter fingerprint',
    fingerprintHint: 'The same reporter has the same fingerprint in all reports about your models.',
    description: 'Description',
    byReporter: 'Written by the reporter',
    reference: 'Reference',
    screenshot: 'Screenshot',
    reported: 'Reported',
    resolved: 'Resolved',
    response: 'Your reply',
    noResponse: 'No reply yet',
    history: 'History',
    historyFailed: 'The history could not be loaded',
    historyLoading: 'Loading the history…',
    noText: 'without a message',
    actions: {
      'incident.reported': 'Reported',
      'incident.investigating': 'Set to Investigating',
      'incident.resolved': 'Resolved',
      'incident.dismissed': 'Dismissed',
      'incident.withdrawn': 'Withdrawn by the registry’s operator',
      'incident.restored': 'Restored by the registry’s operator',
      'incident.entry_disputed': 'Entry of the public log disputed',
    } as Record<string, string>,
  },
} as const
