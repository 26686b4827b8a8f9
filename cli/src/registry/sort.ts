type Compare<Item> = (a: Item, b: Item) => number

const compareText = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)

/** Compares a text of two items; a missing one comes first. */
export const byText =
  <Item>(textOf: (item: Item) => string | null): Compare<Item> =>
  (a, b) =>
    compareText(textOf(a) ?? '', textOf(b) ?? '')

/** The values of `--sort` for these columns: each one, and reversed with a hyphen. */
export const ordersOf = (columns: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(columns).flatMap((column) => [column, `-${column}`])

/** Sorts a list that the registry only has in one order. Equal items keep that order. */
export const sortItems = <Item>(
  items: readonly Item[],
  order: string,
  columns: Readonly<Record<string, Compare<Item>>>,
): Item[] => {
  const compare = columns[order.replace('-', '')]
  if (compare === undefined) return [...items]
  const sign = order.startsWith('-') ? -1 : 1
  return items.toSorted((a, b) => sign * compare(a, b))
}
