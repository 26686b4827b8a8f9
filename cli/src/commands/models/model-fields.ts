import {
  digestSources,
  type ModelEdit as ModelEditSchema,
  type ModelField,
  type ModelFieldRow,
  modelFieldRows,
  modelFields,
  type NewModel as NewModelSchema,
  type PerformanceBenchmarks,
} from '@countersign/sdk/contract'
import type { z } from 'zod'
import { type Command, type Flags, nameOf } from '../../args/command.ts'
import { usage } from '../../failure.ts'

type Input = z.input<typeof NewModelSchema>
type Benchmark = keyof z.infer<typeof PerformanceBenchmarks>

/** An option of a registration; not a field of a version. */
const copyAuthorizations = {
  kind: 'flag',
  option: '--copy-authorizations',
  help: 'with --new-version: authorize the same deployments',
} as const satisfies ModelFieldRow

type Field = ModelFieldRow & { option: string }
type FieldName = ModelField | 'copy_authorizations'

const benchmarks = {
  mmlu: 'MMLU, 0 to 100',
  humaneval: 'HumanEval, 0 to 100',
  gsm8k: 'GSM8K, 0 to 100',
  hellaswag: 'HellaSwag, 0 to 100',
  lmarena_ranking: 'rank in LMArena',
} as const satisfies Record<Benchmark, string>

/** The fields with an option of their own; the command handles the others itself. */
const optionRows = modelFieldRows.flatMap(([name, row]): [FieldName, Field][] =>
  row.option === undefined ? [] : [[name, { ...row, option: row.option }]],
)
const fieldRows: [FieldName, Field][] = [...optionRows, ['copy_authorizations', copyAuthorizations]]
const benchmarkRows = Object.entries(benchmarks) as [Benchmark, string][]
const longOf = (flag: string) => flag.replace(/ .*/, '')
const benchmarkFlag = (name: Benchmark) => `--benchmark-${name.replace('_', '-')} <score>`

const helpOf = ({ kind, help = '', choices = [] }: Field) =>
  kind === 'words' ? `${help || `for example ${choices.slice(0, 3).join(', ')}`}; repeatable` : help

/** The help text of a field. */
export const aboutField = (name: 'api_model_identifier' | 'display_name' | 'endpoint' | 'description'): string =>
  modelFields[name].help

/** The option for each field. */
export const modelOptions = [
  ...fieldRows.map(([field, { option }]) => ({ field: String(field), option: longOf(option) })),
  ...benchmarkRows.map(([name]) => ({ field: `performance_benchmarks.${name}`, option: longOf(benchmarkFlag(name)) })),
  { field: 'model_digest', option: '--digest' },
  { field: 'digest_source', option: '--digest-source' },
]

const addFieldOptions = (command: Command, rows: typeof fieldRows) => {
  for (const [, row] of rows) {
    const { option, kind, choices } = row
    if (kind === 'flag') command.option(option, helpOf(row))
    else if (kind === 'words') command.option(option, helpOf(row), { kind: 'text', isRepeated: true })
    else command.option(option, helpOf(row), { kind: kind === 'count' ? 'number' : 'text', choices, isRepeated: false })
  }
  for (const [name, about] of benchmarkRows) command.option(benchmarkFlag(name), about, 'number')
  return command
}

/** An identifier never changes, and authorizations are not a field of a version. Nothing has a default: what is not given stays. */
const editRows = fieldRows
  .filter(([name]) => name !== 'api_model_identifier' && name !== 'copy_authorizations')
  .map(([name, row]): [FieldName, Field] => [name, { ...row, help: row.help?.replace(/; default: .*/, '') }])

export const addModelEditOptions = (command: Command) =>
  addFieldOptions(command, editRows)
    .option('--digest <sha256>', 'the digest you vouch for; clears the verification of the previous one', 'digest')
    .option('--digest-source <source>', 'with --digest: where it comes from', { choices: digestSources })

export const addModelOptions = (command: Command) =>
  addFieldOptions(command, fieldRows)
    .option('--private', 'visible only to you and to people who open one of its links')
    .option(
      '--new-version',
      'register the next version of an identifier; name, endpoint and description carry over unless given',
    )
    .option('--digest <sha256>', 'instead of a path: the digest you vouch for', 'digest')
    .option('--digest-source <source>', 'with --digest: where it comes from', { choices: digestSources })

interface Reading {
  /** The project file's defaults. */
  fallback?: (name: string) => string | undefined
  /** An empty value clears the field. */
  isClearing?: boolean
}

const readFields = (
  flags: Flags,
  rows: typeof fieldRows,
  { fallback = () => undefined, isClearing = false }: Reading,
) => {
  const body: Record<string, unknown> = {}
  for (const [name, field] of rows) {
    const given = flags.all[nameOf(field.option)] ?? fallback(name)
    if (given !== undefined) body[name] = isClearing && given === '' ? '' : asInput(given, field)
  }
  const scores = benchmarkRows.flatMap(([name]) => {
    const given = flags.text(nameOf(benchmarkFlag(name)))
    return given === undefined ? [] : [{ name, given }]
  })
  const changed = scores.filter(({ given }) => !isClearing || given !== '')
  if (scores.length > 0)
    body.performance_benchmarks = Object.fromEntries(
      changed.map(({ name, given }) => [name, numberOf(given, benchmarkFlag(name))]),
    )
  return body
}

/**
 * The body of a registration, from the options; fields that were not given are left out. `fallback` reads the project file's
 * defaults.
 */
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
  else if (digest !== undefined)
    Object.assign(body, { model_digest: digest, digest_source: flags.text('digestSource') ?? 'stated' })
  return body
}

const asInput = (given: unknown, { kind, option }: Field) => {
  if (kind === 'count') return numberOf(String(given), option)
  if (kind === 'flag') return given === true || given === 'true'
  return given
}

const numberOf = (text: string, flag: string) => {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value)) return value
  throw usage(`${flag} must be a number, not ${JSON.stringify(text)}`)
}
