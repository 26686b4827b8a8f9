/** The results of a bulk action, in order. */
export interface Outcome<Item> {
  done: Item[]
  failed: { item: Item; failure: unknown }[]
}

const atOnce = 4

/** Runs an action on many items, a few at a time; a failure does not stop the others. `onProgress` receives the progress. */
export const runAll = async <Item>(
  items: readonly Item[],
  act: (item: Item) => PromiseLike<unknown>,
  onProgress: (count: number) => void = () => undefined,
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
      onProgress(++count)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return {
    done: items.filter((_, index) => !failures.has(index)),
    failed: items.flatMap((item, index) => (failures.has(index) ? [{ item, failure: failures.get(index) }] : [])),
  }
}
