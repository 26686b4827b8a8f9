/** The database file is corrupt: a supervisor must not start the registry on it again and again. */
export class DamageError extends Error {
  override readonly name = 'DamageError'
}

/** EX_SOFTWARE of sysexits: the supervisor restarts us. */
export const brokenExit = 70
