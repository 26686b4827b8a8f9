/** Refuses a misspelled name, which would silently be the default. Throws TypeError with the names that there are. */
export const refuseUnknown = (what: string, given: object, known: object) => {
  for (const name of Object.keys(given))
    if (!Object.hasOwn(known, name)) throw new TypeError(`Unknown ${what} ${name}; there are ${Object.keys(known).join(', ')}`)
}
