/** Stored as the fingerprint of a deployment that has no key of its own: no fingerprint equals it. */
export const noKey = (id: string) => `none ${id}`

/** The fingerprint of the deployment's own key; null if it has none. */
export const ownFingerprint = (stored: string | null): string | null =>
  stored === null || stored.startsWith('none ') ? null : stored
