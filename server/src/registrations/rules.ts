import { Refusal } from '@countersign/sdk/contract'

export const lifetimeMs = 24 * 3_600_000
/** Attempts before an email, or for strangers its code, is invalid. */
export const maxTries = 5

export const codeInvalid = () =>
  new Refusal('code_invalid', 'This code or link is no longer valid. Request a new email.')
export const emailTaken = () =>
  new Refusal('email_taken', 'Another account has verified this address. Sign in to it instead.')
