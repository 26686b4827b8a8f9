/** SHA-256 of the parts, joined: a promise, because WebCrypto is asynchronous. */
export const digest = async (...parts: readonly Uint8Array[]): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from(parts.flatMap((part) => [...part]))))
