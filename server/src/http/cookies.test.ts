import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { cookiesOf } from './cookies.ts'

const exchange = (isSecure: boolean, cookie?: string) => {
  const request = new IncomingMessage(new Socket())
  if (cookie !== undefined) request.headers.cookie = cookie
  const response = new ServerResponse(request)
  return { cookies: cookiesOf(request, response, { isSecure }), written: () => response.getHeader('Set-Cookie') }
}

describe('a cookie of the registry', () => {
  it.each([
    [
      'over https, for the answer of an identity provider',
      true,
      'lax',
      '__Host-a=1; Path=/; HttpOnly; SameSite=Lax; Max-Age=60; Secure',
    ],
    [
      'over https, for this site only',
      true,
      'strict',
      '__Host-a=1; Path=/; HttpOnly; SameSite=Strict; Max-Age=60; Secure',
    ],
    ['without TLS', false, 'strict', 'a=1; Path=/; HttpOnly; SameSite=Strict; Max-Age=60'],
  ] as const)('has exactly these attributes: %s', (_name, isSecure, sameSite, expected) => {
    const { cookies, written } = exchange(isSecure)
    cookies.set('a', '1', { maxAgeSeconds: 60, sameSite })
    expect(written()).toBe(expected)
  })

  it('is cleared under the name it was set with', () => {
    const { cookies, written } = exchange(true)
    cookies.clear('a')
    expect(written()).toBe('__Host-a=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure')
  })

  it('is ignored if the browser sends two with its name', () => {
    expect(exchange(true, '__Host-a=1').cookies.read('a')).toBe('1')
    expect(exchange(true, '__Host-a=1; __Host-a=2').cookies.read('a')).toBeUndefined()
    expect(exchange(true, 'a=1').cookies.read('a')).toBeUndefined()
  })
})
