import {
  BundleSigner,
  BundleVerdict,
  bundleStatuses,
  Check,
  changes,
  DeclaredSigner,
  exitCodes,
  logStates,
  reasons,
  results,
  Strength,
  scopes,
} from '@countersign/sdk/contract'
import { z } from 'zod'
import { checkNames, findingStatuses } from './findings.ts'

/** Output of commands that no endpoint answers. */

const text = z.string()
const textOrNull = text.nullable()
const count = z.number().int().min(0)
const Digest = z.string().regex(/^sha256:[0-9a-f]{64}$/)
const Hex = z.string().regex(/^[0-9a-f]{64}$/)
const ExitCode = z.literal(Object.keys(exitCodes).map(Number))

/** stderr of a failed command, in JSON mode. */
export const Failed = z.strictObject({
  error: z.strictObject({
    code: text,
    message: text,
    hint: textOrNull,
    status: z.number().int().nullable(),
    request_id: textOrNull,
    retryable: z.boolean(),
    exit_code: ExitCode,
  }),
})

/* ---- with --dry-run ---- */

export const Request = z.strictObject({
  dry_run: z.literal(true),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  url: text,
  headers: z.record(text, text).optional(),
  body: z.unknown(),
})
export const Requests = z.strictObject({ dry_run: z.literal(true), requests: z.array(Request.omit({ dry_run: true })) })
export const FileChange = z.strictObject({ dry_run: z.literal(true), file: text, changes: z.record(text, textOrNull) })
export const Signing = z.strictObject({
  dry_run: z.literal(true),
  file: text,
  digest: Digest,
  files: count,
  bytes: count,
})

/* ---- files ---- */

export const ModelDigest = z.strictObject({
  digest: Digest,
  bytes: count,
  files: z.array(z.strictObject({ name: text, size: count, digest: Digest })),
  kind: z.enum(['file', 'directory']),
})

const FileState = z.strictObject({ size: count, sha256: Hex })

export const Comparison = z.strictObject({
  result: z.enum(['same', 'unnamed', 'different']),
  model_id: text,
  api_model_identifier: text,
  version: text,
  provider_domain: text.nullable(),
  state: z.enum(['active', 'inactive', 'superseded', 'withdrawn']),
  bundle_status: z.enum(bundleStatuses),
  registered_digest: Digest,
  digest: Digest,
  compared: z.enum(['files', 'digest']),
  registered_name: text.nullable(),
  changed: z.array(z.strictObject({ name: text, registered: FileState, found: FileState })),
  missing: z.array(text),
  extra: z.array(text),
  ignored: z.array(text),
})

export const KeyFiles = z.strictObject({ key_file: text, request_file: text, spki_sha256: Hex, key: text })

export const Fingerprint = z.strictObject({
  spki_sha256: Hex,
  pin: text,
  cert_sha256: Hex.nullable(),
  key: text,
  not_after: textOrNull,
})

export const SignedBundle = z.strictObject({
  bundle: text,
  digest: Digest,
  files: count,
  bytes: count,
  key_fingerprint: textOrNull,
  signer: BundleSigner.nullable(),
})

export const BundleOutcome = z.strictObject({
  result: z.enum(['verified', 'signature_valid', 'not_verified', 'could_not_check']),
  digest: text,
  files: z
    .strictObject({
      changed: z.array(text),
      missing: z.array(text),
      extra: z.array(text),
      left_out: z.array(text),
      signed_name: text.nullable(),
    })
    .nullable(),
  verdict: BundleVerdict.extend({ status: z.enum(bundleStatuses) }),
})

/** For several bundles, each by another signer. */
export const BundlesOutcome = z.strictObject({
  result: z.enum(['verified', 'not_verified', 'could_not_check']),
  threshold: z.number().int().min(1),
  signed_by: z.array(DeclaredSigner),
  bundles: z.array(BundleOutcome.extend({ bundle: text })),
})

/* ---- links ---- */

const LinkStep = z.strictObject({ state: z.enum(['proven', 'stated', 'missing']), text, at: textOrNull })

export const LinkVerdict = z.strictObject({
  result: z.enum(results),
  reason: z.enum([...reasons, 'not_logged']).nullable(),
  change: z.enum(changes).nullable(),
  outcome: textOrNull,
  strength: Strength,
  steps: z.strictObject({ provider: LinkStep, server: LinkStep, model_file: LinkStep }).nullable(),
  checks: z.array(Check),
  claims: z.looseObject({}).nullable(),
  provider: z.looseObject({ id: text, domain: textOrNull, domain_verified: z.boolean() }).nullable(),
  model: z.looseObject({}).nullable(),
  offline: z.boolean(),
  live_state: z.enum(['checked', 'not_checked']),
  log: z.strictObject({ state: z.enum([...logStates, 'could_not_check']), detail: text }).optional(),
})

/* ---- this machine ---- */

const keyFacts = { scopes: z.array(z.enum(scopes)).nullable().optional(), expires_at: textOrNull.optional() }

export const SignedIn = z.strictObject({
  logged_in: z.literal(true),
  profile: text,
  api_url: text,
  provider_id: text,
  domain: textOrNull.optional(),
  domain_verified: z.boolean().optional(),
  company_name: textOrNull.optional(),
  key_id: textOrNull.optional(),
  publisher_id: text.optional(),
  scope: text.optional(),
  expires_at: text.optional(),
  access_token: text.optional(),
})

export const SignInStatus = z.strictObject({
  logged_in: z.literal(true),
  profile: text,
  api_url: text,
  source: z.enum(['environment', 'profile']),
  store: textOrNull,
  key: text,
  key_id: textOrNull,
  provider_id: textOrNull,
  domain: textOrNull.optional(),
  domain_verified: z.boolean().optional(),
  company_name: textOrNull,
  publisher_id: text.optional(),
  is_expired: z.boolean().optional(),
  state: text.optional(),
  ...keyFacts,
  checked: z.boolean(),
})

export const SignedOut = z.strictObject({ logged_out: z.boolean(), profile: text })

export const ProfileEntry = z.strictObject({
  profile: text,
  is_active: z.boolean(),
  api_url: textOrNull,
  provider_id: textOrNull,
  company_name: textOrNull,
  key: textOrNull,
  key_id: textOrNull,
  expires_at: textOrNull,
})

export const Caller = z.strictObject({
  provider_id: text,
  domain: textOrNull,
  domain_verified: z.boolean(),
  is_active: z.boolean(),
  is_protected: z.boolean(),
  delayed_changes: z.number().int(),
  company_name: textOrNull,
  verification_level: text,
  trust_level: text,
  key_id: textOrNull,
  ...keyFacts,
  api_url: text,
})

const Source = z.enum(['flag', 'environment', 'project_file', 'profile', 'default'])

export const Explained = z.strictObject({
  value: textOrNull,
  source: Source.nullable(),
  shadowed: z.array(z.strictObject({ source: Source, value: text })),
})

export const Diagnosis = z.strictObject({
  result: z.enum(['ok', 'warn', 'fail']),
  exit_code: ExitCode,
  findings: z.array(
    z.strictObject({ check: z.enum(checkNames), status: z.enum(findingStatuses), detail: text, fix: textOrNull }),
  ),
})

/* ---- many reports at once ---- */

export const Answered = <Incident extends z.ZodType>(incident: Incident) =>
  z.strictObject({
    answered: z.array(incident),
    failed: z.array(
      z.strictObject({
        id: text,
        error: Failed.shape.error.pick({ code: true, message: true, retryable: true, exit_code: true }),
      }),
    ),
    not_sent: z.array(text),
  })
