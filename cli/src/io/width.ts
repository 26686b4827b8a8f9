// Not `string-width` and `wrap-ansi`: with `Intl.Segmenter` both are a few lines and no packages to install.
const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{16fe0}-\u{1b2ff}\u{20000}-\u{3fffd}]/u
const joining = /^(?:\p{Mark}|\u200d)+$/u

const latinLine = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u25cb-\u25d7\u2713\u2717]*$/

/**
 * Whether a line is Latin text with the signs of our own output: nothing in it acts on a terminal, and each character takes one column.
 * Most lines are. Others need a segmenter, whose first one takes 25 ms, and expressions that take 2 ms to prepare.
 */
export const isLatinLine = (line: string) => latinLine.test(line)

/** Columns that a terminal needs for a text. Escape sequences take none. */
export const widthOf = (text: string) => {
  const bare = text.replace(/\u001b\[[0-9;]*m/g, '')
  if (isLatinLine(bare)) return bare.length
  let width = 0
  for (const { segment } of new Intl.Segmenter().segment(bare)) {
    if (joining.test(segment)) continue
    width += wide.test(segment) || segment.includes('\ufe0f') ? 2 : 1
  }
  return width
}
