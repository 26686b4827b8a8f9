// Without zod, because the code that lists folders imports it.

/** Whether a file's name is a path inside its model (OMS v1.0): relative, with `/`, without a way out. */
export const isInside = (name: string): boolean =>
  !/[\0\\]/.test(name) &&
  !/^[A-Za-z]:\//.test(name) &&
  name.split('/').every((part) => part !== '' && part !== '.' && part !== '..')

/**
 * The order of files in an OMS statement (v1.0): by code points of the whole name, like UTF-8. JavaScript's own order differs
 * beyond U+FFFF.
 *
 * @returns Negative, zero or positive, for `sort`.
 * @example
 * ```ts
 * const sorted = [{ name: 'b.txt' }, { name: 'a.txt' }].sort(byCodePoints)
 * ```
 */
export const byCodePoints = ({ name: a }: { name: string }, { name: b }: { name: string }): number => {
  const shorter = Math.min(a.length, b.length)
  let at = 0
  while (at < shorter && a.charCodeAt(at) === b.charCodeAt(at)) at++
  return at === shorter ? a.length - b.length : (a.codePointAt(at) ?? 0) - (b.codePointAt(at) ?? 0)
}

/** What OpenSSF Model Signing ignores at the top of a model by default. */
export const gitPaths = ['.git', '.gitattributes', '.github', '.gitignore'] as const

/** Whether a name can be shown and sent to other systems unchanged. */
export const isPrintable = (name: string): boolean => name.isWellFormed() && !/\p{Cc}/u.test(name)
