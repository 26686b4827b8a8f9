import { z } from 'zod'
import { type Endpoints, endpoint } from './endpoint.ts'
import { ModelId, paging, SignerId, Time, textOrNull } from './fields.ts'
import { limits } from './limits.ts'
import { routes } from './routes.ts'
import { isOfRepository, signerTieKinds } from './signer-ties.ts'

/** The statuses of a bundle. */
export const bundleStatuses = ['unknown', 'verified', 'invalid', 'error'] as const
/** Status of a signed bundle. */
export const BundleStatus = z.enum(bundleStatuses)
export type BundleStatus = z.infer<typeof BundleStatus>

/* ---- who may sign ---- */

const identityText = (what: string) =>
  z
    .string(`${what} is required`)
    .max(2_048, { abort: true, error: 'Must have at most 2048 characters' })
    .overwrite((value) => value.trim())
    .min(1, `${what} is required`)
const Issuer = identityText('Issuer').meta({ examples: ['https://token.actions.githubusercontent.com'] })

/** Stored as certificates spell it, without `.git` or a trailing slash, because it is compared as text. */
const Repository = identityText('Repository')
  .overwrite((value) => value.replace(/\/+$/, '').replace(/\.git$/, ''))
  .regex(
    /^https:\/\/[^\s/?#@]+\/[^\s?#@]+$/,
    'Must be the address of a repository, such as https://github.com/acme/models',
  )

const Workflow = identityText('Workflow').regex(
  /^(?!\/)[^\s@]+$/,
  'Must be the path of the workflow in its repository, such as .github/workflows/release.yml',
)

/** PEM blocks (RFC 7468), without the text that some tools write around them. */
const pem = (label: string, maxLength: number) => {
  const blocks = new RegExp(`-----BEGIN ${label}-----[A-Za-z0-9+/=\\s]+-----END ${label}-----`, 'g')
  return z
    .string()
    .max(maxLength, { abort: true, error: `Must have at most ${maxLength} characters` })
    .overwrite((value) => value.match(blocks)?.join('\n') ?? value)
    .regex(new RegExp(`^${blocks.source}`), `Must be PEM, with -----BEGIN ${label}----- in it`)
}

/**
 * A signer of a provider's models. `identity` must match exactly; it is never a pattern. `repository` means every workflow of a
 * source repository, or only `workflow`. `certificate_chain` contains the trust anchors of certificates.
 */
export const DeclaredSigner = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('identity'), issuer: Issuer, identity: identityText('Identity') }),
  z.strictObject({
    kind: z.literal('repository'),
    issuer: Issuer,
    repository: Repository,
    workflow: Workflow.optional(),
  }),
  z.strictObject({ kind: z.literal('key'), public_key: pem('PUBLIC KEY', 4_096) }),
  z.strictObject({ kind: z.literal('certificate'), certificate_chain: pem('CERTIFICATE', 65_536) }),
])
export type DeclaredSigner = z.infer<typeof DeclaredSigner>

/* ---- results of a check ---- */

/** How bundles are signed. */
export const bundleMethods = ['sigstore', 'key', 'certificate'] as const
/** How a bundle is signed. */
export type BundleMethod = (typeof bundleMethods)[number]

/** In the order they are made and shown. */
export const bundleCheckNames = [
  'bundle',
  'signature',
  'certificate',
  'transparency_log',
  'time',
  'digest',
  'signer',
] as const
/** A check of a bundle. */
export type BundleCheckName = (typeof bundleCheckNames)[number]

/** Why a bundle is not verified, and the resulting status. */
export const bundleReasons = {
  signer_not_declared: 'unknown',
  digest_missing: 'unknown',
  /** The signature does not cover the names of the files; only OpenSSF Model Signing does. */
  names_not_signed: 'unknown',
  /** A valid in-toto statement about the digest, which describes a model without signing it. */
  attestation_only: 'unknown',
  /** A valid signature by a declared signer that is not proven to be the provider's own: a third party's signature. */
  signer_not_tied: 'unknown',

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
  files_mismatch: 'invalid',
  attestation_failed: 'invalid',
  signer_mismatch: 'invalid',

  bundle_not_fetched: 'error',
  key_unsupported: 'error',
  trusted_root_invalid: 'error',
  trusted_root_expired: 'error',
  check_failed: 'error',
} as const satisfies Record<string, Exclude<BundleStatus, 'verified'>>
/** Why a bundle is not verified. */
export type BundleReason = keyof typeof bundleReasons
const BundleReason = z.enum(Object.keys(bundleReasons) as [BundleReason, ...BundleReason[]])

/** One check of a bundle. */
export const BundleCheck = z.strictObject({
  name: z.enum(bundleCheckNames),
  result: z.enum(['passed', 'failed', 'not_checked']),
  detail: z.string(),
})
export type BundleCheck = z.infer<typeof BundleCheck>

/** What the check of a bundle found; null for steps it did not reach. */
export const BundleDetails = z.strictObject({
  signatures_valid: z.boolean().nullable(),
  certificate_valid: z.boolean().nullable(),
  transparency_log_verified: z.boolean().nullable(),
  artifact_hash_match: z.boolean().nullable(),
  signer_identity: textOrNull,
  /** True: proven to be the provider's own. False: a third party with a valid signature for this digest. */
  signer_tied: z.boolean().nullable(),
  signature_timestamp: Time.nullable(),
  /** Why the bundle is not verified; null if it is. */
  reason: BundleReason.nullable(),
  error: textOrNull,
})
export type BundleDetails = z.infer<typeof BundleDetails>

/** The proven signer: from the certificate, or the fingerprint of the key (SHA-256 of its SPKI, hex). */
export const BundleSigner = z.strictObject({
  identity: textOrNull,
  issuer: textOrNull,
  repository: textOrNull,
  /** The repository's number at its host, which never changes, unlike its name; absent if the certificate has none. */
  repository_id: z.string().optional(),
  workflow: textOrNull,
  key_fingerprint: textOrNull,
})
export type BundleSigner = z.infer<typeof BundleSigner>

/** How the description of a signer begins whose name only a declared authority vouches for. */
export const certifiedPrefix = 'someone certified by a declared authority: '

/** Precedes the quoted type of an attestation in sentences about a bundle. */
export const statementTypePrefix = 'of type '

/** Describes a signer in a few words: its identity and issuer, or its key. In a sentence, `write` quotes the identity. An empty one is withheld. */
export const describeSigner = (signer: BundleSigner, write = (identity: string) => identity): string => {
  const { identity, issuer, repository, key_fingerprint } = signer
  // A declared authority can write any name into a certificate, so say that first.
  if (identity && key_fingerprint) return certifiedPrefix + write(identity)
  if (identity === '')
    return key_fingerprint ? 'a certificate of a declared authority' : 'an identity that is not shown here'
  const named = identity && (issuer ? `${write(identity)} (${issuer})` : write(identity))
  // A workflow of one repository, run by a job of another.
  if (named && repository && !isOfRepository(signer)) return `a job of ${repository}: ${named}`
  if (named) return named
  return key_fingerprint ? `key ${key_fingerprint}` : 'an unknown signer'
}

/** An entry in a transparency log. */
export const BundleLog = z.strictObject({
  index: z.string(),
  kind: z.enum(['rekor-v1', 'rekor-v2']),
  log_id: z.string(),
  origin: textOrNull,
})
export type BundleLog = z.infer<typeof BundleLog>

/** The result for one bundle. `message` says what happened and what to do. `checks` has every check, made or not. */
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
  /** Predicate type of the signed in-toto statement; null if only a digest was signed. */
  predicate_type: textOrNull,
  trusted_root_date: textOrNull,
})
export type BundleVerdict = z.infer<typeof BundleVerdict>

/* ---- bundles of models ---- */

/** The JSON of a Sigstore or OMS bundle, as tools write it. Its contents are validated by the check. */
export const UploadedBundle = z.strictObject({
  mediaType: z.string('Not a Sigstore bundle: mediaType is missing').max(200),
  verificationMaterial: z.looseObject({}, 'Not a Sigstore bundle: verificationMaterial is missing'),
  dsseEnvelope: z.looseObject({}).optional(),
  messageSignature: z.looseObject({}).optional(),
})
export type UploadedBundle = z.output<typeof UploadedBundle>

/** `in_progress` from the moment a check is requested, or something it depends on changes, until it is done. */
export const bundleProgress = ['not_started', 'in_progress', 'completed'] as const

const seen = {
  bundle_status: BundleStatus,
  bundle_last_checked: Time.nullable(),
  bundle_verification_details: BundleDetails.nullable(),
  verification_status: z.enum(bundleProgress),
}

/** A version's bundle with the checks of its last verdict. */
export const BundleRecord = z.strictObject({
  model_id: ModelId,
  ...seen,
  /** False: the signer belongs to the account, but nothing shows whose account it is. */
  provider_domain_verified: z.boolean(),
  model_digest: textOrNull,
  bundle_url: textOrNull,
  /** Where the checked bundle came from. An upload counts until another address is set. */
  bundle_source: z.enum(['upload', 'url', 'redirect']).nullable(),
  /** SHA-256 of the stored bundle. While its check is in progress, the verdict is that of the bundle before it. */
  bundle_sha256: textOrNull,
  bundle_received_at: Time.nullable(),
  next_check_at: Time.nullable(),
  reason: BundleVerdict.shape.reason,
  /** What happened, and what to do. */
  message: z.string(),
  checks: BundleVerdict.shape.checks,
  method: BundleVerdict.shape.method,
  signer: BundleVerdict.shape.signer,
  log: BundleVerdict.shape.log,
  signed_at: BundleVerdict.shape.signed_at,
  signed_digest: BundleVerdict.shape.signed_digest,
  predicate_type: BundleVerdict.shape.predicate_type,
  /** Date of the trusted root that the check used. */
  trusted_root_date: BundleVerdict.shape.trusted_root_date,
  /** The signers that the provider declared for this model. */
  declared_signers: z.array(DeclaredSigner),
})
export type BundleRecord = z.infer<typeof BundleRecord>

/** A requested check of a bundle. */
export const BundleVerification = z.strictObject({
  message: z.string(),
  model_id: ModelId,
  /** Null if the bundle was uploaded. */
  bundle_url: textOrNull,
  ...seen,
  estimated_completion: Time.nullable(),
})
export type BundleVerification = z.infer<typeof BundleVerification>

/** A signer for all versions of one model identifier, or for all models. */
export const NewSigner = z.strictObject({
  signer: DeclaredSigner,
  api_model_identifier: z
    .string()
    .regex(/^[A-Za-z0-9_-]{2,128}$/, 'Must be the API model identifier of a model')
    .optional(),
})
export type NewSigner = z.output<typeof NewSigner>

/** A declared signer. */
export const SignerRecord = z.strictObject({
  id: SignerId,
  signer: DeclaredSigner,
  /** Null: all models. */
  api_model_identifier: textOrNull,
  /** For a key: SHA-256 of its SPKI, hex. */
  key_fingerprint: textOrNull,
  /** Whether it is proven to be the provider's own. Until then its signatures count as a third party's. */
  tied: z.boolean(),
  /** What proves it: a signed challenge, a proven domain, or a job of the repository that published here. */
  tie: z.enum(signerTieKinds),
  /** When its holder last signed a challenge. */
  proven_at: Time.nullable(),
  created_at: Time,
})
export type SignerRecord = z.infer<typeof SignerRecord>

/** The holder of a key signs the exact UTF-8 bytes of `message`. A challenge works once, until it expires. */
export const SignerChallenge = z.strictObject({ id: SignerId, message: z.string(), expires_at: Time })
export type SignerChallenge = z.infer<typeof SignerChallenge>

/** The signed challenge. */
export const NewSignerProof = z.strictObject({
  signature: z
    .string('Signature is required')
    .max(4_096, { abort: true, error: 'Must have at most 4096 characters' })
    .overwrite((value) => value.replace(/\s+/g, ''))
    .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'Must be base64'),
  /** For a declared authority: the certificate of the signing key, and its intermediates. */
  certificate_chain: pem('CERTIFICATE', 65_536).optional(),
})
export type NewSignerProof = z.output<typeof NewSignerProof>

const params = z.strictObject({ id: ModelId })

/** Endpoints of signed bundles. */
export const bundles = {
  verify: endpoint(routes.bundles.verify, {
    summary: 'Check the bundle of a version now; it is also checked every day',
    caller: 'provider',
    scope: 'models',
    publisher: true,
    params,
    body: z.strictObject({
      /** Fetch and check again even if that was done a moment ago. */
      force_refresh: z.boolean().optional(),
    }),
    response: BundleVerification,
    errors: ['bundle_missing'],
  }),
  upload: endpoint(routes.bundles.upload, {
    summary: 'Upload the bundle of a version; it is checked at once',
    caller: 'provider',
    scope: 'models',
    publisher: true,
    params,
    body: UploadedBundle,
    maxBodyBytes: limits.bundleBytes,
    maxBodyValues: limits.bundleValues,
    response: BundleRecord,
  }),
  status: endpoint(routes.bundles.status, {
    summary: 'The bundle of a version: status, signer, log and every check',
    caller: 'optional',
    scope: 'read',
    publisher: true,
    params,
    response: BundleRecord,
  }),
} satisfies Endpoints<typeof routes.bundles>

/** Endpoints of declared signers. */
export const signers = {
  list: endpoint(routes.signers.list, {
    summary: 'Signers of the caller’s models',
    caller: 'provider',
    query: z.strictObject(paging),
    response: z.strictObject({ signers: z.array(SignerRecord), next_cursor: textOrNull }),
  }),
  declare: endpoint(routes.signers.declare, {
    summary: 'Declare a signer of models; affected bundles are checked again',
    caller: 'provider',
    scope: 'models',
    body: NewSigner,
    response: SignerRecord,
    status: 201,
  }),
  challenge: endpoint(routes.signers.challenge, {
    summary: 'Create a challenge for the holder of a declared key or certificate; it replaces the previous one',
    caller: 'provider',
    scope: 'models',
    params: z.strictObject({ id: SignerId }),
    body: z.strictObject({}),
    response: SignerChallenge,
    errors: ['signer_proof_invalid'],
  }),
  prove: endpoint(routes.signers.prove, {
    summary: 'Prove with a signed challenge that a declared key or certificate is the provider’s own',
    caller: 'provider',
    scope: 'models',
    params: z.strictObject({ id: SignerId }),
    body: NewSignerProof,
    response: SignerRecord,
    errors: ['signer_proof_invalid'],
  }),
  withdraw: endpoint(routes.signers.withdraw, {
    summary: 'Withdraw a signer; what only they signed is no longer verified',
    caller: 'provider',
    scope: 'models',
    params: z.strictObject({ id: SignerId }),
    response: SignerRecord,
  }),
} satisfies Endpoints<typeof routes.signers>
