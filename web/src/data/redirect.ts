import { readStored, store } from './storage.ts'

const name = 'redirectAfterLogin'

/** Only a path of this site; anything else would let a link lead a person who just signed in elsewhere. */
export const readTarget = (target: string | null): string | null => {
  if (target === null || !/^\/(?![/\\])/.test(target)) return null
  const url = URL.canParse(target, location.origin) ? new URL(target, location.origin) : null
  return url?.origin === location.origin ? `${url.pathname}${url.search}${url.hash}` : null
}

export const rememberTarget = (target: string) => store(name, target)

/** Where a person wanted to go before they were asked to sign in, once. */
export const takeTarget = (inAddress: string | null): string => {
  const target = readTarget(inAddress) ?? readTarget(readStored(name)) ?? '/dashboard'
  store(name, null)
  return target
}
