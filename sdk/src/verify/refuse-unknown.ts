/**
 * Throws TypeError, listing the known names, for an unknown or hidden name, which would silently be ignored, and for anything but a
 * plain object. Messages begin with the call.
 */
export const refuseUnknown = (call: string, what: string, given: object, known: object) => {
  const names: readonly PropertyKey[] = Object.keys(known)
  const refuse = (problem: string) => {
    throw new TypeError(`${call}: ${problem}; known: ${names.join(', ')}`)
  }
  if (!isPlain(given)) refuse(`pass a plain object of ${what}s`)
  for (const name of Reflect.ownKeys(given)) {
    if (!names.includes(name) || !Object.keys(given).includes(name as string))
      refuse(`unknown ${what} "${String(name)}"`)
  }
}

/** Whether the prototype is null or `Object.prototype`, of any realm. */
const isPlain = (given: unknown) => {
  const prototype: unknown = Object.getPrototypeOf(given ?? 0)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Throws TypeError with what to pass, unless an argument or option fits. */
export const must: (fits: unknown, call: string, name: string, what: string) => asserts fits = (
  fits,
  call,
  name,
  what,
) => {
  if (!fits) throw new TypeError(`${call}: "${name}" must be ${what}`)
}
