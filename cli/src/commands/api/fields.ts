import { usage } from '../../failure.ts'

/** Where the value of a field is read from, for `@FILE` and `@-`. */
type ReadFile = (path: string) => Promise<string>

/**
 * `--field name=value` as `gh api` reads it: `true`, `false`, `null` and whole numbers have their types, `@FILE` is the content of a
 * file. `--raw-field` is always text. `a[b]=1` sets a member, `a[]=1` adds to a list.
 */
export const readFields = async (
  fields: readonly string[],
  rawFields: readonly string[],
  readFile: ReadFile,
): Promise<Record<string, unknown>> => {
  const input: Record<string, unknown> = {}
  for (const field of fields) {
    const [name, value] = splitField('--field', field)
    put(input, name, value.startsWith('@') ? await readFile(value.slice(1)) : typed(value))
  }
  for (const field of rawFields) put(input, ...splitField('--raw-field', field))
  return input
}

const splitField = (option: string, field: string): [name: string, value: string] => {
  const at = field.indexOf('=')
  if (at < 1) throw usage(`${option} must be NAME=VALUE, not ${JSON.stringify(field)}`)
  return [field.slice(0, at), field.slice(at + 1)]
}

const words: Readonly<Record<string, unknown>> = { true: true, false: false, null: null }

const typed = (value: string): unknown => {
  if (Object.hasOwn(words, value)) return words[value]
  return /^-?(0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value
}

const put = (input: Record<string, unknown>, name: string, value: unknown) => {
  const [, first = name, rest = ''] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name) ?? []
  const keys = [first, ...Array.from(rest.matchAll(/\[([^[\]]*)\]/g), ([, key = '']) => key)]
  if (rest === '' && /[[\]]/.test(name)) throw usage(`${JSON.stringify(name)} is not the name of a field`)
  let at: Record<string, unknown> | unknown[] = input
  for (const [index, key] of keys.entries()) {
    const next = keys[index + 1]
    const isLast = next === undefined
    const found: unknown = Array.isArray(at) ? undefined : Object.hasOwn(at, key) ? at[key] : undefined
    const made = isLast ? value : (found ?? (next === '' ? [] : {}))
    if (!isLast && (typeof made !== 'object' || made === null || Array.isArray(made) !== (next === '')))
      throw usage(`${JSON.stringify(name)} contradicts an earlier field`)
    if (Array.isArray(at)) at.push(made)
    else Object.defineProperty(at, key, { value: made, enumerable: true, configurable: true, writable: true })
    at = made as Record<string, unknown>
  }
}
