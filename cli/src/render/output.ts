import { stripVTControlCharacters } from 'node:util'
import { invisibleCharacters, invisibleInText } from '@countersign/sdk/contract/text'
import { isLatinLine, widthOf } from '../io/width.ts'
import { split, wrap } from '../io/wrap.ts'
import type { Sink } from '../world.ts'
import type { Filter } from './jq.ts'
import { inProfile } from './next-command.ts'

export type OutputMode = 'text' | 'json' | 'ids'

const colors = ['bold', 'dim', 'green', 'yellow', 'red', 'cyan'] as const
type Color = (typeof colors)[number]
type Dyes = Record<Color, (text: string) => string>
/** How to render: colors, and `columns` if the output is a terminal. Tables name the columns they omit in `omitted`. */
export type Paint = Dyes & { columns?: number | undefined; omitted?: string[] }

const paintBy = (dye: (color: Color) => (text: string) => string) =>
  Object.fromEntries(colors.map((color) => [color, dye(color)])) as Dyes

export const plain = paintBy(() => (text) => text)

/** The colors of a terminal, from a library or a test. */
export const dyed = (dyes: Dyes): Paint => paintBy((color) => (text) => dyes[color](text))

/** A result in three forms. `value` is what `--json` prints, unchanged. */
export interface Result {
  value: unknown
  /** `columns` only for a terminal. */
  text(paint: Paint, columns: number | undefined): string
  ids: readonly string[]
}

/** stdout contains one result and nothing else; messages go to stderr, and nowhere in JSON and quiet mode. */
export interface Output {
  mode: OutputMode
  print(result: Result): void
  /** One of many results, each on a line of its own: for commands that run until they are interrupted. */
  printLine(result: Result): void
  say(text: string): void
  warn(text: string): void
  /** Resolves when everything is written; rejects if a filter fails. */
  written(): Promise<void>
}

export const createOutput = ({
  mode,
  stdout,
  stderr,
  paint,
  errorPaint,
  filter,
  columns: given,
  profile,
}: {
  mode: OutputMode
  stdout: Sink
  stderr: Sink
  paint: Paint
  errorPaint: Paint
  /** The filter of `--jq`: its matches in each value are printed instead. */
  filter?: Filter | undefined
  /** The width to fit into if the output is not a terminal. */
  columns?: number | undefined
  /** The option `--profile`, which suggested commands get too. */
  profile?: string | undefined
}): Output => {
  let writing = Promise.resolve()
  const talk = (text: string) => {
    if (mode === 'text') stderr.write(`${text}\n`)
  }
  const print = ({ value, text, ids }: Result, indent: number) => {
    if (filter !== undefined) {
      writing = writing.then(async () => stdout.write(printableLines(await filter(value))))
      // Reported by `written`.
      writing.catch(() => {})
    } else if (mode === 'json') stdout.write(`${jsonOf(value, indent)}\n`)
    else if (mode === 'ids') stdout.write(ids.map((id) => `${printable(id)}\n`).join(''))
    else {
      const columns = columnsOf(stdout) ?? given
      const omitted: string[] = []
      const shown = text({ ...paint, columns, omitted }, columns)
      stdout.write(ended(paint === plain ? printableText(shown) : coloredText(shown)))
      if (stdout.isTerminal && omitted.length > 0) talk(errorPaint.dim(wrap(omittedLine(omitted), columns)))
    }
  }
  return {
    mode,
    written: () => writing,
    print: (result) => print(result, 2),
    printLine: (result) => print(result, 0),
    say: (text) => talk(printableText(inProfile(text, profile))),
    warn: (text) => talk(`${errorPaint.yellow('warning:')} ${printable(inProfile(text, profile))}`),
  }
}

const omittedLine = (heads: readonly string[]) =>
  `Not shown at this width: ${heads.join(', ')}. Use --json, or a wider terminal.`

const printableLines = (text: string) => ended(printableText(text))

const columnsOf = ({ isTerminal, columns }: Sink) => (isTerminal ? columns || 80 : undefined)

const ended = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

/** https://no-color.org, then CLICOLOR_FORCE, then whether it is a terminal. */
export const wantsColor = ({
  env,
  isTerminal,
  allowed,
}: {
  env: Readonly<Record<string, string | undefined>>
  isTerminal: boolean
  allowed: boolean
}) => {
  if (!allowed || (env.NO_COLOR ?? '') !== '') return false
  if ((env.CLICOLOR_FORCE ?? '0') !== '0') return true
  return isTerminal && env.CLICOLOR !== '0' && env.TERM !== 'dumb'
}

/** ---- text from strangers ---- */

// An operating system command has a terminator; if none follows, drop one character at a time.
const stripSequences = (text: string) => {
  const ended = Math.max(
    ...['\u0007', '\u001b\\', '\u009c'].map((end) => (text.includes(end) ? text.lastIndexOf(end) + end.length : 0)),
  )
  const rest = text.slice(ended).split(/(?=\u001b\])/)
  return [text.slice(0, ended), ...rest].map(stripVTControlCharacters).join('')
}

/** One line without the escape sequences, controls and invisible characters that could act on the terminal. */
export const printable = (text: string) =>
  isLatinLine(text) ? text : stripSequences(text).replace(invisibleCharacters, '')

/** The same for text of several lines. */
export const printableText = (text: string) =>
  isLatinLine(text.replaceAll('\n', '')) ? text : stripSequences(text).replace(invisibleInText, '')

// Allows only the colors above: no hidden text, no background colors.
const ownColor = /(\u001b\[(?:1|2|22|3[1236]|39)m)/

/** Strips what acts on a terminal, except our own colors. */
export const coloredText = (text: string) =>
  text
    .split(ownColor)
    .map((part, index) => (index % 2 === 1 ? part : printableText(part)))
    .join('')

/** JSON with such characters escaped: the same value, safe to print. */
export const jsonOf = (value: unknown, indent?: number) =>
  JSON.stringify(value, null, indent).replace(invisibleInText, escaped)

const escaped = (character: string) =>
  Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('')

/* ---- columns ---- */

/** Without runs of spaces, which a name could use to draw columns and rows of its own. */
const cellOf = (text: string) => printable(text).replace(/\p{Zs}{2,}/gu, ' ')

const pad = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - widthOf(text)))

const aligned = (rows: readonly (readonly string[])[]) => {
  const widths: number[] = []
  for (const row of rows)
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, widthOf(cell))
    })
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : pad(cell, widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}

interface TableOptions {
  /** The headings of columns that may be omitted on a narrow terminal, the first one first. */
  spare?: readonly string[]
}

/** Columns under headings; cells are stripped of control characters. Nothing is truncated if the terminal is too narrow. */
export const table = (
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  paint: Paint,
  { spare = [] }: TableOptions = {},
): string => {
  const cells = rows.map((row) => row.map(cellOf))
  const [head = '', ...lines] = aligned([heads, ...cells])
  const { columns } = paint
  const isTooWide = columns !== undefined && [head, ...lines].some((line) => widthOf(line) > columns)
  const [omitted, ...others] = spare
  if (isTooWide && omitted !== undefined) {
    const at = heads.indexOf(omitted)
    paint.omitted?.push(omitted)
    return table(
      heads.toSpliced(at, 1),
      cells.map((row) => row.toSpliced(at, 1)),
      paint,
      { spare: others },
    )
  }
  return isTooWide ? narrowed(heads, cells, { ...paint, columns }) : [paint.dim(head), ...lines].join('\n')
}

/** The least width in which text is wrapped. */
const leastRoom = 24

/** Wraps the last column under its heading; if that isn't enough, prints a block per row. */
const narrowed = (
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  paint: Paint & { columns: number },
) => {
  const [head = '', ...lines] = aligned([heads, ...rows])
  const indent = Math.max(...aligned([heads, ...rows].map((row) => [...row.slice(0, -1), '|'])).map(widthOf)) - 1
  if (paint.columns - indent >= leastRoom && widthOf(head) <= paint.columns)
    return [paint.dim(head), ...lines.map((line) => wrap(line, paint.columns, indent))].join('\n')
  return rows
    .map((row) =>
      facts(
        row.map((cell, index) => [heads[index] ?? '', cell] as const),
        paint,
      ),
    )
    .join('\n\n')
}

type Fact = readonly [name: string, value: string | number | boolean | null | undefined, isCopied?: 'copied']

const digest = /^(?:sha256:)?[\da-f]{64}$/

/**
 * Names and values, one pair per line; pairs without a value are omitted. A value continues in its column, so that it cannot draw a row
 * of its own. Digests and values that people copy stay whole.
 */
export const facts = (pairs: readonly Fact[], paint: Paint) => {
  const known = pairs.filter(([, value]) => value !== null && value !== undefined && value !== '')
  const width = Math.max(0, ...known.map(([name]) => widthOf(name)))
  const room = Math.max(8, (paint.columns ?? Number.POSITIVE_INFINITY) - width - 2)
  const rowsOf = (cell: string) =>
    wrap(cell, room)
      .split('\n')
      .flatMap((row) => (digest.test(row) ? row : split(row, room)))
      .join(`\n${' '.repeat(width + 2)}`)
  return known
    .map(([name, value, isCopied]) => {
      const cell = cellOf(String(value))
      return `${paint.dim(pad(name, width))}  ${isCopied ? cell : rowsOf(cell)}`
    })
    .join('\n')
}
