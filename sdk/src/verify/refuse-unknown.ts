/**
 * Refuses a misspelled name, which would silently be the default, and what is no plain object: what it inherits or hides
 * would count for nothing. Throws TypeError with the names that there are.
 */
export const refuseUnknown = (what: string, given: object, known: object) => {
  if (!isPlain(given)) throw new TypeError(`Not a plain object: ${what}`)
  for (const name of Reflect.ownKeys(given)) {
    if (!Object.hasOwn(known, name)) throw new TypeError(`Unknown ${what} ${String(name)}; there are ${Object.keys(known).join(', ')}`)
    if (!Object.keys(given).includes(String(name))) throw new TypeError(`The ${what} ${String(name)} is hidden`)
  }
}

/** Of any realm: nothing stands behind it, or only what stands behind every object. */
const isPlain = (given: unknown) => {
  const prototype: unknown = Object.getPrototypeOf(given ?? 0)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Refuses a number of seconds or milliseconds that would lift the limit that it sets: NaN is neither more nor less than anything. */
export const refuseUnbounded = (name: string, given: unknown, max = Number.MAX_SAFE_INTEGER) => {
  if (given === undefined || (typeof given === 'number' && given >= 0 && given <= max)) return
  throw new TypeError(`${name} must be a number from 0 to ${max}, not ${String(given)}`)
}
