import type { Context } from './context.ts'
import { usage } from './failure.ts'
import { isProjectField } from './settings.ts'

type Field<Name extends string> = readonly [flag: string, name: Name, question: string]

/** The values of fields that a command cannot do without: given, or asked for, or all named as missing at once. */
export const required = async <const Name extends string>(
  context: Context,
  fields: readonly Field<Name>[],
  fallback: Partial<Record<Name, string>> = {},
): Promise<Record<Name, string>> => {
  const known = new Map(fields.map(([flag, name]) => [name, context.field(flag, name) ?? fallback[name]]))
  const missing = fields.filter(([, name]) => known.get(name) === undefined)
  if (missing.length > 0 && !context.isInteractive) {
    throw usage(
      `Missing: ${missing.map(([flag]) => optionOf(flag)).join(', ')}`,
      // An answer for one call is nothing to keep in a file.
      missing.every(([, name]) => isProjectField(name))
        ? `Give the option, or set ${missing.map(([, name]) => name).join(', ')} in .countersign.json`
        : missing.length === 1
          ? 'Give the option'
          : 'Give the options',
    )
  }
  for (const [, name, question] of missing) known.set(name, await context.prompts().text(question))
  return Object.fromEntries(known) as Record<Name, string>
}

const optionOf = (flag: string) => `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
