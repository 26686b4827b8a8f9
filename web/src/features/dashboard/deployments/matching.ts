import type { Deployment } from '@countersign/sdk/contract'
import { quoteExactly } from '@countersign/sdk/words'

/** The first 16 of 64 characters: enough to distinguish one's own deployments. */
export const nameOf = ({ deployment_id, spki_fingerprint }: Pick<Deployment, 'deployment_id' | 'spki_fingerprint'>) =>
  `${(spki_fingerprint ?? deployment_id).slice(0, 16)}...`

/** Each quoted: `“region=eu”` */
export const labelsOf = ({ labels }: Pick<Deployment, 'labels'>): string[] =>
  Object.entries(labels).map(([name, value]) => quoteExactly(value === '' ? name : `${name}=${value}`))

/** The texts that a deployment can be found by; labels as `name=value`. */
const textsOf = ({
  deployment_id,
  spki_fingerprint,
  spiffe_id,
  cloud_identity,
  labels,
  authorized_models,
}: Deployment) => [
  deployment_id,
  spki_fingerprint ?? '',
  spiffe_id ?? '',
  cloud_identity ?? '',
  ...Object.entries(labels).map(([name, value]) => `${name}=${value}`),
  ...authorized_models.map(({ name, display_name, version }) => `${display_name} ${name} ${version}`),
]

/** The saved filters. The last two are what the registry counts as needing attention. */
export const deploymentViews = ['all', 'enabled', 'disabled', 'unproven'] as const
export type DeploymentView = (typeof deploymentViews)[number]

const isInView: Record<DeploymentView, (deployment: Deployment) => boolean> = {
  all: () => true,
  enabled: ({ status }) => status === 'enabled',
  disabled: ({ status }) => status === 'disabled',
  unproven: ({ status, spki_fingerprint, proven_at, last_proven_by }) =>
    status === 'enabled' && spki_fingerprint !== null && proven_at === null && last_proven_by !== 'workload',
}

export interface Wanted {
  view: DeploymentView
  /** Words that must all occur. */
  text: string
}

export const isWanted = (deployment: Deployment, { view, text }: Wanted): boolean => {
  if (!isInView[view](deployment)) return false
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => word.replace(/^sha256:/, ''))
  if (words.length === 0) return true
  const texts = textsOf(deployment).map((each) => each.toLowerCase())
  return words.every((word) => texts.some((each) => each.includes(word)))
}

/** How many deployments each saved filter leads to. */
export const countViews = (deployments: readonly Deployment[]): Record<DeploymentView, number> =>
  Object.fromEntries(
    deploymentViews.map((view) => [view, deployments.filter((each) => isInView[view](each)).length]),
  ) as Record<DeploymentView, number>
