import { expect, it } from 'vitest'
import { describeEachEngine, openTestDatabase } from './databases.ts'

describeEachEngine('a test database', (engine) => {
  it('has the schema and nothing in it', async () => {
    const database = await openTestDatabase(engine)
    const { count } = await database.read
      .selectFrom('providers')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBe(0)
  })

  it('is a new one each time', async () => {
    const lease = { name: 'mine', holder: 'first', expires_at: 0 }
    for (const database of [await openTestDatabase(engine), await openTestDatabase(engine)]) {
      await database.transaction((tx) => tx.insertInto('leases').values(lease).execute())
      const stored = await database.read.selectFrom('leases').where('name', '=', 'mine').selectAll().execute()
      expect(stored).toEqual([lease])
    }
  })
})
