/** Letters that people read as a dot, to be put between the brackets of a regular expression. */
export const dotLetters = 'ꞏ\u119e\u318d丶ˌˑॱꓸ-ꓽⵗ'

/** Words that people read as the dot of a domain: apart from others, between Latin letters, and with `com`. */
export const dotWords = {
  apart: ['punto', 'точка'],
  within: '[点點닷]|ドット',
  withCom: '닷 ?컴|ドット ?コム|точка[ -]ком(?!\\p{L})',
}
