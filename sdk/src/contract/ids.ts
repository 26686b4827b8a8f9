/** The prefixes of all IDs. */
export const idPrefixes = [
  'prv',
  'mdl',
  'dep',
  'inc',
  'key',
  'vrf',
  'req',
  'evt',
  'ses',
  'reg',
  'mal',
  'lgo',
  'sgn',
  'pub',
  'wkl',
  'rev',
  'per',
  'inv',
  'fac',
  'chg',
] as const
/** The prefix of an ID, such as `mdl`. */
export type IdPrefix = (typeof idPrefixes)[number]

/** A UUIDv7 (RFC 9562 §5.7) in Crockford base32, lower case. */
export const idBody = '[0-9a-hjkmnp-tv-z]{26}'

/** An ID of the registry is a prefix, an underscore and the body. */
export const idPattern = (prefix: IdPrefix) => new RegExp(`^${prefix}_${idBody}$`)

/**
 * Whether a text has the form of such an ID.
 *
 * @returns Whether it has the prefix and 26 characters.
 * @example
 * ```ts
 * if (!isId('mdl', modelId)) throw new Error('Not the ID of a model')
 * ```
 */
export const isId = (prefix: IdPrefix, value: string): boolean => idPattern(prefix).test(value)
