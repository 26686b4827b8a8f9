/** A row of a table by a name that a stranger may have chosen: `toString` is no row. */
export const lookUp = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined
