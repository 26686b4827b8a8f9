/** Takes one of each group in turn, so that a group with many does not delay the others. */
export const createFairQueue = <T>(max: number) => {
  /** In the order of their turns; none is empty. */
  const groups = new Map<string, T[]>()
  let length = 0

  const longest = () => {
    let found: [group: string, waiting: T[]] | undefined
    for (const entry of groups) if (found === undefined || entry[1].length > found[1].length) found = entry
    return found
  }

  const put = (group: string, item: T) => {
    const waiting = groups.get(group)
    if (waiting) waiting.push(item)
    else groups.set(group, [item])
    length++
  }

  return {
    length: () => length,

    /** Returns the item that found no room: this one, or the last of a group that has more. */
    add: (group: string, item: T): T | undefined => {
      if (length < max) {
        put(group, item)
        return undefined
      }
      const [other, waiting] = longest() ?? []
      if (other === undefined || waiting === undefined || waiting.length <= (groups.get(group)?.length ?? 0) + 1)
        return item
      const displaced = waiting.pop()
      length--
      put(group, item)
      return displaced
    },

    next: (): T | undefined => {
      const [entry] = groups
      if (entry === undefined) return undefined
      const [group, waiting] = entry
      const item = waiting.shift()
      groups.delete(group)
      if (waiting.length > 0) groups.set(group, waiting)
      length--
      return item
    },
  }
}
