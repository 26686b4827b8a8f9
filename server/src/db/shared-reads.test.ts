import { describe, expect, it } from 'vitest'
import type { PostgresQuery } from './postgres-pool.ts'
import { createSharedReads } from './shared-reads.ts'

const failure = (code: string) => Object.assign(new Error(code), { code })

/** Answers each call with its own values. A query whose name contains `broken` fails with `code`. */
const createReads = ({ code = '', broken = /never/ } = {}) => {
  const queries: string[] = []
  const query = async ({ name = '', values }: PostgresQuery) => {
    queries.push(name)
    if (broken.test(name)) throw failure(code)
    if (name.startsWith('find_one')) return { rows: [{ id: values[0] }] }
    const ids = values[0] as string[]
    return { rows: ids.map((id, index) => ({ shared_call: index + 1, id })).reverse() }
  }
  return { queries, read: createSharedReads(query, { name: 'find', text: 'select id from t where id = $1' }) }
}

const readAll = (read: (values: string[]) => Promise<object[]>, ids: readonly string[]) =>
  Promise.all(ids.map((id) => read([id])))

describe('the calls of one turn', () => {
  it('share a query, at most 100 of them, and get their own rows', async () => {
    const { queries, read } = createReads()
    const ids = Array.from({ length: 150 }, (_, index) => `id-${index}`)
    expect(await readAll(read, ids)).toEqual(ids.map((id) => [{ id }]))
    expect(queries).toEqual(['find_many_1', 'find_many_1'])
  })

  it('run the statement itself if there is only one', async () => {
    const { queries, read } = createReads()
    expect(await readAll(read, ['a'])).toEqual([[{ id: 'a' }]])
    expect(queries).toEqual(['find_one_1'])
  })

  it('are repeated one by one if the database rejects a value', async () => {
    const { queries, read } = createReads({ code: '22021', broken: /many/ })
    expect(await readAll(read, ['a', 'b'])).toEqual([[{ id: 'a' }], [{ id: 'b' }]])
    expect(await readAll(read, ['a', 'b'])).toHaveLength(2)
    const round = ['find_many_1', 'find_one_1', 'find_one_1']
    expect(queries).toEqual([...round, ...round])
  })

  it('never share again if the database only runs them one by one', async () => {
    const { queries, read } = createReads({ code: '42601', broken: /many/ })
    expect(await readAll(read, ['a', 'b'])).toEqual([[{ id: 'a' }], [{ id: 'b' }]])
    expect(await readAll(read, ['a', 'b'])).toHaveLength(2)
    expect(queries).toEqual(['find_many_1', ...Array(4).fill('find_one_1')])
  })

  it('share again after an error that was not due to sharing', async () => {
    const { queries, read } = createReads({ code: '42P01', broken: /_1$/ })
    const outcomes = await Promise.allSettled([read(['a']), read(['b'])])
    expect(outcomes).toMatchObject([{ reason: { code: '42P01' } }, { reason: { code: '42P01' } }])
    queries.length = 0
    await Promise.allSettled([read(['a']), read(['b'])])
    expect(queries[0]).toBe('find_many_1')
  })

  it('prepare the statement again, once, if its columns changed', async () => {
    const { queries, read } = createReads({ code: '0A000', broken: /_1$/ })
    expect(await readAll(read, ['a', 'b'])).toEqual([[{ id: 'a' }], [{ id: 'b' }]])
    expect(await readAll(read, ['a'])).toEqual([[{ id: 'a' }]])
    expect(queries).toEqual(['find_many_1', 'find_many_2', 'find_one_2'])
  })

  it('all fail, without another query, if the connection is lost', async () => {
    const { queries, read } = createReads({ code: '08006', broken: /many/ })
    const outcomes = await Promise.allSettled([read(['a']), read(['b'])])
    expect(outcomes).toMatchObject([{ reason: { code: '08006' } }, { reason: { code: '08006' } }])
    expect(queries).toEqual(['find_many_1'])
  })
})
