import { expect, it } from 'vitest'
import { suspendEverything } from '../../server/src/backup/suspend.ts'
import { describeEachEngine } from '../support/databases.ts'
import { createWorld } from '../support/world.ts'

const silent = {
  events: { record: async () => {} },
  listings: { providerChanged: async () => {} },
  mail: { alert: async () => {}, queue: async () => {} },
  now: Date.now,
}

describeEachEngine('a restored claim to the domain of another account', (engine) => {
  it('is checked twice again before it takes the domain over', async () => {
    const world = await createWorld({ engine })
    await world.provider('acme', { isVerified: false })
    const contest = await world.database.transaction(async (tx) => {
      await tx.updateTable('provider_domains').set({ contested_at: 1, contested_by: 'dns', due_at: 1 }).execute()
      await suspendEverything(silent, tx, `${world.address}/login`)
      return tx.selectFrom('provider_domains').select(['contested_at', 'contested_by', 'due_at']).execute()
    })
    expect(contest).toEqual([{ contested_at: null, contested_by: null, due_at: null }])
  })
})
