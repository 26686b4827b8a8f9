import type { z } from 'zod'
import { isProjectField } from '../config/settings.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure.ts'

/** `about` is a hint, or the values to select from. */
type Field<Name extends string> = readonly [
  flag: string,
  name: Name,
  question: string,
  about?: string | readonly string[],
]

/** Why a value is wrong for one field, or nothing if it is right. */
type Check = (name: string, value: string) => string | undefined

/** Checks one field with the contract's schema of the whole input. */
export const checkBy =
  (input: z.ZodType): Check =>
  (name, value) =>
    input.safeParse({ [name]: value }).error?.issues.find(({ path }) => path[0] === name)?.message

/** The values of required fields. Asks for those not given; without a terminal it fails and names all that are missing. */
export const required = async <const Name extends string>(
  context: Context,
  fields: readonly Field<Name>[],
  { fallback = {}, check = () => undefined }: { fallback?: Partial<Record<Name, string>>; check?: Check } = {},
): Promise<Record<Name, string>> => {
  const known = new Map(fields.map(([flag, name]) => [name, context.field(flag, name) ?? fallback[name]]))
  const missing = fields.filter(([, name]) => known.get(name) === undefined)
  if (missing.length > 0 && !context.isInteractive) {
    throw usage(
      `Missing: ${missing.map(([flag]) => optionOf(flag)).join(', ')}`,
      // Suggest the project file only for fields that stay the same from call to call.
      missing.every(([, name]) => isProjectField(name))
        ? `Give the option, or set ${missing.map(([, name]) => name).join(', ')} in .countersign.json`
        : missing.length === 1
          ? 'Give the option'
          : 'Give the options',
    )
  }
  // Reject a wrong option before asking for the rest.
  if (missing.length > 0) rejectWrong(fields, known, check)
  for (const [, name, question, about] of missing)
    known.set(
      name,
      typeof about === 'object'
        ? await context.prompts().select(question, about)
        : await context.prompts().text(about ? `${question} (${about})` : question, (answer) => check(name, answer)),
    )
  return Object.fromEntries(known) as Record<Name, string>
}

const rejectWrong = <Name extends string>(
  fields: readonly Field<Name>[],
  known: ReadonlyMap<Name, string | undefined>,
  check: Check,
) => {
  for (const [flag, name] of fields) {
    const value = known.get(name)
    const problem = value === undefined ? undefined : check(name, value)
    if (problem !== undefined) throw usage(`${optionOf(flag)}: ${problem}`)
  }
}

/** The option with this name in `Flags`. */
export const optionOf = (flag: string) => `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
