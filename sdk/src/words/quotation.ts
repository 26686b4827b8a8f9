/**
 * Letters and marks that look like quotation marks outside words of their alphabet: those of kana that no kana precedes, a Hebrew yod,
 * syllabics, a rune, and marks other than accents on letters of alphabets that are written without them.
 */
export const strayMarks = () =>
  /(?<![ぁ-ヺㇰ-ㇿｦ-ﾝ])[\u3099\u309aゝゞヽヾ\uff9e\uff9f]+|(?<![א-ת]\p{M}*)([יײ]\p{M}*)+(?![א-ת\p{M}])|(?<![᐀-ᛸ]\p{M}*)([ᐟ-ᐪᑊᑋᛌ]\p{M}*)+(?![᐀-ᛸ\p{M}])|[\ufe70-\ufe7f]|(?<![\u0530-\u1cff\ua800-\uabff\u{10000}-\u{1ffff}])((?![\u0300-\u036f\u3099\u309a])\p{M})+/gu

/** `quote` does not change such text. Preparing the other expressions takes 1 to 3 ms, which a command would notice. */
const plainText = /^\w[\w.,:/@+-]*(?: [\w.,:/@+-]+)*$/

/**
 * Quotes self-reported text, such as the name of a model, so that it cannot end its quotation marks and read as our own words.
 * Apostrophes stay between two letters. Blanks of any kind become spaces. Other marks that could end a quotation, and pictures, are removed.
 */
export const quote = (stated: string): string => {
  if (plainText.test(stated)) return `“${stated}”`
  const text = stated
    .normalize('NFC')
    // Fillers of Hangul and the empty Braille pattern are blank, but letters or signs to Unicode.
    .replace(/(?=\p{L})\p{DI}|\u2800|\s/gu, ' ')
    // What looks like an apostrophe or a quotation mark, including letters, with its accents. Rarer ones are removed like pictures.
    .replace(/["'`\u00b4\u02b0-\u02ff\u0559\u05f3\u05f4\u07f4\u07f5\u2018-\u201f\ua78b\ua78c\uff07]\p{M}*/gu, '’')
    // Accents beside a letter or above its end, which look like quotation marks.
    .replace(/[\u030b-\u0315\u031a\u031b\u033d-\u0344\u0346-\u0362]/gu, '')
    // All but letters and the marks that are allowed in names and cannot end a quotation. Of accents on a letter, those after the third.
    .replace(/[^\p{L}\p{M}\p{N}\s\-–—_.,:;!?¿¡()[\]/\\+&@#%*~=$€£¥|<>^°·•…®™©№§’]|(?<=\p{M}{3})\p{M}/gu, '')
    .replace(strayMarks(), '')
    .replace(/(?<![\p{L}\p{N}])’|’(?![\p{L}\p{N}])/gu, '')
    .replace(/ +/g, ' ')
    .trim()
  return `“${text}”`
}

/**
 * Quotes an identity without loss, so that only equal ones look the same. What `quote` changes or removes, and letters outside ASCII, are
 * written as `\u{7b}`.
 */
export const quoteExactly = (stated: string): string =>
  `“${stated.replace(/[^ !#-&(-[\]-_a-z|~]| (?= )/gu, (mark) => `\\u{${mark.codePointAt(0)?.toString(16)}}`)}”`

/** The address of an issuer without loss, because issuers are compared as text; quoted unless it is plain. */
export const quoteIssuer = (issuer: string): string =>
  /^https:\/\/[\w.:/~-]+$/.test(issuer) ? issuer : quoteExactly(issuer)
