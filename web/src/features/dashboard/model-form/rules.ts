import { ModelEdit, NewModel } from '@countersign/sdk/contract'
import { modelForm } from '#messages/dashboard/model-form.ts'
import { benchmarkNames, editOf, inputOf, type ModelDraft } from './model-draft.ts'

export type FormMode = 'register' | 'version' | 'edit'
export type DraftField = keyof ModelDraft
export type Problems = Partial<Record<DraftField, string>>

interface Situation {
  mode: FormMode
  /** The initial draft. */
  before: ModelDraft
  /** The version that a new one replaces. */
  previousVersion?: string
  /** Replaces the contract's message for a name that is too short. */
  shortName?: string
}

const draftFieldOf: Readonly<Record<string, DraftField>> = {
  api_endpoint: 'endpoint',
  model_size_params: 'model_size',
  health_check_enabled: 'enable_health_monitoring',
  security_standards: 'tls_version',
  performance_benchmarks: 'mmlu',
  model_files: 'model_digest',
}

/** The field that shows an error about a path in the registration. */
export const fieldAt = (path: readonly string[], draft: ModelDraft): DraftField | undefined => {
  const [name = '', inner] = path
  const benchmark = name === 'performance_benchmarks' ? benchmarkNames.find((each) => each === inner) : undefined
  const field = benchmark ?? draftFieldOf[name] ?? name
  return Object.hasOwn(draft, field) ? (field as DraftField) : undefined
}

const notNumbers = (draft: ModelDraft): Problems => {
  const isNumber = (text: string) => Number.isFinite(Number(text))
  return Object.fromEntries([
    ...benchmarkNames.filter((name) => !isNumber(draft[name])).map((name) => [name, modelForm.number]),
    ...(Number.isInteger(Number(draft.context_window)) ? [] : [['context_window', modelForm.wholeNumber]]),
  ])
}

/** The contract's errors for a draft: the first message of each field. */
export const problemsOf = (draft: ModelDraft, { mode, before, previousVersion, shortName }: Situation): Problems => {
  const { error } = mode === 'edit' ? ModelEdit.safeParse(editOf(before, draft)) : NewModel.safeParse(inputOf(draft))
  const problems: Problems = {}
  for (const { path, message } of error?.issues ?? []) {
    const field = fieldAt(path.map(String), draft)
    if (field !== undefined) problems[field] ??= message
  }
  if (shortName !== undefined && draft.display_name.trim().length < 2 && problems.display_name !== undefined)
    problems.display_name = shortName
  if (mode === 'version' && draft.version.trim() === previousVersion) problems.version = modelForm.otherVersion
  return { ...problems, ...notNumbers(draft) }
}
