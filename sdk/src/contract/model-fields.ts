import { tagOf } from './edit-tag.ts'
/*
 * What a provider states of a model: one row for each field. The schemas of the contract, the columns of the server, the
 * options of the command line, the form and the page of the console come from these rows. Plain data: public
 * pages read it without zod.
 */

/** The kinds of models. */
export const modelTypes = ['language', 'image-generation', 'audio', 'embedding', 'multimodal'] as const
/** What a model can do. */
export const capabilities = [
  'text-generation',
  'reasoning',
  'code-generation',
  'math',
  'creative-writing',
  'conversation',
  'question-answering',
  'summarization',
  'translation',
  'classification',
  'sentiment-analysis',
  'image-generation',
  'image-understanding',
  'audio-processing',
  'video-processing',
  'embeddings',
  'function-calling',
] as const
/** What a model can read. */
export const inputTypes = ['text', 'image', 'audio', 'video', 'json', 'code', 'pdf', 'markdown', 'html'] as const
/** What a model can write. */
export const outputTypes = [
  'text',
  'image',
  'audio',
  'video',
  'json',
  'code',
  'structured-data',
  'markdown',
  'html',
] as const

/** How a field is checked, stored and typed in. */
export type FieldKind =
  /** Text that is never missing. */
  | 'required'
  /** One line that others read as a name. */
  | 'name'
  | 'line'
  /** A year, a month or a day. */
  | 'date'
  /** A text or a number, kept as text. */
  | 'measure'
  | 'url'
  /** One of few words, or null. */
  | 'choice'
  /** A whole number from 1. */
  | 'count'
  /** A list of short words. */
  | 'words'
  /** An object, or null. */
  | 'document'
  | 'flag'

/** A field that a provider states of a model. */
export interface ModelFieldRow {
  /** How the field is checked, stored and typed in. */
  kind: FieldKind
  /** The most characters, entries or units. */
  max?: number
  /** `models.ts` has schemas for it. Without this they come from the kind. */
  hasOwnSchema?: true
  /** What forms call it. */
  label?: string
  /** The section of the form among the advanced options; without one the form places the field itself. */
  section?: 'specifications' | 'service' | 'links'
  /** The section of the public page that shows it; without one the page does not. */
  page?: 'basic' | 'specifications' | 'abilities' | 'service' | 'benchmarks' | 'links'
  /** What a number counts. */
  unit?: 'tokens'
  /** Option of the command line with its value; without one the command handles the field itself. */
  option?: string
  /** What the help of the command line says of the option. */
  help?: string
  /** The only words, or those that are offered. */
  choices?: readonly string[]
}

/** What a provider states of a model: one row for each field. */
export const modelFields = {
  api_model_identifier: {
    kind: 'required',
    page: 'basic',
    label: 'API model identifier',
    hasOwnSchema: true,
    option: '--identifier <id>',
    help: 'identifier used in API calls; can never change',
  },
  display_name: {
    kind: 'required',
    label: 'Display name',
    hasOwnSchema: true,
    option: '--display-name <name>',
    help: 'name shown to people',
  },
  endpoint: {
    kind: 'required',
    page: 'service',
    label: 'API endpoint',
    hasOwnSchema: true,
    option: '--endpoint <url>',
    help: 'URL of the model’s API',
  },
  description: {
    kind: 'required',
    label: 'Description',
    hasOwnSchema: true,
    option: '--description <text>',
    help: 'at least 10 characters',
  },
  version: {
    kind: 'required',
    label: 'Version',
    hasOwnSchema: true,
    option: '--version <version>',
    help: 'version of the model; default: 1.0.0',
  },
  model_type: {
    kind: 'required',
    page: 'basic',
    label: 'Model type',
    hasOwnSchema: true,
    option: '--type <type>',
    help: 'kind of model',
    choices: modelTypes,
  },
  model_name: {
    kind: 'required',
    label: 'Technical name',
    section: 'specifications',
    hasOwnSchema: true,
    option: '--model-name <name>',
    help: 'technical name, if different',
  },
  family_name: {
    kind: 'name',
    page: 'basic',
    label: 'Model family',
    section: 'specifications',
    max: 120,
    option: '--family-name <name>',
    help: 'family',
  },
  model_family_id: {
    kind: 'line',
    label: 'Family ID',
    section: 'specifications',
    max: 128,
    option: '--family-id <id>',
    help: 'ID of the family',
  },
  language: {
    kind: 'line',
    page: 'basic',
    label: 'Language',
    section: 'specifications',
    max: 120,
    option: '--language <language>',
    help: 'language',
  },
  release_date: {
    kind: 'date',
    page: 'basic',
    label: 'Release date',
    option: '--release-date <date>',
    help: 'YYYY, YYYY-MM or YYYY-MM-DD',
  },
  training_cutoff: {
    kind: 'date',
    page: 'specifications',
    label: 'Training cutoff',
    section: 'specifications',
    option: '--training-cutoff <date>',
    help: 'YYYY, YYYY-MM or YYYY-MM-DD',
  },
  architecture: {
    kind: 'line',
    page: 'specifications',
    label: 'Architecture',
    section: 'specifications',
    max: 200,
    option: '--architecture <text>',
    help: 'architecture',
  },
  context_window: {
    kind: 'count',
    page: 'specifications',
    unit: 'tokens',
    label: 'Context window',
    section: 'specifications',
    max: 1_000_000_000,
    option: '--context-window <tokens>',
    help: 'tokens',
  },
  model_size: {
    kind: 'line',
    page: 'specifications',
    label: 'Parameters',
    section: 'specifications',
    max: 60,
    option: '--model-size <size>',
    help: 'number of parameters, for example 7B',
  },
  model_card_url: {
    kind: 'url',
    page: 'links',
    label: 'Model card',
    section: 'links',
    option: '--model-card-url <url>',
    help: 'model card',
  },
  github_repo_url: {
    kind: 'url',
    page: 'links',
    label: 'Source repository',
    section: 'links',
    option: '--github-repo-url <url>',
    help: 'source repository',
  },
  huggingface_url: {
    kind: 'url',
    page: 'links',
    label: 'Model hub page',
    section: 'links',
    option: '--huggingface-url <url>',
    help: 'page on the hub',
  },
  huggingface_model_id: {
    kind: 'line',
    label: 'Model hub ID',
    section: 'links',
    max: 200,
    option: '--huggingface-model-id <id>',
    help: 'ID on the hub',
  },
  paper_url: {
    kind: 'url',
    page: 'links',
    label: 'Paper',
    section: 'links',
    option: '--paper-url <url>',
    help: 'paper',
  },
  capabilities: {
    kind: 'words',
    page: 'abilities',
    label: 'Capabilities',
    section: 'specifications',
    max: 40,
    option: '--capability <word>',
    choices: capabilities,
  },
  input_types: {
    kind: 'words',
    page: 'abilities',
    label: 'Input types',
    section: 'specifications',
    max: 20,
    option: '--input-type <type>',
    choices: inputTypes,
  },
  output_types: {
    kind: 'words',
    page: 'abilities',
    label: 'Output types',
    section: 'specifications',
    max: 20,
    option: '--output-type <type>',
    choices: outputTypes,
  },
  serving_regions: {
    kind: 'words',
    page: 'service',
    label: 'Serving regions',
    section: 'service',
    max: 60,
    option: '--serving-region <region>',
    help: 'region that serves the model',
  },
  tls_version: {
    kind: 'line',
    page: 'service',
    label: 'Minimum TLS version',
    section: 'service',
    max: 20,
    option: '--tls-version <version>',
    help: 'minimum TLS version of the endpoint',
  },
  uptime_sla: {
    kind: 'measure',
    page: 'service',
    label: 'Promised uptime',
    section: 'service',
    max: 40,
    option: '--uptime-sla <text>',
    help: 'promised uptime',
  },
  avg_response_time: {
    kind: 'measure',
    page: 'service',
    label: 'Average response time',
    section: 'service',
    max: 40,
    option: '--avg-response-time <text>',
    help: 'average response time',
  },
  performance_benchmarks: { kind: 'document', page: 'benchmarks', hasOwnSchema: true },
  health_check_enabled: { kind: 'flag', option: '--health-check', help: 'let the registry monitor the endpoint' },
  model_digest: { kind: 'line', page: 'basic', label: 'Model digest', hasOwnSchema: true },
  digest_source: { kind: 'choice', hasOwnSchema: true },
  sigstore_bundle_url: {
    kind: 'url',
    label: 'Signed bundle URL',
    option: '--bundle-url <url>',
    help: 'address of the Sigstore bundle',
  },
  require_deployment_proof: {
    kind: 'flag',
    label: 'Require a proven deployment',
    hasOwnSchema: true,
    option: '--require-deployment-proof',
    help: 'mint links only for proven deployments',
  },
  is_public: { kind: 'flag', label: 'Public model', hasOwnSchema: true },
} as const satisfies Record<string, ModelFieldRow>

/** The type of `modelFields`. */
export type ModelFields = typeof modelFields
/** The name of a field of a model. */
export type ModelField = keyof ModelFields
/** The names of the fields of one kind. */
export type ModelFieldOf<Kind extends FieldKind> = {
  [Name in ModelField]: ModelFields[Name]['kind'] extends Kind ? Name : never
}[ModelField]

/** The rows, in order. */
export const modelFieldRows = Object.entries(modelFields) as [ModelField, ModelFieldRow][]

/** The names of the fields of some kinds, in order. */
export const modelFieldsOf = <Kind extends FieldKind>(...kinds: Kind[]) =>
  modelFieldRows
    .filter(([, { kind }]) => (kinds as FieldKind[]).includes(kind))
    .map(([name]) => name) as ModelFieldOf<Kind>[]

type Labelled = { [Name in ModelField]: ModelFields[Name] extends { label: string } ? Name : never }[ModelField]

/** What forms call the fields. */
export const modelFieldLabels = Object.fromEntries(
  modelFieldRows.flatMap(([name, { label }]) => (label === undefined ? [] : [[name, label]])),
) as Record<Labelled, string>

/** The `ETag` of a model: changes when one of its editable fields does. */
export const tagOfModel = (model: object) =>
  tagOf(
    model,
    modelFieldRows.map(([name]) => name),
  )
