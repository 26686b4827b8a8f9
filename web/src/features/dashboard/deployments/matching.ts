import type { Deployment, DeploymentStatus } from '@countersign/sdk/contract'

/** The first 16 of 64 characters: enough to distinguish one's own deployments. */
export const nameOf = ({ spki_fingerprint }: Pick<Deployment, 'spki_fingerprint'>) =>
  `${spki_fingerprint.slice(0, 16)}...`

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
  spki_fingerprint,
  spiffe_id ?? '',
  cloud_identity ?? '',
  ...Object.entries(labels).map(([name, value]) => `${name}=${value}`),
  ...authorized_models.map(({ name, display_name, version }) => `${display_name} ${name} ${version}`),
]

export interface Wanted {
  /** `unproven`: enabled, and never proven. */
  status: DeploymentStatus | 'all' | 'unproven'
  /** Words that must all occur. */
  text: string
}

export const isWanted = (deployment: Deployment, { status, text }: Wanted): boolean => {
  if (status === 'unproven' && (deployment.status !== 'enabled' || deployment.proven_at !== null)) return false
  if (status !== 'all' && status !== 'unproven' && deployment.status !== status) return false
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => word.replace(/^sha256:/, ''))
  if (words.length === 0) return true
  const texts = textsOf(deployment).map((each) => each.toLowerCase())
  return words.every((word) => texts.some((each) => each.includes(word)))
}
