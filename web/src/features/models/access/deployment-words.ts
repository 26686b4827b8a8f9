import type { Deployment } from '@countersign/sdk/contract'

/** The first 16 of 64 characters: enough to tell one's own deployments apart. */
export const fingerprintOf = ({ spki_fingerprint }: Pick<Deployment, 'spki_fingerprint'>) => `${spki_fingerprint.slice(0, 16)}…`
