import type { Deployment } from '@countersign/sdk/contract'

/** The first 16 of 64 characters: enough to distinguish one's own deployments. */
export const fingerprintOf = ({ spki_fingerprint }: Pick<Deployment, 'spki_fingerprint'>) =>
  `${spki_fingerprint.slice(0, 16)}…`
