interface Page {
  next_cursor: string | null
}

interface Query {
  limit: number
  cursor?: string
}

const pageSize = 100

/** The items of a list, at most `most`. `next_cursor` is null if that was all of them. */
export const collect = async <P extends Page, Item>(
  list: (query: Query) => PromiseLike<P>,
  itemsOf: (page: P) => readonly Item[],
  most: number,
): Promise<{ items: Item[]; next_cursor: string | null; last: P }> => {
  const items: Item[] = []
  let query: Query = { limit: Math.min(pageSize, most) }
  for (;;) {
    const last = await list(query)
    items.push(...itemsOf(last))
    const { next_cursor } = last
    if (next_cursor === null || items.length >= most) return { items, next_cursor, last }
    query = { limit: Math.min(pageSize, most - items.length), cursor: next_cursor }
  }
}
