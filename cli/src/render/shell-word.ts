/** A word of a command to copy, quoted for a shell if needed: paths and tokens may come from strangers. */
export const shellWord = (value: unknown): string => {
  const text = String(value)
  return /^[\w.:/@=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
