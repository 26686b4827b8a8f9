const columns = 80

/** Pads every column but the last to its widest cell. */
export const alignRows = (rows: readonly (readonly string[])[]): string[] => {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? []
  return rows.map((row) =>
    row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0))).join('  '),
  )
}

/** Cuts a line that is wider than the terminal. Only for text that no one copies into a command. */
export const cutLine = (line: string): string => (line.length <= columns ? line : `${line.slice(0, columns - 1)}…`)

/** `2026-11-22 16:05`, UTC. */
export const minuteOf = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ')
