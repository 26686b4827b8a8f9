// Invisible characters: controls, soft hyphen, zero-width and bidirectional marks, separators, tags.
const unseen =
  '\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\u{e0000}-\\u{e01ef}'

/** Characters that make two names look the same, or a line look like two. */
export const invisibleCharacters = new RegExp(`[\\u0000-\\u001f${unseen}]`, 'gu')

/** The same, except line breaks and tabs. */
export const invisibleInText = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f${unseen}]`, 'gu')

const lineBreaks = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g

/** More than four marks on a letter, which no language needs and which cover the text around them. */
const pilesOfMarks = /(\p{M}{4})\p{M}+/gu

/** Line breaks and every kind of space, but not the invisible `U+FEFF`. */
const blanks = /\r\n|[^\S\ufeff]|\u0085/g

/** Cleans one line. Line breaks become spaces, so that words stay apart, and no-break spaces too, so that lines can break. */
export const cleanLine = (text: string) =>
  text.replace(blanks, ' ').replace(invisibleCharacters, '').replace(pilesOfMarks, '$1').trim()

/** More than one empty line, which could push the rest of a text away from its label. */
const emptyLines = /\n(?:[^\S\n]*\n){2,}/g

/** Cleans text of several lines. */
export const cleanText = (text: string) =>
  text
    .replace(lineBreaks, '\n')
    .replace(invisibleInText, '')
    .replace(emptyLines, '\n\n')
    .replace(pilesOfMarks, '$1')
    .trim()
