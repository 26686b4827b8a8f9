import type { Answer } from './transport.ts'

/** A promise of a response's body. `withResponse` also gives status and headers. */
export interface APIPromise<T> extends Promise<T> {
  /**
   * The body together with status, headers and the request ID.
   *
   * @returns `data`, `response` and `requestId`.
   * @example
   * ```ts
   * const { data, requestId } = await client.models.get('mdl_06dh0e3x7c9bw4vjz2n8qk5ytm').withResponse()
   * ```
   */
  withResponse(): Promise<Answer<T>>
}

/** A promise of the first page, and an iterator over the items of all pages. */
export interface PagePromise<Page, Item> extends APIPromise<Page>, AsyncIterable<Item> {
  /**
   * The items of all pages, at most `limit`.
   *
   * @returns The items, in the order of the list.
   * @example
   * ```ts
   * const models = await client.models.list().toArray({ limit: 50 })
   * ```
   */
  toArray(options?: { limit?: number }): Promise<Item[]>
}

// A thenable, not a derived promise, so that calling only withResponse() leaves no unhandled rejection.
export const toApiPromise = <T>(sent: Promise<Answer<T>>): APIPromise<T> => {
  const data = () => sent.then((answer) => answer.data)
  return {
    // biome-ignore lint/suspicious/noThenProperty: it is a promise
    then: (resolved, rejected) => data().then(resolved, rejected),
    catch: (rejected) => data().catch(rejected),
    finally: (settled) => data().finally(settled),
    withResponse: () => sent,
    [Symbol.toStringTag]: 'APIPromise',
  }
}

interface Page {
  next_cursor: string | null
}

/** `follow` fetches the page of a cursor; `list` is the field with the items. */
export const toPagePromise = <P extends Page, Item>(
  sent: Promise<Answer<P>>,
  list: string,
  follow: (cursor: string) => Promise<Answer<P>>,
): PagePromise<P, Item> => {
  async function* items(): AsyncGenerator<Item> {
    let page = (await sent).data
    for (;;) {
      yield* (page as unknown as Record<string, Item[]>)[list] ?? []
      if (page.next_cursor === null) return
      page = (await follow(page.next_cursor)).data
    }
  }
  const toArray = async ({ limit = Number.POSITIVE_INFINITY }: { limit?: number } = {}) => {
    const found: Item[] = []
    if (limit <= 0) return found
    for await (const item of items()) {
      found.push(item)
      if (found.length >= limit) break
    }
    return found
  }
  return { ...toApiPromise(sent), [Symbol.asyncIterator]: items, toArray }
}
