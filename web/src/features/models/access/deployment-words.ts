import type { Deployment } from '@countersign/sdk/contract'

/** The first 16 of 64 characters: enough to distinguish one's own deployments. */
export const fingerprintOf = ({
  deployment_id,
  spki_fingerprint,
}: Pick<Deployment, 'deployment_id' | 'spki_fingerprint'>) => `${(spki_fingerprint ?? deployment_id).slice(0, 16)}…`
