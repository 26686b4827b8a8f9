import type { Incident } from '@countersign/sdk/contract'

/** The reporter, by an address that only they typed. */
export const reporterOf = ({ reporter_email }: Incident) =>
  reporter_email === null ? 'Anonymous' : `${reporter_email} (address not confirmed)`
