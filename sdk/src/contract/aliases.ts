import type { z } from 'zod'

/** Fields with two names: the name the code uses, and its alias. */
export type Aliases = Readonly<Record<string, string>>

type Unified<T, A extends Aliases> = Omit<T, A[keyof A] & string>

/**
 * Replaces aliases by the names the code uses. Rejects different values under the two names of one field.
 */
export const unifyAliases =
  <A extends Aliases>(aliases: A) =>
  <T extends object>(input: T, context: z.RefinementCtx): Unified<T, A> => {
    const unified: Record<string, unknown> = Object.fromEntries(Object.entries(input))
    for (const [name, alias] of Object.entries(aliases)) {
      if (unified[alias] === undefined) continue
      if (unified[name] !== undefined && JSON.stringify(unified[name]) !== JSON.stringify(unified[alias])) {
        context.addIssue({
          code: 'custom',
          path: [alias],
          message: `${name} and ${alias} are the same field and must not differ`,
        })
      }
      unified[name] ??= unified[alias]
      delete unified[alias]
    }
    return unified as Unified<T, A>
  }

/** Adds the aliases to an answer. */
export const withAliases = <T extends object, A extends Aliases>(record: T, aliases: A) => {
  const full: Record<string, unknown> = Object.fromEntries(Object.entries(record))
  for (const [name, alias] of Object.entries(aliases)) full[alias] = full[name]
  return full as T & { [K in keyof A & keyof T as A[K]]: T[K] }
}
