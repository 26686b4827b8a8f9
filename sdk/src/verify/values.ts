export const isText = (value: unknown): value is string => typeof value === 'string'

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** The origin of an address as a URL parser writes it; undefined if it is not a URL. */
export const originOf = (address: unknown): string | undefined => URL.parse(String(address))?.origin

/** Whether a value is a text of this form. */
export const matches =
  (pattern: RegExp) =>
  (value: unknown): boolean =>
    isText(value) && pattern.test(value)
