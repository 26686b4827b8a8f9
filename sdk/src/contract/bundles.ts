import { z } from 'zod'
import { type Endpoints, endpoint } from './endpoint.ts'
import { ModelId, paging, SignerId, Time, textOrNull } from './fields.ts'
import { limits } from './limits.ts'
import { routes } from './routes.ts'
import { isOfRepository, signerTieKinds } from './signer-ties.ts'

export const bundleStatuses = ['unknown', 'verified', 'invalid', 'error'] as const
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
    .max(maxLength, { abort: true, error: `Must have at most ${maxLength} characters` })
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
  /** The signature does not bind the names of the files: only OpenSSF Model Signing does. */
  names_not_signed: 'unknown',
  /** A valid in-toto statement about the digest, which says something about a model and does not sign one. */
  attestation_only: 'unknown',
  /** Declared and valid, but not proven to be the provider's own: a third party's signature. Everything else holds. */
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
export type BundleReason = keyof typeof bundleReasons
const BundleReason = z.enum(Object.keys(bundleReasons) as [BundleReason, ...BundleReason[]])

export const BundleCheck = z.strictObject({
  name: z.enum(bundleCheckNames),
  result: z.enum(['passed', 'failed', 'not_checked']),
  detail: z.string(),
})
export type BundleCheck = z.infer<typeof BundleCheck>

/** What was looked at in a signed bundle, and what came of it; null where it was not reached. */
export const BundleDetails = z.strictObject({
  signatures_valid: z.boolean().nullable(),
  certificate_valid: z.boolean().nullable(),
  transparency_log_verified: z.boolean().nullable(),
  artifact_hash_match: z.boolean().nullable(),
  signer_identity: textOrNull,
  /** True: proven to be the provider's own. False: a third party, whose signature is valid for this digest. */
  signer_tied: z.boolean().nullable(),
  signature_timestamp: Time.nullable(),
  /** Why the bundle is not verified; null where it is. */
  reason: BundleReason.nullable(),
  error: textOrNull,
})
export type BundleDetails = z.infer<typeof BundleDetails>

/** Who signed, as far as it is proven: from the certificate, or the fingerprint of the key (SHA-256 of its SPKI, hex). */
export const BundleSigner = z.strictObject({
  identity: textOrNull,
  issuer: textOrNull,
  repository: textOrNull,
  /** The repository's number at its host, which stays where names pass to others; absent where the certificate has none. */
  repository_id: z.string().optional(),
  workflow: textOrNull,
  key_fingerprint: textOrNull,
})
export type BundleSigner = z.infer<typeof BundleSigner>

/** A signer in a few words: the identity and who vouches for it, or the key. */
export const describeSigner = (signer: BundleSigner): string => {
  const { identity, issuer, repository, key_fingerprint } = signer
  // A declared authority may write any name, so this comes before it.
  if (identity && key_fingerprint) return `someone certified by a declared authority: ${identity}`
  const told = identity && issuer ? `${identity} (${issuer})` : identity
  // A workflow of one repository, run by another.
  if (told && repository && !isOfRepository(signer)) return `a job of ${repository}: ${told}`
  if (told) return told
  return key_fingerprint ? `key ${key_fingerprint}` : 'an unknown signer'
}

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
  /** Of the in-toto statement that was signed; null where a digest alone was signed. */
  predicate_type: textOrNull,
  trusted_root_date: textOrNull,
})
export type BundleVerdict = z.infer<typeof BundleVerdict>

/* ---- bundles of models ---- */

/** The JSON of a Sigstore or OMS bundle, as the tools write it. What is inside is judged by the check. */
export const UploadedBundle = z.strictObject({
  mediaType: z.string('Not a Sigstore bundle: mediaType is missing').max(200),
  verificationMaterial: z.looseObject({}, 'Not a Sigstore bundle: verificationMaterial is missing'),
  dsseEnvelope: z.looseObject({}).optional(),
  messageSignature: z.looseObject({}).optional(),
})
export type UploadedBundle = z.output<typeof UploadedBundle>

/** `in_progress` from the moment a check is asked for, or something that it depends on changed, until it is made. */
export const bundleProgress = ['not_started', 'in_progress', 'completed'] as const

const seen = {
  bundle_status: BundleStatus,
  bundle_last_checked: Time.nullable(),
  bundle_verification_details: BundleDetails.nullable(),
  verification_status: z.enum(bundleProgress),
}

/** What is known of a version's bundle, with every check of the last verdict. */
export const BundleRecord = z.strictObject({
  model_id: ModelId,
  ...seen,
  model_digest: textOrNull,
  bundle_url: textOrNull,
  /** Where the bundle came from that was checked. An upload counts until another address is given. */
  bundle_source: z.enum(['upload', 'url']).nullable(),
  /** Of the bundle that is kept. */
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
  /** Of the trusted root that the check went by. */
  trusted_root_date: BundleVerdict.shape.trusted_root_date,
  /** Who may sign this model, as its provider declared. */
  declared_signers: z.array(DeclaredSigner),
})
export type BundleRecord = z.infer<typeof BundleRecord>

export const BundleVerification = z.strictObject({
  message: z.string(),
  model_id: ModelId,
  /** Null where the bundle was uploaded. */
  bundle_url: textOrNull,
  ...seen,
  estimated_completion: Time.nullable(),
})
export type BundleVerification = z.infer<typeof BundleVerification>

/** Someone who may sign, for one model identifier with all its versions or, without one, for all. */
export const NewSigner = z.strictObject({
  signer: DeclaredSigner,
  api_model_identifier: z
    .string()
    .regex(/^[A-Za-z0-9_-]{2,128}$/, 'Must be the API model identifier of a model')
    .optional(),
})
export type NewSigner = z.output<typeof NewSigner>

export const SignerRecord = z.strictObject({
  id: SignerId,
  signer: DeclaredSigner,
  /** Null: all models. */
  api_model_identifier: textOrNull,
  /** SHA-256 of the SPKI, hex, where the signer is a key. */
  key_fingerprint: textOrNull,
  /** Whether it is proven to be the provider's own. Until then its signatures are a third party's. */
  tied: z.boolean(),
  /** What ties it: a signed challenge, a proven domain, or a job of the repository that published here. */
  tie: z.enum(signerTieKinds),
  /** When its holder last signed a challenge. */
  proven_at: Time.nullable(),
  created_at: Time,
})
export type SignerRecord = z.infer<typeof SignerRecord>

/** What the holder of a key signs: the UTF-8 bytes of `message`, exactly. It counts once, and until it expires. */
export const SignerChallenge = z.strictObject({ id: SignerId, message: z.string(), expires_at: Time })
export type SignerChallenge = z.infer<typeof SignerChallenge>

export const NewSignerProof = z.strictObject({
  signature: z
    .string('Signature is required')
    .max(4_096, { abort: true, error: 'Must have at most 4096 characters' })
    .overwrite((value) => value.replace(/\s+/g, ''))
    .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'Must be base64'),
  /** For a declared authority: the certificate of the key that signed, and those between. */
  certificate_chain: pem('CERTIFICATE', 65_536).optional(),
})
export type NewSignerProof = z.output<typeof NewSignerProof>

const params = z.strictObject({ id: ModelId })

export const bundles = {
  verify: endpoint(routes.bundles.verify, {
    summary: 'Check the bundle of a version; it is checked again every day by itself',
    caller: 'provider',
    scope: 'models',
    publisher: true,
    params,
    body: z.strictObject({
      /** Fetch and check anew even where that was done a moment ago. */
      force_refresh: z.boolean().optional(),
    }),
    response: BundleVerification,
    errors: ['bundle_missing'],
  }),
  upload: endpoint(routes.bundles.upload, {
    summary: 'Give the bundle of a version; it is checked at once',
    caller: 'provider',
    scope: 'models',
    publisher: true,
    params,
    body: UploadedBundle,
    maxBodyBytes: limits.bundleBytes,
    response: BundleRecord,
  }),
  status: endpoint(routes.bundles.status, {
    summary: 'What is known of the bundle of a version: status, signer, log and every check',
    caller: 'optional',
    scope: 'read',
    publisher: true,
    params,
    response: BundleRecord,
  }),
} satisfies Endpoints<typeof routes.bundles>

export const signers = {
  list: endpoint(routes.signers.list, {
    summary: 'Who may sign the caller’s models',
    caller: 'provider',
    query: z.strictObject(paging),
    response: z.strictObject({ signers: z.array(SignerRecord), next_cursor: textOrNull }),
  }),
  declare: endpoint(routes.signers.declare, {
    summary: 'Declare who may sign models; bundles that this may concern are checked again',
    caller: 'provider',
    scope: 'models',
    body: NewSigner,
    response: SignerRecord,
    status: 201,
  }),
  challenge: endpoint(routes.signers.challenge, {
    summary: 'A new challenge for the holder of a declared key or certificate; it replaces the one before',
    caller: 'provider',
    scope: 'models',
    params: z.strictObject({ id: SignerId }),
    body: z.strictObject({}),
    response: SignerChallenge,
    errors: ['signer_proof_invalid'],
  }),
  prove: endpoint(routes.signers.prove, {
    summary: 'Prove that a declared key or certificate is the provider’s own, by its signature of the challenge',
    caller: 'provider',
    scope: 'models',
    params: z.strictObject({ id: SignerId }),
    body: NewSignerProof,
    response: SignerRecord,
    errors: ['signer_proof_invalid'],
  }),
  withdraw: endpoint(routes.signers.withdraw, {
    summary: 'Withdraw a signer; what only they signed is not verified any more',
    caller: 'provider',
    scope: 'models',
    params: z.strictObject({ id: SignerId }),
    response: SignerRecord,
  }),
} satisfies Endpoints<typeof routes.signers>
