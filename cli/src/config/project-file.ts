import { modelFieldRows } from '@countersign/sdk/contract/model-fields'
import { usage } from '../failure.ts'
import { isSettingKey, type Values } from './settings.ts'

const isNever = (key: string) => isSettingKey(key) || /key|secret|token|password/i.test(key)

/** What a project file may set: values that stay the same from call to call. */
export const projectFields: readonly string[] = [
  'model_id',
  'origin',
  'company_name',
  'company_description',
  'email',
  'website',
  ...modelFieldRows.filter(([, { option }]) => option !== undefined).map(([name]) => name),
  'copy_authorizations',
]

export const isProjectField = (key: string) => projectFields.includes(key)

/** A project file's defaults for fields. Forbidden settings are dropped and reported by name. */
export const readProject = (text: string, path: string): { fields: Values; ignored: string[] } => {
  const parsed = parse(text, path)
  const ignored = Object.keys(parsed).filter(isNever)
  const strange = Object.keys(parsed).filter((key) => !isNever(key) && !isProjectField(key))
  if (strange.length > 0)
    throw usage(
      `${path} has unknown fields: ${strange.map((key) => JSON.stringify(key)).join(', ')}`,
      `Available: ${projectFields.join(', ')}`,
    )
  return { fields: Object.fromEntries(Object.entries(parsed).filter(([key]) => !isNever(key))), ignored }
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
