import { z } from 'zod'
import { type Aliases, unifyAliases } from './aliases.ts'
import { BundleDetails, BundleSigner, BundleStatus } from './bundles.ts'
import { Deployment } from './deployments.ts'
import { type Endpoints, endpoint, ifMatchHeader } from './endpoint.ts'
import {
  alwaysChecked,
  clearable,
  DeploymentId,
  Digest,
  flag,
  line,
  ModelId,
  nameLine,
  optionalName,
  PartialDate,
  ProviderId,
  paging,
  requiredText,
  Time,
  textOrNull,
  WebUrl,
  wordList,
} from './fields.ts'
import { limits } from './limits.ts'
import { type FieldKind, type ModelField, type ModelFields, modelFieldRows, modelTypes } from './model-fields.ts'
import { ModelFilePage, ModelFileQuery, ModelFiles } from './model-files.ts'
import { routes } from './routes.ts'
import { TrustLevel } from './trust.ts'

/** Fields of models with two names. */
export const modelAliases = {
  endpoint: 'api_endpoint',
  model_size: 'model_size_params',
  health_check_enabled: 'enable_health_monitoring',
  uptime_7d: 'uptime_percentage_7d',
} as const satisfies Aliases

/** Results of a health check. */
export const healthStatuses = ['healthy', 'unhealthy', 'unknown'] as const
/** How a digest was found: from local bytes, from the model hub, or stated. */
export const digestSources = ['local-bytes', 'hub-metadata', 'stated'] as const

/** Letters, digits, hyphens and underscores; 2 to 128; case-sensitive; never changes. */
export const ModelIdentifier = z
  .string('API model identifier is required')
  .min(1, 'API model identifier is required')
  .min(2, 'API model identifier must be at least 2 characters')
  .max(128, 'API model identifier must be at most 128 characters')
  .regex(/^[A-Za-z0-9_-]+$/, 'Only letters, numbers, hyphens, and underscores allowed')

/** Scores that the provider states. */
export const PerformanceBenchmarks = z.strictObject({
  mmlu: z.number().min(0).max(100).multipleOf(0.1).optional(),
  humaneval: z.number().min(0).max(100).multipleOf(0.1).optional(),
  gsm8k: z.number().min(0).max(100).optional(),
  hellaswag: z.number().min(0).max(100).optional(),
  lmarena_ranking: z.number().int().min(1).max(100_000).optional(),
})
export type PerformanceBenchmarks = z.infer<typeof PerformanceBenchmarks>

const optionalUrl = z.union([z.literal('').transform(() => undefined), WebUrl]).optional()

const lineOrNull = (max: number) =>
  line(max)
    .transform((value) => (value === '' ? null : value))
    .optional()

/** For a field of each kind: its schema in a registration, in an edit, where an empty text removes it, and in an answer. */
const schemasOf = {
  name: (max: number) => ({
    input: optionalName(max).optional(),
    edit: clearable(optionalName(max)).optional(),
    output: textOrNull,
  }),
  line: (max: number) => ({ input: line(max).optional(), edit: lineOrNull(max), output: textOrNull }),
  date: () => ({ input: PartialDate.optional(), edit: clearable(PartialDate).optional(), output: textOrNull }),
  measure: (max: number) => ({
    input: z
      .union([line(max), z.number()])
      .transform(String)
      .optional(),
    edit: z
      .union([line(max), z.number()])
      .transform((value) => (value === '' ? null : String(value)))
      .optional(),
    output: textOrNull,
  }),
  url: () => ({ input: optionalUrl, edit: clearable(WebUrl).optional(), output: textOrNull }),
  count: (max: number) => ({
    input: z.number().int().min(1).max(max).optional(),
    edit: clearable(z.number().int().min(1).max(max)).optional(),
    output: z.number().int().nullable(),
  }),
  words: (max: number) => ({
    input: wordList(max).optional(),
    edit: wordList(max).optional(),
    output: z.array(z.string()),
  }),
  flag: () => ({ input: z.boolean().optional(), edit: z.boolean().optional(), output: z.boolean() }),
} satisfies Partial<Record<FieldKind, (max: number) => { input: z.ZodType; edit: z.ZodType; output: z.ZodType }>>

/** The fields whose schemas come from their kind. */
type Plain = { [Name in ModelField]: ModelFields[Name] extends { hasOwnSchema: true } ? never : Name }[ModelField]
type Use = 'input' | 'edit' | 'output'
type PlainSchemas<In extends Use> = { [Name in Plain]: ReturnType<(typeof schemasOf)[ModelFields[Name]['kind']]>[In] }

const plainSchemas = <In extends Use>(use: In) =>
  Object.fromEntries(
    modelFieldRows
      .filter(([, { hasOwnSchema }]) => !hasOwnSchema)
      .map(([name, { kind, max = 0 }]) => [name, schemasOf[kind as keyof typeof schemasOf](max)[use]]),
  ) as unknown as PlainSchemas<In>

const plainInput = plainSchemas('input')
const plainEdit = plainSchemas('edit')

const tooShortName = 'Display name must be at least 2 characters'

/** A registration. `display_name` (or `model_name`) and `endpoint` (or `api_endpoint`) are required. */
export const NewModel = z
  .strictObject({
    display_name: nameLine(2, 120, tooShortName).optional(),
    model_name: nameLine(2, 120, 'Model name must be at least 2 characters').optional(),
    api_model_identifier: ModelIdentifier,
    endpoint: WebUrl.optional(),
    api_endpoint: WebUrl.optional(),
    version: nameLine(1, 60, 'Version is required').default('1.0.0'),
    description: requiredText(10, 5_000, 'Description must be at least 10 characters'),
    is_public: z.boolean().default(true),
    ...plainInput,
    model_type: z.enum(modelTypes).default('language'),
    model_size_params: plainInput.model_size,
    security_standards: z.strictObject({ tls_version: line(20).optional() }).optional(),
    performance_benchmarks: PerformanceBenchmarks.optional(),
    enable_health_monitoring: plainInput.health_check_enabled,
    /** SHA-256 of the model file; for several files, the root digest of OpenSSF Model Signing. */
    model_digest: Digest.optional(),
    /** The files of the model; they must match `model_digest`. */
    model_files: ModelFiles.optional(),
    digest_source: z.enum(digestSources).optional(),
    /** Require a proven deployment to mint links for this model. */
    require_deployment_proof: z.boolean().default(false),
    /** Register a new version of an existing identifier. */
    force_new_version: z.boolean().default(false),
    /** With a new version: copy the deployments authorized for the previous one. */
    copy_authorizations: z.boolean().default(false),
  })
  .superRefine((input, context) => {
    const reject = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if ((input.display_name ?? input.model_name) === undefined) reject('display_name', 'Display name is required')
    if ((input.endpoint ?? input.api_endpoint) === undefined) reject('endpoint', 'Endpoint is required')
    if (input.model_files !== undefined && input.model_digest === undefined)
      reject('model_digest', 'Required with model_files')
    const standard = input.security_standards?.tls_version
    if (input.tls_version !== undefined && standard !== undefined && input.tls_version !== standard) {
      reject(
        'security_standards',
        'tls_version and security_standards.tls_version are the same field and must not differ',
      )
    }
  }, alwaysChecked)
  .transform(unifyAliases(modelAliases))
  .transform(({ security_standards, ...input }) => {
    const display_name = input.display_name ?? input.model_name ?? ''
    return {
      ...input,
      display_name,
      model_name: input.model_name ?? display_name,
      endpoint: input.endpoint ?? '',
      tls_version: input.tls_version ?? security_standards?.tls_version,
    }
  })
export type NewModel = z.output<typeof NewModel>

/** A version of a model. */
export const Model = z.strictObject({
  id: ModelId,
  provider_id: ProviderId,
  provider_name: textOrNull,
  provider_logo: textOrNull,
  provider_domain: textOrNull,
  provider_domain_verified: z.boolean(),
  display_name: z.string(),
  model_name: z.string(),
  api_model_identifier: z.string(),
  version: z.string(),
  version_number: z.number().int(),
  description: z.string(),
  endpoint: z.string(),
  api_endpoint: z.string(),
  model_type: z.enum(modelTypes),
  ...plainSchemas('output'),
  model_size_params: textOrNull,
  security_standards: z.strictObject({ tls_version: textOrNull }),
  performance_benchmarks: PerformanceBenchmarks.nullable(),
  enable_health_monitoring: z.boolean(),
  health_status: z.enum(healthStatuses),
  uptime_7d: z.number().nullable(),
  uptime_percentage_7d: z.number().nullable(),
  model_digest: textOrNull,
  digest_source: z.enum(digestSources).nullable(),
  bundle_status: BundleStatus,
  bundle_last_checked: Time.nullable(),
  bundle_verification_details: BundleDetails.nullable(),
  bundle_signer: BundleSigner.nullable(),
  require_deployment_proof: z.boolean(),
  is_public: z.boolean(),
  is_active: z.boolean(),
  is_latest: z.boolean(),
  is_archived: z.boolean(),
  is_demo: z.boolean(),
  predecessor_id: ModelId.nullable(),
  successor_id: ModelId.nullable(),
  latest_version_id: ModelId.nullable(),
  created_at: Time,
  first_verified_at: Time.nullable(),
  superseded_at: Time.nullable(),
  archived_at: Time.nullable(),
  /** Why the owner withdrew the version. Shown to the owner only; otherwise null. */
  archive_reason: textOrNull,
  can_quick_edit: z.boolean(),
})
export type Model = z.infer<typeof Model>

/** A registered version. */
export const RegisteredModel = z.strictObject({
  model_id: ModelId,
  display_name: z.string(),
  api_model_identifier: z.string(),
  version: z.string(),
  version_number: z.number().int(),
  model_digest: textOrNull,
  message: z.string(),
  can_quick_edit: z.boolean(),
  predecessor_id: ModelId.nullable(),
  /** Authorized deployments of the previous version, and how many were copied. */
  authorizations: z.strictObject({ previous: z.number().int(), copied: z.number().int() }),
})
export type RegisteredModel = z.infer<typeof RegisteredModel>

/** The existing version, in the 409 of a registration. */
export const ExistingModel = z.strictObject({
  id: ModelId,
  display_name: z.string(),
  api_model_identifier: z.string(),
  version: z.string(),
  version_number: z.number().int(),
  model_digest: textOrNull,
  suggested_version: z.string(),
  can_quick_edit: z.boolean(),
})
export type ExistingModel = z.infer<typeof ExistingModel>

/** Filters and paging of the list of models. */
export const ModelQuery = z.strictObject({
  ...paging,
  search: line(limits.searchText).optional(),
  provider_id: line(40).optional(),
  min_context_window: z.coerce.number().int().min(0).max(1_000_000_000).optional(),
  max_context_window: z.coerce.number().int().min(0).max(1_000_000_000).optional(),
  release_year: z.coerce.number().int().min(1900).max(2100).optional(),
  is_active: flag.optional(),
  /** Only models for the landing page: demonstration data, and the operator's choice. */
  is_sample: flag.optional(),
  sort: z.enum(['date', 'name', 'provider', 'context']).default('date'),
})
export type ModelQuery = z.output<typeof ModelQuery>

/** Why a version is withdrawn. */
export const ArchiveRequest = z.strictObject({ reason: line(500).default('Provider archived') })
/** Why a version is restored. */
export const UnarchiveRequest = z.strictObject({ reason: line(500).optional() })

/** An edit. Omitted fields do not change, and an empty text clears an optional field. The identifier may be repeated but not changed. */
export const ModelEdit = z
  .strictObject({
    display_name: nameLine(2, 120, tooShortName).optional(),
    model_name: nameLine(2, 120, 'Model name must be at least 2 characters').optional(),
    api_model_identifier: ModelIdentifier.optional(),
    endpoint: WebUrl.optional(),
    api_endpoint: WebUrl.optional(),
    version: nameLine(1, 60, 'Version is required').optional(),
    description: requiredText(10, 5_000, 'Description must be at least 10 characters').optional(),
    is_public: z.boolean().optional(),
    ...plainEdit,
    model_type: z.enum(modelTypes).optional(),
    model_size_params: plainEdit.model_size,
    security_standards: z.strictObject({ tls_version: lineOrNull(20) }).optional(),
    performance_benchmarks: PerformanceBenchmarks.transform((scores) =>
      Object.keys(scores).length === 0 ? null : scores,
    ).optional(),
    enable_health_monitoring: plainEdit.health_check_enabled,
    model_digest: clearable(Digest).optional(),
    /** The files of `model_digest`, or else of the current digest. Changing the digest without files removes the list of files. */
    model_files: ModelFiles.optional(),
    digest_source: z.enum(digestSources).optional(),
    require_deployment_proof: z.boolean().optional(),
    force_new_version: z.literal(false, 'A new version is registered, not edited').optional(),
  })
  .superRefine((input, context) => {
    const standard = input.security_standards?.tls_version
    if (input.tls_version !== undefined && standard !== undefined && input.tls_version !== standard)
      context.addIssue({
        code: 'custom',
        path: ['security_standards'],
        message: 'tls_version and security_standards.tls_version are the same field and must not differ',
      })
  }, alwaysChecked)
  .transform(unifyAliases(modelAliases))
  .transform(({ security_standards, force_new_version: _, ...input }) => ({
    ...input,
    tls_version: input.tls_version === undefined ? security_standards?.tls_version : input.tls_version,
  }))
export type ModelEdit = z.output<typeof ModelEdit>

/** Versions and edits of a model. */
export const ModelHistory = z.strictObject({
  current_version: z.strictObject({
    id: ModelId,
    display_name: z.string(),
    version: z.string(),
    version_number: z.number().int(),
    created_at: Time,
    first_verified_at: Time.nullable(),
  }),
  /** Changed fields, newest first, including withdrawals and restorations with their reasons. */
  edit_history: z.array(
    z.strictObject({ field_name: z.string(), old_value: z.unknown(), new_value: z.unknown(), edited_at: Time }),
  ),
  /** Every version of the identifier, newest first. */
  versions: z.array(
    z.strictObject({
      id: ModelId,
      display_name: z.string(),
      version: z.string(),
      version_number: z.number().int(),
      created_at: Time,
      superseded_at: Time.nullable(),
      archived_at: Time.nullable(),
      archive_reason: textOrNull,
      is_latest: z.boolean(),
      is_public: z.boolean(),
    }),
  ),
  total_versions: z.number().int(),
})
export type ModelHistory = z.infer<typeof ModelHistory>

/** Health of a model’s endpoint. */
export const ModelHealth = z.strictObject({
  model_id: ModelId,
  health_check_enabled: z.boolean(),
  health_status: z.enum(healthStatuses),
  last_check: Time.nullable(),
  /**
   * Percent of seven days in which the endpoint answered; null before the first check. Every checked hour counts the same, because
   * a failing endpoint is checked less often.
   */
  uptime_7d: z.number().nullable(),
  uptime_percentage_7d: z.number().nullable(),
  endpoint: z.string(),
  interval_seconds: z.number().int(),
  /** One entry for each hour with checks, oldest first. */
  hours: z.array(z.strictObject({ hour: Time, checks: z.number().int(), healthy: z.number().int() })),
})
export type ModelHealth = z.infer<typeof ModelHealth>

/** What visitors did with a model: opened links and reports. */
export const CommunityStats = z.strictObject({
  model_id: ModelId,
  /** Links of the model that people opened, not counting its provider. */
  total_verifications: z.number().int(),
  /** The same for each of the last twelve weeks, oldest first. The last week ends today (UTC). */
  weeks: z.array(z.strictObject({ first_day: z.iso.date(), verifications: z.number().int() })),
  /** Reports that count publicly and that the provider has not closed. */
  reports_under_investigation: z.number().int(),
  unresolved_incidents: z.number().int(),
  /** Reports that count publicly, for all versions of the identifier and all accounts that had proven the domain. */
  total_reports: z.number().int(),
  /** Reports that the provider dismissed. They still count; only the operator can withdraw one. */
  dismissed_reports: z.number().int(),
  last_incident: Time.nullable(),
  last_incident_date: Time.nullable(),
  last_incident_status: textOrNull,
  provider_trust_level: TrustLevel,
})
export type CommunityStats = z.infer<typeof CommunityStats>

/** What was read from Hugging Face. */
export const SyncedModel = z.strictObject({
  message: z.string(),
  updated_fields: z.array(z.string()),
  huggingface_model_id: z.string(),
  /** The commit of the hub that was read. */
  revision: z.string(),
})
export type SyncedModel = z.infer<typeof SyncedModel>

const params = z.strictObject({ id: ModelId })

const archive = {
  summary: 'Withdraw a version: its links stop working, it disappears from lists, its record stays',
  caller: 'provider',
  scope: 'models',
  params,
  body: ArchiveRequest,
  response: Model,
} as const

/** Endpoints of models. */
export const models = {
  register: endpoint(routes.models.register, {
    summary: 'Register a model, or with force_new_version a new version',
    caller: 'provider',
    scope: 'models',
    publisher: true,
    body: NewModel,
    response: RegisteredModel,
    status: 201,
    maxBodyBytes: limits.modelBodyBytes,
    maxBodyValues: limits.modelBodyValues,
    errors: ['model_exists', 'version_exists', 'files_digest_mismatch', 'quota_exceeded'],
  }),
  list: endpoint(routes.models.list, {
    summary: 'Public models of listed providers',
    caller: 'public',
    query: ModelQuery,
    response: z.strictObject({ models: z.array(Model), next_cursor: textOrNull }),
  }),
  get: endpoint(routes.models.get, {
    summary: 'A public model; with its owner’s key, also a private one',
    caller: 'optional',
    scope: 'read',
    publisher: true,
    params,
    response: Model,
    editTag: 'model',
  }),
  archive: endpoint(routes.models.archive, archive),
  putArchive: endpoint(routes.models.putArchive, archive),
  unarchive: endpoint(routes.models.unarchive, {
    summary: 'Restore a withdrawn version, public or private as before; links that have not expired are valid again',
    caller: 'provider',
    scope: 'models',
    params,
    body: UnarchiveRequest,
    response: Model,
    errors: ['not_archived'],
  }),
  quickEdit: endpoint(routes.models.quickEdit, {
    summary: 'Correct the latest version within an hour of registration, before its first link',
    caller: 'provider',
    scope: 'models',
    params,
    body: ModelEdit,
    response: Model,
    editTag: 'model',
    headers: ifMatchHeader,
    maxBodyBytes: limits.modelBodyBytes,
    maxBodyValues: limits.modelBodyValues,
    errors: ['quick_edit_closed', 'model_archived', 'version_exists', 'files_digest_mismatch'],
  }),
  history: endpoint(routes.models.history, {
    summary: 'Edits of a version and all versions of its identifier',
    caller: 'provider',
    params,
    response: ModelHistory,
  }),
  setVisibility: endpoint(routes.models.setVisibility, {
    summary: 'Make a version public or private',
    caller: 'provider',
    scope: 'models',
    params,
    body: z.strictObject({ is_public: z.boolean('Invalid visibility settings') }),
    response: Model,
    errors: ['model_archived'],
  }),
  latest: endpoint(routes.models.latest, {
    summary: 'The latest version of the identifier that the caller may see',
    caller: 'optional',
    scope: 'read',
    publisher: true,
    params,
    response: Model,
  }),
  files: endpoint(routes.models.files, {
    summary: 'The files of a version, in the order its digest was made in; empty if only a digest was given',
    caller: 'optional',
    scope: 'read',
    publisher: true,
    params,
    query: ModelFileQuery,
    response: ModelFilePage,
  }),
  health: endpoint(routes.models.health, {
    summary: 'Whether the endpoint answers, and its uptime over seven days',
    caller: 'optional',
    scope: 'read',
    params,
    response: ModelHealth,
  }),
  setHealth: endpoint(routes.models.setHealth, {
    summary: 'Turn health monitoring on or off, and set its interval',
    caller: 'provider',
    scope: 'models',
    params,
    body: z.strictObject({
      enabled: z.boolean(),
      interval_seconds: z.number().int().min(limits.healthIntervalMin).max(limits.healthIntervalMax).optional(),
    }),
    response: ModelHealth,
  }),
  communityStats: endpoint(routes.models.communityStats, {
    summary: 'How often people opened links of the model, and its open reports',
    caller: 'optional',
    scope: 'read',
    params,
    response: CommunityStats,
  }),
  syncHuggingface: endpoint(routes.models.syncHuggingface, {
    summary: 'Update the model from its card on the hub, at the current commit',
    caller: 'provider',
    scope: 'models',
    params,
    body: z.strictObject({ huggingface_model_id: line(200).optional() }),
    response: SyncedModel,
    errors: ['upstream_refused', 'upstream_unavailable'],
  }),
  allowDeployment: endpoint(routes.models.allowDeployment, {
    summary: 'Authorize a deployment to mint links for this model',
    caller: 'provider',
    scope: 'deployments',
    params,
    body: z.strictObject({ deployment_id: DeploymentId }),
    response: z.strictObject({
      message: z.string(),
      model_id: ModelId,
      deployment_id: DeploymentId,
      authorized_at: Time,
    }),
    status: 201,
    errors: ['already_authorized', 'model_archived'],
  }),
  deployments: endpoint(routes.models.deployments, {
    summary: 'Deployments authorized for this model',
    caller: 'provider',
    params,
    query: z.strictObject(paging),
    response: z.strictObject({ deployments: z.array(Deployment), next_cursor: textOrNull }),
  }),
  countDeployments: endpoint(routes.models.countDeployments, {
    summary: 'How many enabled deployments are authorized for this model',
    caller: 'optional',
    scope: 'read',
    params,
    response: z.strictObject({ count: z.number().int() }),
  }),
  revokeDeployment: endpoint(routes.models.revokeDeployment, {
    summary: 'Withdraw a deployment’s authorization for this model',
    caller: 'provider',
    scope: 'deployments',
    params: z.strictObject({ id: ModelId, deployment_id: DeploymentId }),
    response: z.strictObject({ message: z.string(), model_id: ModelId, deployment_id: DeploymentId }),
  }),
} satisfies Endpoints<typeof routes.models>
