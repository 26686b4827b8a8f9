/**
 * A bounded memory of what was used lately: two generations, of which the older is dropped as a whole. Reading costs one
 * look-up; at most `size` entries are kept.
 */
export const createRecent = <T>(size: number) => {
  let young = new Map<string, T>()
  let old = new Map<string, T>()
  const set = (key: string, value: T) => {
    if (young.size >= size / 2) {
      old = young
      young = new Map()
    }
    young.set(key, value)
  }
  const get = (key: string): T | undefined => {
    const value = young.get(key)
    if (value !== undefined) return value
    const older = old.get(key)
    if (older !== undefined) set(key, older)
    return older
  }
  return { get, set }
}
