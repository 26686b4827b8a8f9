/** Marks that are allowed in names and cannot end a quotation. */
const plainMarks = /[^\p{L}\p{M}\p{N}\s\-–—_.,:;!?¿¡()[\]/\\+&@#%*~=$€£¥|<>^°·•…®™©№§’]/gu
/** What looks like an apostrophe or a quotation mark, including letters. Rarer ones are removed like pictures. */
const quoteLike = /["'`\u00b4\u02b0-\u02ff\u0374\u0559\u05f3\u05f4\u07f4\u07f5\u2018-\u201f\ua78b\ua78c\uff07]/gu
/** Accents beside a letter or above its end, which look like quotation marks. */
const hangingAccents = /[\u030b-\u0315\u031a\u031b\u033d-\u0344\u0346-\u0362\u20d0-\u20ff]/gu

/**
 * Quotes self-reported text, such as the name of a model, so that it cannot end its quotation marks and read as our own words.
 * Apostrophes stay between two letters. Other marks that could end a quotation, and pictures, are removed.
 */
export const quote = (stated: string): string => {
  const text = stated
    .normalize('NFC')
    .replace(quoteLike, '’')
    .replace(/’\p{M}+/gu, '’')
    .replace(hangingAccents, '')
    .replace(/(\p{M}{3})\p{M}+/gu, '$1')
    .replace(plainMarks, '')
    .replace(/(?<![\p{L}\p{N}])’|’(?![\p{L}\p{N}])/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
  return `“${text}”`
}

/**
 * Quotes an identity without loss, so that only equal ones look the same. What `quote` changes or removes, and letters outside ASCII, are
 * written as `\u{7b}`.
 */
export const quoteExactly = (stated: string): string =>
  `“${stated.replace(/[^ !#-&(-[\]-_a-z|~]| (?= )/gu, (mark) => `\\u{${mark.codePointAt(0)?.toString(16)}}`)}”`
