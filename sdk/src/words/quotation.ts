/** Marks that are allowed in names and cannot end a quotation. */
const plainMarks = /[^\p{L}\p{M}\p{N}\s\-–—_.,:;!?¿¡()[\]/\\+&@#%*~=$€£¥|<>^°·•…®™©№§’]/gu
/** Everything that looks like an apostrophe or a quotation mark, including letters. */
const quoteLike =
  /["'\u0060\u00ab\u00b4\u00bb\u02b0-\u02ff\u0374\u0375\u0384\u0559-\u055b\u055f\u05f3\u05f4\u07f4\u07f5\u1fbd-\u1fc1\u1fcd-\u1fcf\u1fdd-\u1fdf\u1fed-\u1fef\u1ffd\u1ffe\u2018-\u201f\u2032-\u2037\u2039\u203a\u2057\u275b-\u2760\u276e\u276f\u2e42\u301d-\u301f\ua78b\ua78c\uff02\uff07\uff40\u{1f676}-\u{1f678}]/gu
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
    .replace(/(?<![\p{L}\p{N}])’+|’+(?![\p{L}\p{N}])|’{2,}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
  return `“${text}”`
}
