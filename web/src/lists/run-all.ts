/** What came of an act on many things, in their order. */
export interface Outcome<Item> {
  done: Item[]
  failed: { item: Item; failure: unknown }[]
}

const atOnce = 4

/** Does the same to many things, a few at a time; what one refuses stops no other. `tell` learns how many are through. */
export const runAll = async <Item>(
  items: readonly Item[],
  act: (item: Item) => PromiseLike<unknown>,
  tell: (count: number) => void = () => undefined,
): Promise<Outcome<Item>> => {
  const waiting = items.entries()
  const failures = new Map<number, unknown>()
  let count = 0
  const work = async () => {
    for (const [index, item] of waiting) {
      try {
        await act(item)
      } catch (failure) {
        failures.set(index, failure)
      }
      tell(++count)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return {
    done: items.filter((_, index) => !failures.has(index)),
    failed: items.flatMap((item, index) => (failures.has(index) ? [{ item, failure: failures.get(index) }] : [])),
  }
}
