/** Hashing a whole token costs more than the lookup. Its end is part of the signature, and so practically random. */
const keyLength = 40

/**
 * A cache of the most recent entries, at most `size`: two generations, the older of which is dropped as a whole.
 */
export const createRecent = <T>(size: number) => {
  interface Entry {
    text: string
    value: T
  }
  let young = new Map<string, Entry>()
  let old = new Map<string, Entry>()

  const keep = (key: string, entry: Entry) => {
    if (young.size >= size / 2) {
      old = young
      young = new Map()
    }
    young.set(key, entry)
  }

  return {
    set: (text: string, value: T) => keep(text.slice(-keyLength), { text, value }),
    get: (text: string): T | undefined => {
      const key = text.slice(-keyLength)
      const recent = young.get(key)
      const entry = recent ?? old.get(key)
      if (entry?.text !== text) return undefined
      if (recent === undefined) keep(key, entry)
      return entry.value
    },
  }
}
