// Without zod, so that what walks through a folder may read it, too.

/** Whether a file's name is a path inside its model (OMS v1.0): relative, with `/`, without a way out. */
export const isInside = (name: string): boolean =>
  !/[\0\\]/.test(name) && !/^[A-Za-z]:\//.test(name) && name.split('/').every((part) => part !== '' && part !== '.' && part !== '..')

/**
 * The order of files in an OMS statement (v1.0): code points of the whole name, as UTF-8 sorts. JavaScript's own order is
 * another beyond U+FFFF.
 */
export const byCodePoints = ({ name: a }: { name: string }, { name: b }: { name: string }): number => {
  const shorter = Math.min(a.length, b.length)
  let at = 0
  while (at < shorter && a.charCodeAt(at) === b.charCodeAt(at)) at++
  return at === shorter ? a.length - b.length : (a.codePointAt(at) ?? 0) - (b.codePointAt(at) ?? 0)
}

/** What OpenSSF Model Signing leaves out at the top of a model, unless it is told otherwise. */
export const gitPaths = ['.git', '.gitattributes', '.github', '.gitignore'] as const

/** What else a name must not hold to be told to people and to other systems unchanged. */
export const isTellable = (name: string): boolean => name.isWellFormed() && !/\p{Cc}/u.test(name)
