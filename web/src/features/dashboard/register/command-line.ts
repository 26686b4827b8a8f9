import { type ModelFile, modelFieldRows } from '@countersign/sdk/contract'
import { type BenchmarkName, benchmarkNames, inputOf, type ModelDraft } from '../model-form/model-draft.ts'

/** The option for each field that has a value. */
const options = modelFieldRows.flatMap(([name, { kind, option }]) =>
  option === undefined || kind === 'flag' ? [] : [[name, option.replace(/^--| .*$/g, '')] as const],
)

const switches = {
  enable_health_monitoring: 'health-check',
  require_deployment_proof: 'require-deployment-proof',
  force_new_version: 'new-version',
  copy_authorizations: 'copy-authorizations',
} as const satisfies Partial<Record<keyof ModelDraft, string>>

const benchmarkOption = (name: BenchmarkName) => `benchmark-${name.replace('_', '-')}`

/** Quotes a word for POSIX shells. */
const shellQuoted = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/** A value that begins with a hyphen would be read as an option. */
const given = (option: string, value: unknown) => {
  const text = String(value)
  return text.startsWith('-') ? [`--${option}=${text}`] : [`--${option}`, text]
}

interface Content {
  name: string
  files: readonly ModelFile[]
}

/** The words of the command that registers a draft. */
export const registrationArguments = (
  draft: ModelDraft,
  content: Content | undefined,
  bundleName?: string,
): string[] => {
  const input = inputOf(draft)
  const fields = options.flatMap(([name, option]) => {
    const value = input[name]
    if (value === undefined || value === '') return []
    return Array.isArray(value) ? value.flatMap((word) => given(option, word)) : given(option, value)
  })
  const scores = benchmarkNames.flatMap((name) => {
    const score = input.performance_benchmarks?.[name]
    return score === undefined ? [] : given(benchmarkOption(name), score)
  })
  const digest = content
    ? [content.name.startsWith('-') ? `./${content.name}` : content.name]
    : input.model_digest === undefined
      ? []
      : [...given('digest', input.model_digest), ...given('digest-source', input.digest_source)]
  return [
    'countersign',
    'models',
    'register',
    ...digest,
    ...fields,
    ...scores,
    ...(Object.keys(switches) as (keyof typeof switches)[])
      .filter((name) => draft[name])
      .map((name) => `--${switches[name]}`),
    ...(draft.is_public ? [] : ['--private']),
    ...(bundleName === undefined ? [] : given('bundle', bundleName)),
  ]
}

/** The command for a shell, one option per line. */
export const registrationCommand = (...options: Parameters<typeof registrationArguments>) =>
  registrationArguments(...options)
    .map((word, index) => `${word.startsWith('--') ? ' \\\n  ' : index === 0 ? '' : ' '}${shellQuoted(word)}`)
    .join('')
