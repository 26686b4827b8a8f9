const apiKey = /\bcs[a-z]_[A-Za-z0-9_-]{8,}/g
const token = /eyJ[\w-]*(?:\.[\w-]*){1,2}/g
const linkCode = /(?<![A-Za-z0-9])[0-9A-Za-z]{4}(?:[-_ ]?[0-9A-Za-z]{4}){3}(?![A-Za-z0-9])/g
const linkPath = /\/(v|verify)\/[^\s/?#"']+/gi

/**
 * Removes API keys, tokens and link codes from text for logs.
 *
 * @returns The text with `[key]`, `[token]` or `[link]` in their place.
 * @example
 * ```ts
 * console.error(redact(String(error)))
 * ```
 */
export const redact = (text: string): string =>
  text
    .replace(apiKey, '[key]')
    .replace(token, '[token]')
    .replace(linkPath, '/$1/[link]')
    .replace(linkCode, (word) => (/[\d_ -]/.test(word) ? '[link]' : word))
