import { z } from 'zod'
import { Time, textOrNull } from './fields.ts'

export const bundleStatuses = ['unknown', 'verified', 'invalid', 'error'] as const
export const BundleStatus = z.enum(bundleStatuses)
export type BundleStatus = z.infer<typeof BundleStatus>

/** What was looked at in a signed bundle, and what came of it; null where it was not reached. */
export const BundleDetails = z.strictObject({
  signatures_valid: z.boolean().nullable(),
  certificate_valid: z.boolean().nullable(),
  transparency_log_verified: z.boolean().nullable(),
  artifact_hash_match: z.boolean().nullable(),
  signer_identity: textOrNull,
  signature_timestamp: Time.nullable(),
  error: textOrNull,
})
