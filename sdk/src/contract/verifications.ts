import { z } from 'zod'
import { BundleDetails, BundleSigner, BundleStatus } from './bundles.ts'
import { Binding, DeploymentStatus } from './deployments.ts'
import { dotLetters, dotWords } from './dots.ts'
import { type Endpoints, endpoint } from './endpoint.ts'
import type { LinkErrorCode } from './errors.ts'
import { DeploymentId, line, ModelId, Origin, ProviderId, Time, textOrNull, VerificationId } from './fields.ts'
import { limits } from './limits.ts'
import { LinkLog } from './log.ts'
import { resembled } from './lookalikes.ts'
import { judgementIn, nameProblem } from './names.ts'
import { DomainMethod, DomainStatus } from './providers.ts'
import { routes } from './routes.ts'
import { trustFields } from './trust.ts'

/* ---- minting ---- */

/** Bytes of a text in UTF-8, or an upper bound if that is within the limit. */
const utf8Length = (text: string, limit: number) =>
  text.length * 3 <= limit ? text.length * 3 : new TextEncoder().encode(text).length

/** `openai点com`, and with letters that look like dots. */
const dotLike = new RegExp(
  `[${dotLetters}]|(?<=\\p{sc=Latin}[ -]*)(?:(?:${dotWords.within})(?=[ -]*\\p{sc=Latin})|${dotWords.withCom})`,
  'iu',
)
const last = '(?![\\p{L}\\p{N}])'
const known = `(?:co(?:m|rn)|net|org|edu|gov|example)${last}`
const others = '(?:lo|al|app|dev)'
/** `acme dot com` and `www acme com` as they look: an `i` as an `l`. `Punto al` begins ordinary phrases as well. */
const domainInWords = new RegExp(
  `(?<=[\\p{L}\\p{N}] ?)dot(?:co(?:m|rn)|net|org|edu|gov|app|dev)${last}|(?<![\\p{L}\\p{N}])(?:(?:dot|www[ -][\\p{L}\\p{N} -]{1,60})[ -]+(?:${known}|${others}${last})|(?:${dotWords.apart.map(resembled).join('|')})[ -]+(?:${known}|${others}$))`,
  'u',
)

/** A phrase that the visitor gave the AI, in the letters that names may have. The page shows it as a quotation. */
export const Challenge = line(64)
  .regex(/^[\p{L}\p{N} -]*$/u, {
    abort: true,
    error: 'A challenge may only contain letters, digits, spaces and hyphens',
  })
  .refine((phrase) => !dotLike.test(phrase.normalize('NFKC')) && !domainInWords.test(resembled(phrase)), {
    abort: true,
    error: 'A challenge may not name a domain',
  })
  .refine((phrase) => nameProblem(phrase) === undefined, {
    error: ({ input }) => {
      const judgement = judgementIn(String(input))
      return judgement === undefined
        ? 'Write the challenge as words in the letters and digits of one alphabet'
        : `Only the registry may say “${judgement}”: ask for another phrase`
    },
  })

/** What a new link is for. */
export const NewVerification = z.strictObject({
  model_id: ModelId,
  /** Any text that identifies the user; only its HMAC is stored. */
  user_fingerprint: z.string().max(512).optional(),
  challenge: Challenge.optional(),
  /** The https origin of the chat. */
  origin: Origin.optional(),
  /** Stored only as SHA-256. */
  prompt: z.string().max(limits.responseTextBytes).optional(),
  /** Stored only as SHA-256, and bound at once. */
  response: z.string().max(limits.responseTextBytes).optional(),
  /** Shown to the provider only. */
  metadata: z
    .record(z.string().max(128), z.unknown())
    .refine(
      (value) => utf8Length(JSON.stringify(value), limits.metadataBytes) <= limits.metadataBytes,
      `Metadata must be at most ${limits.metadataBytes} bytes of JSON`,
    )
    .optional(),
})
export type NewVerification = z.output<typeof NewVerification>

/** A new link and its token. */
export const Verification = z.strictObject({
  verification_id: VerificationId,
  /** `<public url>/v/XXXX-XXXX-XXXX-XXXX`: show this to the user. */
  verification_url: z.string(),
  /** Signed JWT for offline verification; it is not in the link. */
  token: z.string(),
  /** With `response`: the token with the binding. */
  bound_token: textOrNull,
  response_hash: textOrNull,
  /** Seconds. */
  expires_in: z.number().int(),
  expires_at: Time,
  deployment_id: DeploymentId.nullable(),
  deployment_binding: Binding.nullable(),
  model_digest: textOrNull,
  bundle_status: BundleStatus,
  /** Things the provider should know, such as an expired client certificate or an unverified domain. */
  warnings: z.array(z.string()),
})
export type Verification = z.infer<typeof Verification>

/* ---- claims ---- */

/** Claims of a `vt+jwt` or a `bound+jwt`, which adds the binding. Times are seconds since 1970 (RFC 7519 §2). */
export const Claims = z.looseObject({
  iss: z.string(),
  jti: VerificationId,
  iat: z.number().int(),
  exp: z.number().int(),
  model_id: ModelId,
  provider_id: ProviderId,
  /** Only when the domain was verified at minting. */
  provider_domain: z.string().optional(),
  model_identifier: z.string(),
  version: z.string(),
  model_digest: z.string().optional(),
  deployment_id: DeploymentId.optional(),
  deployment_binding: Binding.optional(),
  spki_fingerprint: z.string().optional(),
  user_fp: z.string().optional(),
  challenge: z.string().optional(),
  origin: z.string().optional(),
  bound_to_response: z.boolean(),
  response_hash: z.string().optional(),
  bound_by: z.enum(['provider', 'bearer']).optional(),
})
export type Claims = z.infer<typeof Claims>

/* ---- verdicts ---- */

/** The verdicts. */
export const results = ['verified', 'not_verified', 'unknown'] as const
/** A verdict: verified, not verified, or could not check. */
export type Result = (typeof results)[number]

/** Why a link can be not verified. */
export const reasons = [
  'expired',
  'bad_signature',
  'unknown_key',
  'revoked',
  'suspended',
  'claim_mismatch',
  'provider_unverified',
  'archived',
  'foreign_registry',
  'malformed',
  'mistyped',
  'not_found',
  'keys_unavailable',
] as const
/**
 * Why a link is not verified.
 *
 * - `expired`: its 15 minutes are over
 * - `bad_signature`, `unknown_key`: the registry did not sign it
 * - `revoked`, `suspended`, `archived`: something that it relied on ended, as `change` says
 * - `claim_mismatch`: a value differs from the expected one
 * - `provider_unverified`: the provider has not proven a domain
 * - `foreign_registry`: it belongs to another registry
 * - `malformed`, `mistyped`: it is not a link, or a symbol of its code is wrong
 * - `not_found`: the registry never made it, or no longer knows it
 * - `keys_unavailable`: it could not be checked
 */
export type Reason = (typeof reasons)[number]

/** What ended a link since it was minted. */
export const changes = [
  'expired',
  'key_compromised',
  'api_key_compromised',
  'provider_deactivated',
  'provider_deleted',
  'model_archived',
  'model_deleted',
  'deployment_disabled',
  'deployment_deleted',
  'authorization_removed',
  'bundle_invalid',
  'suspended',
] as const
/** What ended a link since it was minted. */
export type Change = (typeof changes)[number]

/** The reason that each change gives. */
export const reasonOfChange = {
  expired: 'expired',
  key_compromised: 'revoked',
  api_key_compromised: 'revoked',
  provider_deactivated: 'revoked',
  provider_deleted: 'revoked',
  model_archived: 'archived',
  model_deleted: 'revoked',
  deployment_disabled: 'revoked',
  deployment_deleted: 'revoked',
  authorization_removed: 'revoked',
  bundle_invalid: 'revoked',
  suspended: 'suspended',
} as const satisfies Record<Change, Reason>

/** The checks, in the order they are shown. */
export const checkNames = [
  'format',
  'signature',
  'issuer',
  'key',
  'time',
  'domain',
  'provider',
  'model',
  'deployment',
  'digest',
  'bundle',
  'log',
  'answer',
  'expectation',
  'chat',
] as const
/** A check of a link. */
export type CheckName = (typeof checkNames)[number]

/** After these changes, a link only reveals that its provider or model no longer exists. */
export const goneChanges = {
  provider_deactivated: 'provider',
  provider_deleted: 'provider',
  model_deleted: 'model',
} as const satisfies Partial<Record<Change, CheckName>>
/** A change after which a link reveals nothing more. */
export type GoneChange = keyof typeof goneChanges

/** One check. `passed: null` means that it was not, or could not be, made. */
export const Check = z.strictObject({
  check: z.enum(checkNames),
  passed: z.boolean().nullable(),
  detail: z.string(),
  /** When the check was made. */
  checked_at: Time.nullable(),
})
export type Check = z.infer<typeof Check>

const VerifiedModel = z.strictObject({
  id: ModelId,
  name: z.string(),
  version: z.string(),
  version_number: z.number().int(),
  type: z.string(),
  api_model_identifier: z.string(),
  model_digest: textOrNull,
  sigstore_bundle_url: textOrNull,
  bundle_status: BundleStatus,
  bundle_last_checked: Time.nullable(),
  bundle_verification_details: BundleDetails.nullable(),
  /** The signer of the bundle, declared or not. */
  bundle_signer: BundleSigner.nullable(),
  is_public: z.boolean(),
  is_latest: z.boolean(),
  superseded_at: Time.nullable(),
  archived_at: Time.nullable(),
})

const VerifiedProvider = z.strictObject({
  id: ProviderId,
  name: textOrNull,
  website: textOrNull,
  /** The domain the link was minted under, or else the provider’s primary domain. It is an identity only if `domain_verified`. */
  domain: textOrNull,
  /** Proven, and confirmed by the last check. */
  domain_verified: z.boolean(),
  domain_verified_at: Time.nullable(),
  domain_verification_method: DomainMethod.nullable(),
  /** Domain of another listed provider that has had a similar name and a proven domain for longer. */
  similar_name_domain: textOrNull,
  domain_status: DomainStatus,
  /** When the proof was last confirmed. */
  domain_checked_at: Time.nullable(),
  ...trustFields,
})

const DeploymentInfo = z.strictObject({
  deployment_id: DeploymentId,
  spki_fingerprint: z.string(),
  /** Stated by the provider, not proven. */
  spiffe_id: textOrNull,
  /** Always false: the registry cannot check who owns a SPIFFE trust domain. */
  spiffe_id_proven: z.literal(false),
  /** Stated by the provider, not proven. */
  cloud_identity: textOrNull,
  /** `deleted` once the provider has removed it. */
  status: z.union([DeploymentStatus, z.literal('deleted')]),
  binding: Binding,
  /** What its platform said of it, with the binding `workload`; else null. */
  workload: z
    .strictObject({
      issuer: z.string(),
      platform: z.string(),
      /** Null if it contains a domain that its provider has not proven, or a word that only the registry may say. */
      subject: textOrNull,
    })
    .nullable(),
})

/** The answer bound to this verification. Only a `provider` binding was made by the provider. */
const BoundAnswer = z.strictObject({
  /** SHA-256 of the exact UTF-8 bytes, as 64 hex characters. */
  response_hash: z.string(),
  bound_by: z.enum(['provider', 'bearer']),
  bound_at: Time,
})

/** What a verified link can prove. */
export const strengths = ['deployment', 'provider'] as const
export type Strength = (typeof strengths)[number] | null

/** What a verified link proves: the provider and the server that requested it, or only the provider. Null unless verified. */
export const Strength = z.enum(strengths).nullable()

/** A change after minting to something the link names. The record shows the value at minting. */
export const LaterChange = z.strictObject({
  field: z.enum([
    'model.name',
    'model.version',
    'model.type',
    'model.model_digest',
    'provider.name',
    'provider.website',
    'provider.domain',
  ]),
  minted: textOrNull,
  now: textOrNull,
})
export type LaterChange = z.infer<typeof LaterChange>

/** The verdict on a link, with every check and the live state. */
export const VerificationResult = z.strictObject({
  /** The registry's public address. */
  issuer: z.string(),
  status: z.enum(['verified', 'provider_unverified', 'not_verified']),
  result: z.enum(results),
  strength: Strength,
  reason: z.enum(reasons).nullable(),
  change: z.enum(changes).nullable(),
  checks: z.array(Check),
  live_state: z.enum(['checked', 'not_checked']),
  verification_id: VerificationId,
  /** `XXXX-XXXX-XXXX-XXXX`: the code of the link. */
  link_code: z.string(),
  model: VerifiedModel.nullable(),
  provider: VerifiedProvider.nullable(),
  trust_level: trustFields.trust_level.nullable(),
  /** When the link was issued. */
  timestamp: Time,
  expires_at: Time,
  /** When this answer was made. */
  checked_at: Time,
  deployment_id: DeploymentId.nullable(),
  deployment_info: DeploymentInfo.nullable(),
  /** Public changes since minting; `model` and `provider` show the values at minting. */
  later_changes: z.array(LaterChange),
  challenge: textOrNull,
  origin: textOrNull,
  /** The link was made for a site whose domain is no longer proven, so it is for no site. */
  is_origin_lost: z.literal(true).optional(),
  bound_to_response: z.boolean(),
  bound_answer: BoundAnswer.nullable(),
  /** The same facts in the public log. It never decides the result. */
  log: LinkLog,
})
export type VerificationResult = z.infer<typeof VerificationResult>

/** The problem document of a link: the verdict, and the result if the link is known. */
export interface LinkProblem {
  /** Public address of the registry. */
  issuer: string
  /** Code of the error. */
  code: LinkErrorCode
  /** The verdict. */
  result: Exclude<Result, 'verified'>
  /** Why the link is not verified. */
  reason: Reason
  /** What ended the link; null if nothing did. */
  change: Change | null
  /** Every check with its result. */
  checks: Check[]
  /** What the link was made for, if the registry knows it. */
  verification?: VerificationResult
}

/** How far company, server or model file is proven; `words` is the key of its sentence. */
const LinkStep = z.strictObject({
  state: z.enum(['proven', 'stated', 'missing']),
  words: z.string(),
  at: Time.nullable(),
})

/** The verdict on a link or token, with its claims. */
export const Inspection = z.strictObject({
  issuer: z.string(),
  valid: z.boolean(),
  result: z.enum(results),
  strength: Strength,
  /** Null unless the link is verified or only its provider is unverified. */
  steps: z.strictObject({ provider: LinkStep, server: LinkStep, model_file: LinkStep }).nullable(),
  reason: z.enum(reasons).nullable(),
  change: z.enum(changes).nullable(),
  checks: z.array(Check),
  claims: Claims.nullable(),
  model: VerifiedModel.nullable(),
  provider: VerifiedProvider.nullable(),
  bundle_check: z
    .strictObject({
      status: BundleStatus,
      timestamp: Time.nullable(),
      details: BundleDetails.nullable(),
      signer: BundleSigner.nullable(),
    })
    .nullable(),
})
export type Inspection = z.infer<typeof Inspection>

/* ---- endpoints ---- */

/** A link code, a whole link or a token. */
const params = z.strictObject({ token: z.string().min(1) })

/** The error code for each reason. Status, title and words come from the error table. */
export const linkErrorOf = {
  expired: 'link_expired',
  bad_signature: 'link_forged',
  unknown_key: 'link_forged',
  revoked: 'link_revoked',
  claim_mismatch: 'link_forged',
  archived: 'link_archived',
  suspended: 'link_suspended',
  foreign_registry: 'link_foreign',
  malformed: 'link_malformed',
  mistyped: 'link_mistyped',
  not_found: 'link_unknown',
  keys_unavailable: 'could_not_check',
} as const satisfies Record<Exclude<Reason, 'provider_unverified'>, LinkErrorCode>

const deploymentHeaders = {
  'x-client-cert-fingerprint': 'SPKI fingerprint of the deployment; proof only from an address in CLIENT_CERT_PROXIES',
  'x-client-cert-subject': 'Subject of the client certificate; only from CLIENT_CERT_PROXIES',
  'x-client-cert-issuer': 'Issuer of the client certificate; only from CLIENT_CERT_PROXIES',
  'client-cert': 'The client certificate (RFC 9440 §2.2); only from CLIENT_CERT_PROXIES',
  'signature-input': 'Components and parameters of the request’s signature (RFC 9421) by the deployment’s key',
  signature: 'The signature; one that is wrong is rejected',
  'countersign-key': 'Public key of the signature: DER of the SPKI as a byte sequence, `:base64:`',
  'content-digest': 'SHA-256 or SHA-512 of the body (RFC 9530); required with a signature',
}

/** Endpoints of links. */
export const verifications = {
  create: endpoint(routes.verifications.create, {
    summary: 'Mint a verification link and its token for a model',
    caller: 'provider',
    scope: 'links',
    workload: true,
    body: NewVerification,
    headers: deploymentHeaders,
    maxBodyBytes: 600_000,
    response: Verification,
    status: 201,
    errors: [
      'bad_request',
      'not_found',
      'model_archived',
      'origin_not_yours',
      'quota_exceeded',
      'provider_unregistered',
      'signature_invalid',
      'deployment_not_authorized',
      'deployment_proof_required',
      'deployment_exists',
      'upstream_unavailable',
    ],
  }),
  get: endpoint(routes.verifications.get, {
    summary: 'Check a link or token now',
    caller: 'public',
    params,
    response: VerificationResult,
    errors: [
      'link_malformed',
      'link_mistyped',
      'link_forged',
      'link_unknown',
      'link_foreign',
      'link_expired',
      'link_revoked',
      'link_archived',
      'link_gone',
      'could_not_check',
    ],
  }),
  opened: endpoint(routes.verifications.opened, {
    summary: 'Count that a person has read the link page',
    caller: 'optional',
    scope: 'any',
    params,
    body: z.strictObject({}),
    response: z.strictObject({ counted: z.boolean() }),
  }),
  inspect: endpoint(routes.verifications.inspect, {
    summary: 'Inspect a link or token: the verdict with all checks and claims, even if it is not verified',
    caller: 'public',
    params,
    response: Inspection,
    errors: ['could_not_check'],
  }),
  bind: endpoint(routes.verifications.bind, {
    summary: 'Bind an answer to a token',
    caller: 'optional',
    scope: 'links',
    workload: true,
    params,
    body: z.strictObject({ response_text: z.string().min(1).max(limits.responseTextBytes) }),
    maxBodyBytes: 600_000,
    response: z.strictObject({
      bound_token: z.string(),
      response_hash: z.string(),
      bound_by: z.enum(['provider', 'bearer']),
      verification_url: textOrNull,
    }),
    errors: [
      'link_malformed',
      'link_forged',
      'link_unknown',
      'link_foreign',
      'link_expired',
      'link_revoked',
      'link_archived',
      'link_gone',
      'could_not_check',
      'already_bound',
    ],
  }),
} satisfies Endpoints<typeof routes.verifications>
