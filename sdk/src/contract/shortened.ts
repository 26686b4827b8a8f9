/**
 * At most this many characters. Part of a host can be another company's, such as `openai.com` of `openai.com.acme.example`, so text is cut
 * between words, and a single word before its first sign.
 */
export const shortened = (text: string, max: number): string => {
  const characters = [...text]
  if (characters.length <= max) return text
  const start = characters.slice(0, max).join('')
  const words = start.replace(/\s+\S*$/u, '')
  return `${words === start ? beforeSign(characters.slice(0, max - 1).join('')) : words}…`
}

/** Chinese and Korean letters that look like a dot count as signs. */
const beforeSign = (word: string) =>
  /^[^\p{L}\p{N}]*(?:(?![丶\u119e\u318d])[\p{L}\p{M}\p{N}_-])*/u.exec(word)?.[0] ?? ''
