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
export type BundleDetails = z.infer<typeof BundleDetails>

/* ---- who may sign ---- */

const identityText = (what: string) =>
  z
    .string(`${what} is required`)
    .overwrite((value) => value.trim())
    .min(1, `${what} is required`)
    .max(2_048)
const Issuer = identityText('Issuer').meta({ examples: ['https://token.actions.githubusercontent.com'] })

/** Compared as text, so that what is stored is what a certificate says: no `.git`, no last slash. */
const Repository = identityText('Repository')
  .overwrite((value) => value.replace(/\/+$/, '').replace(/\.git$/, ''))
  .regex(/^https:\/\/[^\s/?#@]+\/[^\s?#@]+$/, 'Must be the address of a repository, such as https://github.com/acme/models')

const Workflow = identityText('Workflow').regex(
  /^(?!\/)[^\s@]+$/,
  'Must be the path of the workflow in its repository, such as .github/workflows/release.yml',
)

/** PEM blocks (RFC 7468); the text that some tools write around them is left out. */
const pem = (label: string, maxLength: number) => {
  const blocks = new RegExp(`-----BEGIN ${label}-----[A-Za-z0-9+/=\\s]+-----END ${label}-----`, 'g')
  return z
    .string()
    .max(maxLength)
    .overwrite((value) => value.match(blocks)?.join('\n') ?? value)
    .regex(new RegExp(`^${blocks.source}`), `Must be PEM, with -----BEGIN ${label}----- in it`)
}

/**
 * Someone who may sign a provider's models. `identity` is compared exactly and is never an expression; `repository` is
 * every workflow of one source repository, or one; `certificate_chain` holds the anchors that a certificate leads to.
 */
export const DeclaredSigner = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('identity'), issuer: Issuer, identity: identityText('Identity') }),
  z.strictObject({ kind: z.literal('repository'), issuer: Issuer, repository: Repository, workflow: Workflow.optional() }),
  z.strictObject({ kind: z.literal('key'), public_key: pem('PUBLIC KEY', 4_096) }),
  z.strictObject({ kind: z.literal('certificate'), certificate_chain: pem('CERTIFICATE', 65_536) }),
])
export type DeclaredSigner = z.infer<typeof DeclaredSigner>

/* ---- what came of a check ---- */

export const bundleMethods = ['sigstore', 'key', 'certificate'] as const
export type BundleMethod = (typeof bundleMethods)[number]

/** In the order in which they are made and shown. */
export const bundleCheckNames = ['bundle', 'signature', 'certificate', 'transparency_log', 'time', 'digest', 'signer'] as const
export type BundleCheckName = (typeof bundleCheckNames)[number]

/** Why a bundle is not verified, each with the status that it gives. */
export const bundleReasons = {
  signer_not_declared: 'unknown',
  digest_missing: 'unknown',

  bundle_too_large: 'invalid',
  bundle_unreadable: 'invalid',
  bundle_unsupported: 'invalid',
  statement_invalid: 'invalid',
  signature_invalid: 'invalid',
  certificate_unreadable: 'invalid',
  certificate_untrusted: 'invalid',
  certificate_expired: 'invalid',
  certificate_not_logged: 'invalid',
  certificate_not_for_signing: 'invalid',
  log_entry_missing: 'invalid',
  log_entry_mismatch: 'invalid',
  log_proof_invalid: 'invalid',
  log_unknown: 'invalid',
  time_missing: 'invalid',
  time_invalid: 'invalid',
  time_in_future: 'invalid',
  digest_mismatch: 'invalid',
  signer_mismatch: 'invalid',

  bundle_not_fetched: 'error',
  key_unsupported: 'error',
  trusted_root_invalid: 'error',
  trusted_root_expired: 'error',
  check_failed: 'error',
} as const satisfies Record<string, Exclude<BundleStatus, 'verified'>>
export type BundleReason = keyof typeof bundleReasons
const BundleReason = z.enum(Object.keys(bundleReasons) as [BundleReason, ...BundleReason[]])

export const BundleCheck = z.strictObject({
  name: z.enum(bundleCheckNames),
  result: z.enum(['passed', 'failed', 'not_checked']),
  detail: z.string(),
})
export type BundleCheck = z.infer<typeof BundleCheck>

/** Who signed, as far as it is proven: from the certificate, or the fingerprint of the key (SHA-256 of its SPKI, hex). */
export const BundleSigner = z.strictObject({
  identity: textOrNull,
  issuer: textOrNull,
  repository: textOrNull,
  workflow: textOrNull,
  key_fingerprint: textOrNull,
})
export type BundleSigner = z.infer<typeof BundleSigner>

export const BundleLog = z.strictObject({
  index: z.string(),
  kind: z.enum(['rekor-v1', 'rekor-v2']),
  log_id: z.string(),
  origin: textOrNull,
})
export type BundleLog = z.infer<typeof BundleLog>

/** The answer about one bundle. `message` says what happened and what to do; every check appears, made or not. */
export const BundleVerdict = z.strictObject({
  status: BundleStatus,
  reason: BundleReason.nullable(),
  message: z.string(),
  checks: z.array(BundleCheck),
  method: z.enum(bundleMethods).nullable(),
  signer: BundleSigner.nullable(),
  log: BundleLog.nullable(),
  signed_at: Time.nullable(),
  signed_digest: textOrNull,
  trusted_root_date: textOrNull,
})
export type BundleVerdict = z.infer<typeof BundleVerdict>
