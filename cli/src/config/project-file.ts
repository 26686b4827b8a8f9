import { modelFieldRows } from '@countersign/sdk/contract/model-fields'
import { usage } from '../failure.ts'
import { isSettingKey, type Values } from './settings.ts'

/**
 * The file may come from someone else, such as the author of a cloned repository, who must not choose which address a link names,
 * whether servers may speak for a version, or who owns a new account.
 */
export const optionsOnly = ['origin', 'copy_authorizations', 'email'] as const

const isOptionOnly = (key: string) => optionsOnly.some((name) => name === key)
const isNever = (key: string) => isSettingKey(key) || isOptionOnly(key) || /key|secret|token|password/i.test(key)

/** What a project file may set: values that stay the same from call to call. */
export const projectFields: readonly string[] = [
  'model_id',
  'company_name',
  'company_description',
  'website',
  ...modelFieldRows.filter(([, { option }]) => option !== undefined).map(([name]) => name),
]

export const isProjectField = (key: string) => projectFields.includes(key)

/** A project file's defaults for fields. Others that it may not set are dropped, and named in a warning. */
export const readProject = (text: string, path: string): { fields: Values; warning: string | undefined } => {
  const parsed = parse(text, path)
  const ignored = Object.keys(parsed).filter(isNever)
  const strange = Object.keys(parsed).filter((key) => !isNever(key) && !isProjectField(key))
  if (strange.length > 0)
    throw usage(
      `${path} has unknown fields: ${strange.map((key) => JSON.stringify(key)).join(', ')}`,
      `Available: ${projectFields.join(', ')}`,
    )
  return {
    fields: Object.fromEntries(Object.entries(parsed).filter(([key]) => !isNever(key))),
    warning: ignored.length === 0 ? undefined : `${path} may not set ${ignored.join(', ')}; ignored${instead(ignored)}`,
  }
}

const instead = (ignored: readonly string[]) => {
  const options = ignored.filter(isOptionOnly).map((name) => `--${name.replaceAll('_', '-')}`)
  return options.length === 0 ? '' : `. Use ${options.join(', ')}`
}

const parse = (text: string, path: string): Values => {
  let place = ''
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return Object.fromEntries(Object.entries(value))
  } catch (error) {
    // Only the place: the engine's message quotes the file, which may hold a secret.
    place = / \(line.+/.exec(String(error))?.[0] ?? ''
  }
  throw usage(`${path} is not a JSON object${place}`)
}
