import { widthOf } from '../io/width.ts'
import { wrap } from '../io/wrap.ts'
import { printableText } from './output.ts'

const segmenter = new Intl.Segmenter()

/** Text from someone else, with a bar in every row so that it can't pass for our own output. */
export const quoteBlock = (text: string, columns: number, bar = '  │ '): string =>
  printableText(text)
    .replaceAll('\t', '  ')
    .split('\n')
    .flatMap((line) => wrap(line, columns - widthOf(bar)).split('\n'))
    .flatMap((line) => broken(line, columns - widthOf(bar)))
    .map((line) => `${bar}${line}`.trimEnd())
    .join('\n')

/** Splits a word that is wider than the terminal. */
const broken = (line: string, columns: number): string[] => {
  if (widthOf(line) <= columns) return [line]
  const rows = ['']
  let width = 0
  for (const { segment } of segmenter.segment(line)) {
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
