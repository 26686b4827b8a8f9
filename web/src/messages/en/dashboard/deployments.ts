import type { Binding, DeploymentStatus } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { formatNumber } from '#messages/site.ts'

const counted = (count: number) => (count === 1 ? '1 deployment' : `${formatNumber(count)} deployments`)

/** The Deployments tab. */
export const deploymentsTab = {
  heading: 'Deployments',
  about:
    'Where your models run. Each deployment is identified by its key or by its platform, and may request links for the models you choose.',
  register: 'Register Deployment',
  loading: 'Loading deployments…',
  failed: 'Failed to load deployments',
  search: 'ID, fingerprint, region=eu, model...',
  searchLabel: 'Search deployments',
  status: 'Status',
  statuses: {
    all: 'Total',
    enabled: 'Enabled',
    disabled: 'Disabled',
    unproven: 'Never proven',
  } satisfies Record<DeploymentStatus | 'all' | 'unproven', string>,
  list: 'Your deployments',
  columns: { name: 'Deployment', status: 'Status', models: 'Models and labels', created: 'Registered' },
  shown: (count: number, total: number) =>
    count === total ? counted(total) : `${formatNumber(count)} of ${counted(total)}`,
  tooMany: (count: number) => `Shows the newest ${formatNumber(count)}. Use the command line to list the others.`,
  none: {
    heading: 'No deployments registered',
    text: 'Register the key that your server uses to request links. Its links then show which deployment requested them.',
  },
  noMatch: 'No deployments match your search',
  clear: 'Clear search',

  row: {
    name: (fingerprint: string) => `Deployment ${fingerprint}`,
    id: 'deployment ID',
    fingerprint: 'SPKI fingerprint',
    noKey: 'None: only workloads stand for it',
    idName: 'Deployment ID',
    details: 'Details',
    spiffe: 'SPIFFE ID, as stated',
    cloud: 'Cloud identity, as stated',
    noModel: 'No model',
    statusOf: (status: string, proof: string) => `${status} · ${proof}`,
    modelAnd: (model: string, others: number) => `${model} +${formatNumber(others)}`,
    labels: 'Labels, as stated',
    models: 'Authorized models',
    revoked: 'No longer authorized',
    disabledSince: (time: string) => `Disabled since ${time}`,
    noModels: 'No models yet. Add one so that it can request links.',
    model: (name: string, version: string) => quote(`${name} ${version}`),
    revokeOf: (model: string) => `Revoke ${model}`,
    addModel: 'Add Model',
    trustPlatform: 'Trust a platform',
    enable: 'Enable',
    disable: 'Disable',
    delete: 'Delete',
  },
  lastProof: {
    heading: 'Last proof',
    by: {
      mtls: 'Proven by mutual TLS',
      proxy: 'Proven by a trusted proxy',
      signed: 'Proven by a signature',
      workload: 'Proven by its platform',
      'self-asserted': 'Named, not proven',
    } satisfies Record<Binding, string>,
    none: 'Not proven',
    neverUsed: 'It has not requested any links.',
    unproven: (time: string) => `Last used ${time}. Request a link over mutual TLS or with a signature to prove it.`,
    onlyNamed: (time: string) =>
      `Since then only named, last ${time}. Request a link over mutual TLS or with a signature to prove it.`,
    first: (time: string) => `First ${time}`,
  },

  bulk: {
    all: 'Select all shown',
    chosen: (count: number) => `${counted(count)} selected`,
    working: (done: number, count: number) => `${formatNumber(done)} of ${formatNumber(count)} done…`,
    done: {
      enabled: (count: number) => `${counted(count)} enabled`,
      disabled: (count: number) => `${counted(count)} disabled`,
      deleted: (count: number) => `${counted(count)} deleted`,
    },
    failed: (count: number) => `${counted(count)} could not be changed`,
    disable: {
      title: (count: number) => `Disable ${counted(count)}?`,
      text: 'Their links stop being valid at once, and are valid again when you enable them, unless something else ended them.',
      action: 'Disable',
      doing: 'Disabling…',
    },
    delete: {
      title: (count: number) => `Delete ${counted(count)}?`,
      text: 'This will permanently delete the deployments and remove all model authorizations. This action cannot be undone.',
      action: 'Delete',
      doing: 'Deleting…',
    },
    these: 'Affected deployments',
  },

  statusChanged: { enabled: 'Deployment enabled', disabled: 'Deployment disabled' } satisfies Record<
    DeploymentStatus,
    string
  >,
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
      `Deployment ${name} can no longer request links for this model, and the links it requested stop being valid at once.`,
    action: 'Revoke',
    doing: 'Revoking…',
    done: 'Model authorization revoked',
    failed: 'Failed to revoke model authorization',
  },
  addModel: {
    title: 'Add Model',
    about: (name: string) => `Which model may deployment ${name} request links for?`,
    model: 'Model',
    find: 'Find a model',
    choose: 'Choose a model',
    noMatch: 'No model matches',
    superseded: 'superseded',
    loading: 'Loading models…',
    failedToLoad: 'Failed to load deployment data',
    none: 'You have no model to add. Register one first.',
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
