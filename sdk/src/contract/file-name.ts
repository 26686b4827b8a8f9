// Without zod, so that what walks through a folder may read it, too.

/** Whether a file's name is a path inside its model (OMS v1.0): relative, with `/`, without a way out. */
export const isInside = (name: string): boolean =>
  !/[\0\\]/.test(name) && !/^[A-Za-z]:\//.test(name) && name.split('/').every((part) => part !== '' && part !== '.' && part !== '..')

/** What else a name must not hold to be told to people and to other systems unchanged. */
export const isTellable = (name: string): boolean => name.isWellFormed() && !/\p{Cc}/u.test(name)
