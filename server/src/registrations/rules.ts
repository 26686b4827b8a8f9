export const lifetimeMs = 24 * 3_600_000
/** Attempts before an email, or for strangers its code, is invalid. */
export const maxTries = 5
