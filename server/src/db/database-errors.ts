const known = new WeakSet<object>()

/** Remembers that the database raised an error: `ENOENT` or `ECONNRESET` alone could come from a file or another service. */
export const markAsDatabaseError = <T>(error: T): T => {
  if (typeof error === 'object' && error !== null) known.add(error)
  return error
}

export const isFromDatabase = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && known.has(error)
