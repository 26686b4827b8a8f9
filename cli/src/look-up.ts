/** Looks up a name that a stranger may have chosen; ignores inherited properties such as `toString`. */
export const lookUp = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined
