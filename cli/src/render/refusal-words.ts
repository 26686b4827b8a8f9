import type { Change, Reason } from '@countersign/sdk/contract'
import { lookUp } from '../look-up.ts'

/** Why a link is not verified, by reason. */
export const reasonWords = {
  expired: 'it has expired; ask for a new link',
  bad_signature: 'the registry did not sign it',
  unknown_key: 'it is signed with a key that the registry does not have',
  revoked: 'it is no longer valid',
  claim_mismatch: 'it does not match what you expected',
  provider_unverified: 'the link is genuine, but the provider’s identity is not verified',
  archived: 'the provider withdrew the model',
  suspended: 'the registry was restored from a backup, and the provider has not confirmed its account since',
  foreign_registry: 'it belongs to another registry',
  malformed: 'this is not a link, a code or a token',
  mistyped: 'the code is mistyped',
  not_found: 'no such link was issued here',
  keys_unavailable: 'keys or live status could not be fetched, so it may be good or bad; try again in a minute',
  not_logged: 'the log of your policy lacks a fact that it depends on',
} as const satisfies Record<Reason | 'not_logged', string>

/** Details that the reason alone doesn't give. */
export const changeWords = {
  expired: null,
  key_compromised: 'the key that signed it was compromised',
  api_key_compromised: 'the company reported the access key that asked for it as leaked',
  provider_deactivated: 'the provider was deactivated',
  provider_deleted: 'the provider was deleted',
  model_archived: null,
  model_deleted: 'the model was deleted',
  deployment_disabled: 'its deployment was disabled',
  deployment_deleted: 'its deployment was deleted',
  authorization_removed: 'its deployment is no longer authorized for the model',
  bundle_invalid: 'the signature of the model file is not valid',
  suspended: null,
} as const satisfies Record<Change, string | null>

/** Why a link is not verified. */
export const refusalWords = ({ reason, change }: Record<'reason' | 'change', string | null>): string =>
  lookUp(changeWords, change ?? '') ?? lookUp(reasonWords, reason ?? '') ?? 'the registry does not say why'
