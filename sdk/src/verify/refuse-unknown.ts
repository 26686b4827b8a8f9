/**
 * Throws TypeError, listing the known names, for an unknown or hidden name, which would silently be ignored, and for anything but a
 * plain object. Messages begin with the call.
 */
export const refuseUnknown = (call: string, what: string, given: object, known: object) => {
  if (!isPlain(given)) throw new TypeError(`${call}: not a plain object`)
  const names: readonly PropertyKey[] = Object.keys(known)
  for (const name of Reflect.ownKeys(given)) {
    if (!names.includes(name) || !Object.keys(given).includes(name as string))
      throw new TypeError(`${call}: unknown ${what} "${String(name)}"; known: ${names.join(', ')}`)
  }
}

/** Whether the prototype is null or `Object.prototype`, of any realm. */
const isPlain = (given: unknown) => {
  const prototype: unknown = Object.getPrototypeOf(given ?? 0)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Throws TypeError for an option of `createVerifier` that would disable its limit, such as NaN. */
export const refuseUnbounded = (name: string, given: unknown, max = Number.MAX_SAFE_INTEGER) => {
  if (given === undefined || (typeof given === 'number' && given >= 0 && given <= max)) return
  throw new TypeError(`createVerifier: "${name}" is invalid`)
}
