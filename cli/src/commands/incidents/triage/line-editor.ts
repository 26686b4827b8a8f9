import { cleanText } from '@countersign/sdk/contract'
import { widthOf } from '../../../io/width.ts'

/** A text being written, and the cursor position. */
export interface Draft {
  text: string
  cursor: number
}

/** A key as `node:readline` names it. */
export interface Key {
  name?: string | undefined
  sequence?: string | undefined
  ctrl?: boolean | undefined
  meta?: boolean | undefined
}

export const draftOf = (text: string): Draft => ({ text, cursor: text.length })

type Edit = (draft: Draft) => Draft

/** Applies a key to a text. Unknown keys change nothing. */
export const edit = (draft: Draft, typed: string | undefined, key: Key): Draft => {
  const done = edits[chordOf(key)]
  if (done !== undefined) return done(draft)
  return typed === undefined || key.ctrl || key.meta ? draft : insert(draft, typed)
}

/** Inserts at the cursor, keeping only lines and letters. */
export const insert = ({ text, cursor }: Draft, added: string): Draft => {
  const clean = added === ' ' || added === '\n' ? added : cleanKeepingEnds(added)
  return { text: text.slice(0, cursor) + clean + text.slice(cursor), cursor: cursor + clean.length }
}

// The dots protect spaces at both ends.
const cleanKeepingEnds = (added: string) => cleanText(`.${added.replaceAll('\t', '  ')}.`).slice(1, -1)

const chordOf = ({ name, ctrl, meta }: Key) => `${ctrl ? 'ctrl-' : ''}${meta ? 'alt-' : ''}${name ?? ''}`

const removeTo =
  (place: (draft: Draft) => number): Edit =>
  (draft) => {
    const [from, to] = [Math.min(draft.cursor, place(draft)), Math.max(draft.cursor, place(draft))]
    return { text: draft.text.slice(0, from) + draft.text.slice(to), cursor: from }
  }

const moveTo =
  (place: (draft: Draft) => number): Edit =>
  (draft) => ({ ...draft, cursor: place(draft) })

const segmenter = new Intl.Segmenter()

const before = ({ text, cursor }: Draft) =>
  cursor - ([...segmenter.segment(text.slice(0, cursor))].at(-1)?.segment.length ?? 0)
const after = ({ text, cursor }: Draft) => cursor + ([...segmenter.segment(text.slice(cursor))][0]?.segment.length ?? 0)
const wordBefore = ({ text, cursor }: Draft) => /\S*\s*$/.exec(text.slice(0, cursor))?.index ?? 0
const wordAfter = ({ text, cursor }: Draft) => cursor + (/^\s*\S*/.exec(text.slice(cursor))?.[0].length ?? 0)
const lineStart = ({ text, cursor }: Draft) => (cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1)
const lineEnd = ({ text, cursor }: Draft) => {
  const end = text.indexOf('\n', cursor)
  return end < 0 ? text.length : end
}

const edits: Readonly<Record<string, Edit>> = {
  left: moveTo(before),
  right: moveTo(after),
  'ctrl-b': moveTo(before),
  'ctrl-f': moveTo(after),
  'ctrl-left': moveTo(wordBefore),
  'ctrl-right': moveTo(wordAfter),
  'alt-left': moveTo(wordBefore),
  'alt-right': moveTo(wordAfter),
  'alt-b': moveTo(wordBefore),
  'alt-f': moveTo(wordAfter),
  home: moveTo(lineStart),
  end: moveTo(lineEnd),
  'ctrl-a': moveTo(lineStart),
  'ctrl-e': moveTo(lineEnd),
  backspace: removeTo(before),
  'ctrl-h': removeTo(before),
  delete: removeTo(after),
  'ctrl-d': removeTo(after),
  'ctrl-w': removeTo(wordBefore),
  'alt-backspace': removeTo(wordBefore),
  'ctrl-u': removeTo(lineStart),
  'ctrl-k': removeTo(lineEnd),
  enter: (draft) => insert(draft, '\n'),
  'alt-return': (draft) => insert(draft, '\n'),
  'alt-enter': (draft) => insert(draft, '\n'),
}

/** The rows of a text at this width, and the cursor's place in them. */
export const layout = ({ text, cursor }: Draft, width: number): { rows: string[]; row: number; column: number } => {
  const rows = ['']
  let [at, column] = [0, 0]
  let place = { row: 0, column: 0 }
  for (const { segment } of segmenter.segment(text)) {
    if (at === cursor) place = { row: rows.length - 1, column }
    at += segment.length
    const wide = segment === '\n' ? 0 : widthOf(segment)
    if (segment === '\n' || column + wide > width) {
      rows.push('')
      column = 0
    }
    if (segment === '\n') continue
    rows[rows.length - 1] += segment
    column += wide
  }
  return { rows, ...(at === cursor ? { row: rows.length - 1, column } : place) }
}
