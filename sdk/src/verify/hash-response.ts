/**
 * SHA-256 of a text's exact UTF-8 bytes as 64 lower-case hex characters, to compare with a bound token's `response_hash`.
 *
 * @returns The digest.
 * @example
 * ```ts
 * const isSame = (await hashResponse('Hello!')) === verification.bound_answer?.response_hash
 * ```
 */
export const hashResponse = async (text: string): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
