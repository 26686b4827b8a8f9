import { ValidationError } from '@countersign/sdk'
import type { z } from 'zod'
import { isProjectField } from '../config/project-file.ts'
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
  for (const field of missing) known.set(field[1], await ask(context, field, check))
  return Object.fromEntries(known) as Record<Name, string>
}

const ask = <Name extends string>(context: Context, [, name, question, about]: Field<Name>, check: Check) =>
  typeof about === 'object'
    ? context.prompts().select(question, about)
    : context.prompts().text(about ? `${question} (${about})` : question, (answer) => check(name, answer))

/** Sends the values of required fields. In a terminal it asks again for those that were typed and that the registry rejects. */
export const sendRequired = async <Name extends string, Answer>(
  context: Context,
  fields: readonly Field<Name>[],
  values: Readonly<Record<Name, string>>,
  send: (values: Readonly<Record<Name, string>>) => Promise<Answer>,
): Promise<Answer> => {
  try {
    return await send(values)
  } catch (error) {
    const issues = error instanceof ValidationError ? error.issues : []
    const problems = new Map(issues.map(({ loc, msg }) => [loc.at(-1), msg]))
    const rejected = fields.filter(([flag, name]) => problems.has(name) && context.field(flag, name) === undefined)
    // Others can only be corrected on the command line.
    if (!context.isInteractive || rejected.length === 0 || rejected.length < problems.size) throw error
    const corrected: Record<Name, string> = { ...values }
    for (const field of rejected) {
      context.out.say(`${field[2]}: ${problems.get(field[1])}`)
      corrected[field[1]] = await ask(context, field, () => undefined)
    }
    return sendRequired(context, fields, corrected, send)
  }
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
