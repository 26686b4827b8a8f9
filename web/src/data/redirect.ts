import { readStored, store } from './storage.ts'

const name = 'redirectAfterLogin'

/** Pages that lead to a session; never redirect back to them. */
const isOnTheWay = (path: string) => /^\/(login|auth|auth-setup|setup-password|verify-email)(?![\w-])/i.test(path)

const isPath = (text: string) => /^\/(?![/\\])/.test(text)

/** Accepts only a path of this site; otherwise a link could send a person elsewhere right after signing in. */
export const readTarget = (target: string | null, origin = location.origin): string | null => {
  if (target === null || !isPath(target) || !URL.canParse(target, origin)) return null
  const url = new URL(target, origin)
  const path = `${url.pathname}${url.search}${url.hash}`
  // `/.//elsewhere` only looks like a path until its dots are resolved.
  return url.origin === origin && isPath(path) && !isOnTheWay(path) ? path : null
}

export const rememberTarget = (target: string) => store(name, target)

/** Returns once where a person wanted to go before signing in; the address takes precedence over storage. */
export const takeTarget = (inAddress: string | null): string => {
  const target = readTarget(inAddress) ?? readTarget(readStored(name)) ?? '/dashboard'
  store(name, null)
  return target
}
