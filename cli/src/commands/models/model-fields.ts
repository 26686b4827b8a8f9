import {
  capabilities,
  digestSources,
  inputTypes,
  type ModelEdit as ModelEditSchema,
  type modelAliases,
  modelTypes,
  type NewModel as NewModelSchema,
  outputTypes,
  type PerformanceBenchmarks,
} from '@countersign/sdk/contract'
import type { z } from 'zod'
import { type Command, type Flags, nameOf } from '../../args/command.ts'
import { usage } from '../../failure.ts'

type Input = z.input<typeof NewModelSchema>
type Benchmark = keyof z.infer<typeof PerformanceBenchmarks>

interface Field {
  flag: string
  about: string
  kind: 'text' | 'number' | 'yes' | 'list'
  choices?: readonly string[]
}

/** Fields that the command fills itself, or that only repeat another. */
type Elsewhere =
  | (typeof modelAliases)[keyof typeof modelAliases]
  | 'model_digest'
  | 'digest_source'
  | 'model_files'
  | 'is_public'
  | 'force_new_version'
  | 'security_standards'
  | 'performance_benchmarks'

/** One option per registration field; a field without an entry doesn't compile. */
const modelFields = {
  api_model_identifier: { flag: '--identifier <id>', about: 'identifier used in API calls; can never change', kind: 'text' },
  display_name: { flag: '--display-name <name>', about: 'name shown to people', kind: 'text' },
  endpoint: { flag: '--endpoint <url>', about: 'URL of the model’s API', kind: 'text' },
  description: { flag: '--description <text>', about: 'at least 10 characters', kind: 'text' },
  version: { flag: '--version <version>', about: 'version of the model; default: 1.0.0', kind: 'text' },
  model_type: { flag: '--type <type>', about: 'kind of model', kind: 'text', choices: modelTypes },
  model_name: { flag: '--model-name <name>', about: 'technical name, if different', kind: 'text' },
  family_name: { flag: '--family-name <name>', about: 'family', kind: 'text' },
  model_family_id: { flag: '--family-id <id>', about: 'ID of the family', kind: 'text' },
  language: { flag: '--language <language>', about: 'language', kind: 'text' },
  release_date: { flag: '--release-date <date>', about: 'YYYY, YYYY-MM or YYYY-MM-DD', kind: 'text' },
  training_cutoff: { flag: '--training-cutoff <date>', about: 'YYYY, YYYY-MM or YYYY-MM-DD', kind: 'text' },
  architecture: { flag: '--architecture <text>', about: 'architecture', kind: 'text' },
  context_window: { flag: '--context-window <tokens>', about: 'tokens', kind: 'number' },
  model_size: { flag: '--model-size <size>', about: 'number of parameters, for example 7B', kind: 'text' },
  model_card_url: { flag: '--model-card-url <url>', about: 'model card', kind: 'text' },
  github_repo_url: { flag: '--github-repo-url <url>', about: 'source repository', kind: 'text' },
  huggingface_url: { flag: '--huggingface-url <url>', about: 'page on the hub', kind: 'text' },
  huggingface_model_id: { flag: '--huggingface-model-id <id>', about: 'ID on the hub', kind: 'text' },
  paper_url: { flag: '--paper-url <url>', about: 'paper', kind: 'text' },
  capabilities: { flag: '--capability <word>', about: `for example ${capabilities.slice(0, 3).join(', ')}; repeatable`, kind: 'list' },
  input_types: { flag: '--input-type <type>', about: `for example ${inputTypes.slice(0, 3).join(', ')}; repeatable`, kind: 'list' },
  output_types: { flag: '--output-type <type>', about: `for example ${outputTypes.slice(0, 3).join(', ')}; repeatable`, kind: 'list' },
  serving_regions: { flag: '--serving-region <region>', about: 'region that serves the model; repeatable', kind: 'list' },
  tls_version: { flag: '--tls-version <version>', about: 'minimum TLS version of the endpoint', kind: 'text' },
  uptime_sla: { flag: '--uptime-sla <text>', about: 'promised uptime', kind: 'text' },
  avg_response_time: { flag: '--avg-response-time <text>', about: 'average response time', kind: 'text' },
  health_check_enabled: { flag: '--health-check', about: 'let the registry monitor the endpoint', kind: 'yes' },
  sigstore_bundle_url: { flag: '--bundle-url <url>', about: 'address of the Sigstore bundle', kind: 'text' },
  require_deployment_proof: { flag: '--require-deployment-proof', about: 'mint links only for proven deployments', kind: 'yes' },
  copy_authorizations: { flag: '--copy-authorizations', about: 'with --new-version: authorize the same deployments', kind: 'yes' },
} as const satisfies Record<Exclude<keyof Input, Elsewhere>, Field>

const benchmarks = {
  mmlu: 'MMLU, 0 to 100',
  humaneval: 'HumanEval, 0 to 100',
  gsm8k: 'GSM8K, 0 to 100',
  hellaswag: 'HellaSwag, 0 to 100',
  lmarena_ranking: 'rank in LMArena',
} as const satisfies Record<Benchmark, string>

const fieldRows = Object.entries(modelFields) as [keyof typeof modelFields, Field][]
const benchmarkRows = Object.entries(benchmarks) as [Benchmark, string][]
const longOf = (flag: string) => flag.replace(/ .*/, '')
const benchmarkFlag = (name: Benchmark) => `--benchmark-${name.replace('_', '-')} <score>`

/** The help text of a field. */
export const aboutField = (name: keyof typeof modelFields): string => modelFields[name].about

/** The option for each field. */
export const modelOptions = [
  ...fieldRows.map(([field, { flag }]) => ({ field: String(field), option: longOf(flag) })),
  ...benchmarkRows.map(([name]) => ({ field: `performance_benchmarks.${name}`, option: longOf(benchmarkFlag(name)) })),
  { field: 'model_digest', option: '--digest' },
  { field: 'digest_source', option: '--digest-source' },
]

const addFieldOptions = (command: Command, rows: typeof fieldRows) => {
  for (const [, { flag, about, kind, choices }] of rows) {
    if (kind === 'yes') command.option(flag, about)
    else command.option(flag, about, { kind: kind === 'number' ? kind : 'text', choices, isRepeated: kind === 'list' })
  }
  for (const [name, about] of benchmarkRows) command.option(benchmarkFlag(name), about, 'number')
  return command
}

/** An identifier never changes, and authorizations are not a field of a version. */
const editRows = fieldRows.filter(([name]) => name !== 'api_model_identifier' && name !== 'copy_authorizations')

export const addModelEditOptions = (command: Command) =>
  addFieldOptions(command, editRows)
    .option('--digest <sha256>', 'the digest you vouch for; clears the verification of the previous one', 'digest')
    .option('--digest-source <source>', 'with --digest: where it comes from', { choices: digestSources })

export const addModelOptions = (command: Command) =>
  addFieldOptions(command, fieldRows)
    .option('--private', 'visible only to you and to people who open one of its links')
    .option('--new-version', 'register the next version of an identifier; name, endpoint and description carry over unless given')
    .option('--digest <sha256>', 'instead of a path: the digest you vouch for', 'digest')
    .option('--digest-source <source>', 'with --digest: where it comes from', { choices: digestSources })

interface Reading {
  /** The project file's defaults. */
  fallback?: (name: string) => string | undefined
  /** An empty value clears the field. */
  isClearing?: boolean
}

const readFields = (flags: Flags, rows: typeof fieldRows, { fallback = () => undefined, isClearing = false }: Reading) => {
  const body: Record<string, unknown> = {}
  for (const [name, field] of rows) {
    const given = flags.all[nameOf(field.flag)] ?? fallback(name)
    if (given !== undefined) body[name] = isClearing && given === '' ? '' : asInput(given, field)
  }
  const scores = benchmarkRows.flatMap(([name]) => {
    const given = flags.text(nameOf(benchmarkFlag(name)))
    return given === undefined ? [] : [{ name, given }]
  })
  const kept = scores.filter(({ given }) => !isClearing || given !== '')
  if (scores.length > 0)
    body.performance_benchmarks = Object.fromEntries(kept.map(({ name, given }) => [name, numberOf(given, benchmarkFlag(name))]))
  return body
}

/** The body of a registration, from the options; fields that were not given are left out. `fallback` reads the project file's defaults. */
export const readModelInput = (flags: Flags, fallback: (name: string) => string | undefined): Partial<Input> => {
  const body = readFields(flags, fieldRows, { fallback })
  if (flags.isOn('private')) body.is_public = false
  if (flags.isOn('newVersion')) body.force_new_version = true
  return body
}

/** The body of an edit: only fields given on the command line change, and an empty value clears an optional field. */
export const readModelEdit = (flags: Flags): z.input<typeof ModelEditSchema> => {
  const body = readFields(flags, editRows, { isClearing: true })
  const digest = flags.text('digest')
  if (digest === '') body.model_digest = ''
  else if (digest !== undefined) Object.assign(body, { model_digest: digest, digest_source: flags.text('digestSource') ?? 'stated' })
  return body
}

const asInput = (given: unknown, { kind, flag }: Field) => {
  if (kind === 'number') return numberOf(String(given), flag)
  if (kind === 'yes') return given === true || given === 'true'
  return given
}

const numberOf = (text: string, flag: string) => {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value)) return value
  throw usage(`${flag} must be a number, not ${JSON.stringify(text)}`)
}
