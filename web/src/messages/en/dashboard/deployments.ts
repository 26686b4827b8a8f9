import type { Binding, DeploymentStatus } from '@countersign/sdk/contract'
import { formatNumber } from '#messages/site.ts'

const counted = (count: number) => (count === 1 ? '1 deployment' : `${formatNumber(count)} deployments`)

/** Where models run, and which of them may speak for which model. */
export const deploymentsTab = {
  heading: 'Deployments',
  about: 'Where your models run. Each is known by the key of its client certificate, and may ask for links of the models that you name.',
  register: 'Register Deployment',
  loading: 'Loading deployments…',
  failed: 'Failed to load deployments',
  counters: { label: 'Deployments', total: 'Total', enabled: 'Enabled', disabled: 'Disabled' },
  search: 'Search deployments...',
  searchLabel: 'Search deployments',
  searchHint: 'By id, fingerprint, label such as region=eu, identity or model.',
  status: 'Status',
  statuses: { all: 'All', enabled: 'Enabled', disabled: 'Disabled', unproven: 'Never proven' } satisfies Record<
    DeploymentStatus | 'all' | 'unproven',
    string
  >,
  shown: (count: number, total: number) => (count === total ? counted(total) : `${formatNumber(count)} of ${counted(total)}`),
  tooMany: (count: number) => `These are the newest ${formatNumber(count)}; the others are listed on the command line.`,
  none: {
    heading: 'No deployments registered',
    text: 'Register the key with which a server of yours asks for links. Then each of its links says that it came from there.',
  },
  noMatch: 'No deployments match your search',
  clear: 'Clear search',

  row: {
    name: (fingerprint: string) => `Deployment ${fingerprint}`,
    id: 'deployment id',
    fingerprint: 'SPKI fingerprint',
    created: (time: string) => `Registered ${time}`,
    labels: 'Labels',
    models: 'Authorized models',
    noModels: 'No model yet: it can ask for no links until you add one.',
    model: (name: string, version: string) => `${name} ${version}`,
    revokeOf: (model: string) => `Revoke ${model}`,
    addModel: 'Add Model',
    addModelTo: (name: string) => `Add Model to ${name}`,
    enable: 'Enable',
    disable: 'Disable',
    delete: 'Delete',
    of: (action: string, name: string) => `${action} ${name}`,
    choose: (name: string) => `Choose ${name}`,
  },
  lastProof: {
    heading: 'Last proof',
    by: { mtls: 'Proven by mutual TLS', proxy: 'Proven by a trusted proxy', 'self-asserted': 'Named, not proven' } satisfies Record<
      Binding,
      string
    >,
    never: 'Never proven',
    neverUsed: 'No link has been asked for in its name.',
    onlyNamed: (time: string) => `Only named since, last ${time}. Ask over mutual TLS to prove it.`,
    first: (time: string) => `First ${time}`,
  },

  bulk: {
    all: 'Choose all that are shown',
    chosen: (count: number) => `${counted(count)} chosen`,
    working: (done: number, count: number) => `${formatNumber(done)} of ${formatNumber(count)} done…`,
    clear: 'Choose none',
    done: {
      enabled: (count: number) => `${counted(count)} enabled`,
      disabled: (count: number) => `${counted(count)} disabled`,
      deleted: (count: number) => `${counted(count)} deleted`,
    },
    failed: (count: number) => `${counted(count)} could not be changed`,
    disable: {
      title: (count: number) => `Disable ${counted(count)}?`,
      text: 'Their links stop being good at once, and are good again when you enable them.',
      action: 'Disable',
      doing: 'Disabling…',
    },
    delete: {
      title: (count: number) => `Delete ${counted(count)}?`,
      text: 'This will permanently delete the deployments and remove all model authorizations. This action cannot be undone.',
      action: 'Delete',
      doing: 'Deleting…',
    },
    these: 'Deployments that are meant',
  },

  statusChanged: { enabled: 'Deployment enabled', disabled: 'Deployment disabled' } satisfies Record<DeploymentStatus, string>,
  statusFailed: 'Failed to update deployment status',
  delete: {
    title: (name: string) => `Delete deployment ${name}?`,
    text: 'This will permanently delete the deployment and remove all model authorizations. This action cannot be undone.',
    action: 'Delete Deployment',
    doing: 'Deleting…',
    done: 'Deployment deleted',
    failed: 'Failed to delete deployment',
  },
  revoke: {
    title: (model: string) => `Revoke ${model}?`,
    text: (name: string) =>
      `Deployment ${name} can then ask for no links of this model, and those that it asked for stop being good at once.`,
    action: 'Revoke',
    doing: 'Revoking…',
    done: 'Model authorization revoked',
    failed: 'Failed to revoke model authorization',
  },
  addModel: {
    title: 'Add Model',
    about: (name: string) => `Which model may deployment ${name} ask for links of?`,
    model: 'Model',
    find: 'Find a model',
    choose: 'Choose a model',
    noMatch: 'No model matches',
    superseded: 'superseded',
    loading: 'Loading models…',
    failedToLoad: 'Failed to load deployment data',
    none: 'You have no model that could be added. Register one first.',
    allAdded: 'This deployment is authorized for all of your models.',
    registerModel: 'Register a model',
    submit: 'Authorize',
    submitting: 'Authorizing…',
    done: 'Deployment authorized for model',
    failed: 'Failed to authorize deployment',
    already: 'Deployment already authorized for this model',
  },
  withReason: (what: string, why: string) => `${what}: ${why}`,
} as const
