import { widthOf } from './width.ts'

/** Breaks a line that is wider than the terminal between words, and indents the rest. Without a width, nothing is broken. */
export const wrap = (line: string, columns: number | undefined, indent = 0): string => {
  if (columns === undefined || widthOf(line) <= columns) return line
  const start = /^ */.exec(line)?.[0] ?? ''
  const lines: string[] = []
  let current = start
  for (const word of line.slice(start.length).split(' ')) {
    const longer = current.trim() === '' ? `${current}${word}` : `${current} ${word}`
    if (widthOf(longer) <= columns || current.trim() === '') {
      current = longer
      continue
    }
    lines.push(current)
    current = `${' '.repeat(indent)}${word}`
  }
  return [...lines, current].join('\n')
}

/** Splits a word that is wider than the terminal. */
export const split = (line: string, columns: number): string[] => {
  if (widthOf(line) <= columns) return [line]
  const rows = ['']
  let width = 0
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    const wide = widthOf(segment)
    if (width + wide > columns) {
      rows.push('')
      width = 0
    }
    rows[rows.length - 1] += segment
    width += wide
  }
  return rows
}
