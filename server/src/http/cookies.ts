import type { IncomingMessage, ServerResponse } from 'node:http'

/** One cookie of the requesting browser, by its bare name; undefined if it sent none. */
export type ReadCookie = (name: string) => string | undefined

export interface CookieOptions {
  maxAgeSeconds: number
  /** Also sent when another site redirects back here: for the answer of an identity provider. */
  sameSite?: 'lax' | 'strict'
}

export interface Cookies {
  read: ReadCookie
  set: (name: string, value: string, options: CookieOptions) => void
  clear: (name: string) => void
}

/**
 * Not the package `cookie`: one name to read and one fixed set of attributes to write take fewer lines than checking its options.
 *
 * Cookies that only this origin can have set (`__Host-`, RFC 6265bis §4.1.3.2) and no script can read. Without TLS a browser accepts the
 * prefix only from its own machine, so elsewhere the name has none.
 */
export const cookiesOf = (
  request: IncomingMessage,
  response: ServerResponse,
  { isSecure }: { isSecure: boolean },
): Cookies => {
  const nameOf = (name: string) => (isSecure ? `__Host-${name}` : name)
  const write = (name: string, value: string, maxAge: number, sameSite: string) => {
    const attributes = [
      'Path=/',
      'HttpOnly',
      `SameSite=${sameSite}`,
      `Max-Age=${maxAge}`,
      ...(isSecure ? ['Secure'] : []),
    ]
    response.appendHeader('Set-Cookie', `${nameOf(name)}=${value}; ${attributes.join('; ')}`)
  }
  return {
    read: (name) => {
      const wanted = `${nameOf(name)}=`
      const pairs = (request.headers.cookie ?? '').split(/; */).filter((pair) => pair.startsWith(wanted))
      // If two cookies have this name, someone else set one of them.
      return pairs.length === 1 ? pairs[0]?.slice(wanted.length) : undefined
    },
    set: (name, value, { maxAgeSeconds, sameSite = 'lax' }) =>
      write(name, value, maxAgeSeconds, sameSite === 'lax' ? 'Lax' : 'Strict'),
    clear: (name) => write(name, '', 0, 'Lax'),
  }
}
