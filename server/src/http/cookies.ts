import type { IncomingMessage, ServerResponse } from 'node:http'

/** One value of the browser that asks, by the cookie's bare name; nothing where it sent none. */
export type ReadCookie = (name: string) => string | undefined

export interface CookieOptions {
  maxAgeSeconds: number
  /** Sent along when another site leads back here: for what an identity provider answers. */
  sameSite?: 'lax' | 'strict'
}

export interface Cookies {
  read: ReadCookie
  set: (name: string, value: string, options: CookieOptions) => void
  clear: (name: string) => void
}

/**
 * Cookies that only this origin can have set (`__Host-`, RFC 6265bis §4.1.3.2) and no script can read. Without TLS a
 * browser takes the prefix only from its own machine, so that elsewhere the name goes without.
 */
export const cookiesOf = (request: IncomingMessage, response: ServerResponse, { isSecure }: { isSecure: boolean }): Cookies => {
  const nameOf = (name: string) => (isSecure ? `__Host-${name}` : name)
  const write = (name: string, value: string, maxAge: number, sameSite: string) => {
    const attributes = ['Path=/', 'HttpOnly', `SameSite=${sameSite}`, `Max-Age=${maxAge}`, ...(isSecure ? ['Secure'] : [])]
    response.appendHeader('Set-Cookie', `${nameOf(name)}=${value}; ${attributes.join('; ')}`)
  }
  return {
    read: (name) => {
      const wanted = `${nameOf(name)}=`
      const pairs = (request.headers.cookie ?? '').split(/; */).filter((pair) => pair.startsWith(wanted))
      // Two of one name would be one of ours and one of somebody else's.
      return pairs.length === 1 ? pairs[0]?.slice(wanted.length) : undefined
    },
    set: (name, value, { maxAgeSeconds, sameSite = 'lax' }) => write(name, value, maxAgeSeconds, sameSite === 'lax' ? 'Lax' : 'Strict'),
    clear: (name) => write(name, '', 0, 'Lax'),
  }
}
