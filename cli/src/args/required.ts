import type { z } from 'zod'
import { isProjectField } from '../config/settings.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure.ts'

type Field<Name extends string> = readonly [flag: string, name: Name, question: string, about?: string]

/** What the contract says against the value of one field. */
type Judge = (name: string, value: string) => string | undefined

/** Judges one field by the contract's schema of the whole input. */
export const judgeBy =
  (input: z.ZodType): Judge =>
  (name, value) =>
    input.safeParse({ [name]: value }).error?.issues.find(({ path }) => path[0] === name)?.message

/** The values of fields that a command cannot do without: given, or asked for, or all named as missing at once. */
export const required = async <const Name extends string>(
  context: Context,
  fields: readonly Field<Name>[],
  { fallback = {}, judge = () => undefined }: { fallback?: Partial<Record<Name, string>>; judge?: Judge } = {},
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
  // Nobody types the rest for a command that cannot work.
  if (missing.length > 0) refuseGiven(fields, known, judge)
  for (const [, name, question, about] of missing)
    known.set(name, await context.prompts().text(about ? `${question} (${about})` : question, (answer) => judge(name, answer)))
  return Object.fromEntries(known) as Record<Name, string>
}

const refuseGiven = <Name extends string>(fields: readonly Field<Name>[], known: ReadonlyMap<Name, string | undefined>, judge: Judge) => {
  for (const [flag, name] of fields) {
    const value = known.get(name)
    const objection = value === undefined ? undefined : judge(name, value)
    if (objection !== undefined) throw usage(`${optionOf(flag)}: ${objection}`)
  }
}

const optionOf = (flag: string) => `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
