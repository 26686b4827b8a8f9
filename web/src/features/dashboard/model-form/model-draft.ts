import {
  capabilities,
  inputTypes,
  type Model,
  type ModelEdit,
  type ModelFieldOf,
  type ModelFile,
  modelFieldsOf,
  type modelTypes,
  type NewModel,
  outputTypes,
} from '@countersign/sdk/contract'
import type { z } from 'zod'

export type ModelInput = z.input<typeof NewModel>
export type EditInput = z.input<typeof ModelEdit>

export const benchmarkNames = ['mmlu', 'humaneval', 'gsm8k', 'hellaswag', 'lmarena_ranking'] as const
type Elsewhere = 'api_model_identifier' | 'model_type' | 'model_digest'
export type LineName = Exclude<ModelFieldOf<'required' | 'name' | 'line' | 'date' | 'measure' | 'url'>, Elsewhere>
const elsewhere: readonly string[] = ['api_model_identifier', 'model_type', 'model_digest'] satisfies Elsewhere[]
const lineNames = modelFieldsOf('required', 'name', 'line', 'date', 'measure', 'url').filter(
  (name): name is LineName => !elsewhere.includes(name),
)
const countNames = modelFieldsOf('count')
/** Lists for which the contract names the usual values; others can be typed. */
export const wordNames = ['capabilities', 'input_types', 'output_types'] as const
export const wordOptions = { capabilities, input_types: inputTypes, output_types: outputTypes } as const
/** Lists that are typed with commas. */
type ListName = Exclude<ModelFieldOf<'words'>, WordName>
const listNames = modelFieldsOf('words').filter(
  (name): name is ListName => !(wordNames as readonly string[]).includes(name),
)
/** The switch of each flag; without one, a flag does not compile. */
const switchOf = {
  is_public: 'is_public',
  health_check_enabled: 'enable_health_monitoring',
  require_deployment_proof: 'require_deployment_proof',
} as const satisfies Record<ModelFieldOf<'flag'>, string>

export type BenchmarkName = (typeof benchmarkNames)[number]
export type WordName = (typeof wordNames)[number]
export type SwitchName = (typeof switchOf)[keyof typeof switchOf] | 'force_new_version' | 'copy_authorizations'
type TextName =
  | LineName
  | BenchmarkName
  | ModelFieldOf<'count'>
  | ListName
  | 'api_model_identifier'
  | 'model_digest'
  | 'digest_source'

/** A registration as typed: numbers and lists are still text. */
export type ModelDraft = Record<TextName, string> &
  Record<SwitchName, boolean> &
  Record<WordName, string[]> &
  Record<`other_${WordName}`, string> & { model_type: (typeof modelTypes)[number] }

const listsOf = (model: Partial<Pick<Model, WordName>>) =>
  Object.fromEntries(
    wordNames.flatMap((name) => {
      const usual: readonly string[] = wordOptions[name]
      const words = model[name] ?? []
      return [
        [name, words.filter((word) => usual.includes(word))],
        [`other_${name}`, words.filter((word) => !usual.includes(word)).join(', ')],
      ]
    }),
  ) as Record<WordName, string[]> & Record<`other_${WordName}`, string>

const textsOf = <Name extends string>(names: readonly Name[], values: object) =>
  Object.fromEntries(names.map((name) => [name, String((values as Record<string, unknown>)[name] ?? '')])) as Record<
    Name,
    string
  >

/** The draft of an existing model, or with the defaults of a new one. */
export const draftOf = (model: Partial<Model> = {}): ModelDraft => ({
  ...textsOf([...lineNames, ...countNames], model),
  ...(Object.fromEntries(listNames.map((name) => [name, (model[name] ?? []).join(', ')])) as Record<ListName, string>),
  ...textsOf(benchmarkNames, model.performance_benchmarks ?? {}),
  ...listsOf(model),
  // A technical name that was not given equals the display name and follows it.
  model_name: model.model_name === model.display_name ? '' : (model.model_name ?? ''),
  version: model.version ?? '1.0.0',
  api_model_identifier: model.api_model_identifier ?? '',
  model_type: model.model_type ?? 'language',
  model_digest: model.model_digest ?? '',
  digest_source: model.digest_source ?? '',
  is_public: model.is_public ?? true,
  enable_health_monitoring: model.enable_health_monitoring ?? false,
  require_deployment_proof: model.require_deployment_proof ?? false,
  force_new_version: false,
  copy_authorizations: false,
})

/** What a new version copies from the previous one: not its files, version or name. */
export const nextDraftOf = (model: Model): ModelDraft => ({
  ...draftOf(model),
  version: `${model.version_number + 1}.0`,
  release_date: '',
  model_digest: '',
  digest_source: '',
  sigstore_bundle_url: '',
  force_new_version: true,
  copy_authorizations: true,
})

const splitWords = (text: string) =>
  text
    .split(/[,\n]/)
    .map((word) => word.trim())
    .filter((word) => word !== '')

export const wordsOf = (draft: ModelDraft, name: WordName): string[] => [
  ...new Set([...draft[name], ...splitWords(draft[`other_${name}`])]),
]

/** Invalid numbers stay text, so that the contract reports the field. */
const numberOf = (text: string) => (Number.isFinite(Number(text)) ? Number(text) : (text as unknown as number))

const filled = <Fields extends object>(fields: Fields): Partial<Fields> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0)),
  ) as Partial<Fields>

const benchmarksOf = (draft: ModelDraft) => {
  const given = benchmarkNames.filter((name) => draft[name].trim() !== '')
  return given.length === 0
    ? {}
    : { performance_benchmarks: Object.fromEntries(given.map((name) => [name, numberOf(draft[name])])) }
}

/** Converts a draft into a registration without its empty fields. */
export const inputOf = (draft: ModelDraft, files?: ModelFile[]): ModelInput => {
  const { digest_source, model_digest } = draft
  const lines = Object.fromEntries(lineNames.map((name) => [name, draft[name].trim()])) as Record<LineName, string>
  const lists = Object.fromEntries([
    ...wordNames.map((name) => [name, wordsOf(draft, name)]),
    ...listNames.map((name) => [name, splitWords(draft[name])]),
  ])
  const counts = countNames.filter((name) => draft[name].trim() !== '').map((name) => [name, numberOf(draft[name])])
  return {
    ...filled({ ...lines, ...lists }),
    ...benchmarksOf(draft),
    ...Object.fromEntries(counts),
    ...(model_digest.trim() !== '' && {
      model_digest: model_digest.trim(),
      digest_source: digest_source === '' ? 'stated' : (digest_source as ModelInput['digest_source']),
      ...(files && { model_files: files }),
    }),
    // Required fields are kept even if empty, so that validation reports them.
    display_name: lines.display_name,
    endpoint: lines.endpoint,
    version: lines.version,
    description: lines.description,
    api_model_identifier: draft.api_model_identifier.trim(),
    model_type: draft.model_type,
    is_public: draft.is_public,
    enable_health_monitoring: draft.enable_health_monitoring,
    require_deployment_proof: draft.require_deployment_proof,
    force_new_version: draft.force_new_version,
    copy_authorizations: draft.copy_authorizations,
  }
}

const isSame = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right)

/** The names of the fields in which two drafts differ. */
export const differences = (before: ModelDraft, after: ModelDraft) =>
  (Object.keys(before) as (keyof ModelDraft)[]).filter((name) => !isSame(before[name], after[name]))

/** Only the changed fields of a draft. */
export const typedOf = (before: ModelDraft, after: ModelDraft): Partial<ModelDraft> =>
  Object.fromEntries(
    differences(before, after)
      .filter((name) => name !== 'force_new_version' && name !== 'copy_authorizations')
      .map((name) => [name, after[name]]),
  )

/** The values that clear a field. */
const emptiedOf = (was: unknown) => (Array.isArray(was) ? [] : typeof was === 'object' ? {} : '')

/** Only changed fields, so that concurrent changes elsewhere are kept. */
export const editOf = (before: ModelDraft, after: ModelDraft, files?: ModelFile[]): EditInput => {
  const [was, is] = [inputOf(before), inputOf(after, files)] as [Record<string, unknown>, Record<string, unknown>]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((name) => !isSame(was[name], is[name]))
  return Object.fromEntries(
    names
      // The digest's source belongs to the digest.
      .filter(
        (name) =>
          name !== 'force_new_version' && name !== 'copy_authorizations' && (name !== 'digest_source' || name in is),
      )
      .map((name) => [name, is[name] ?? emptiedOf(was[name])]),
  ) as EditInput
}
