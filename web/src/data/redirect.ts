import { readStored, store } from './storage.ts'

const name = 'redirectAfterLogin'

/** Pages on the way to a session: nobody wants to go back to them. */
const isOnTheWay = (path: string) => /^\/(login|auth|auth-setup|setup-password|verify-email)(?![\w-])/i.test(path)

const isPath = (text: string) => /^\/(?![/\\])/.test(text)

/** Only a path of this site; anything else would let a link lead a person who just signed in elsewhere. */
export const readTarget = (target: string | null, origin = location.origin): string | null => {
  if (target === null || !isPath(target) || !URL.canParse(target, origin)) return null
  const url = new URL(target, origin)
  const path = `${url.pathname}${url.search}${url.hash}`
  // `/.//elsewhere` is a path only until its dots are resolved.
  return url.origin === origin && isPath(path) && !isOnTheWay(path) ? path : null
}

export const rememberTarget = (target: string) => store(name, target)

/** Where a person wanted to go before they were asked to sign in, once; the address says it better than what was stored. */
export const takeTarget = (inAddress: string | null): string => {
  const target = readTarget(inAddress) ?? readTarget(readStored(name)) ?? '/dashboard'
  store(name, null)
  return target
}
