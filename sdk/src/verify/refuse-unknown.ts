/**
 * Throws TypeError, listing the known names, for an unknown name, which would silently be ignored, and for anything but a plain
 * object.
 */
export const refuseUnknown = (what: string, given: object, known: object) => {
  if (!isPlain(given)) throw new TypeError(`Not a plain object: ${what}`)
  for (const name of Reflect.ownKeys(given)) {
    if (!Object.hasOwn(known, name))
      throw new TypeError(`Unknown ${what} ${String(name)}; known: ${Object.keys(known).join(', ')}`)
    if (!Object.keys(given).includes(String(name))) throw new TypeError(`The ${what} ${String(name)} is hidden`)
  }
}

/** Whether the prototype is null or `Object.prototype`, of any realm. */
const isPlain = (given: unknown) => {
  const prototype: unknown = Object.getPrototypeOf(given ?? 0)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Throws TypeError for a number that would disable its limit, such as NaN. */
export const refuseUnbounded = (name: string, given: unknown, max = Number.MAX_SAFE_INTEGER) => {
  if (given === undefined || (typeof given === 'number' && given >= 0 && given <= max)) return
  throw new TypeError(`${name} must be a number from 0 to ${max}, not ${String(given)}`)
}
