/** A word of a command that people paste. It is quoted if a shell would read it differently, such as a hostile address or file name. */
export const shellWord = (value: unknown): string => {
  const text = String(value)
  return /^(?!=)[\w.:/@=+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
