import { expect, it } from 'vitest'
import { createEmptyDatabase, describeEachEngine } from '../support/databases.ts'
import { killSequencers } from '../support/kill-sequencers.ts'

describeEachEngine('two processes that append to one log', (engine) => {
  it('leave a consistent tree with every acknowledged entry when they are killed', async () => {
    const entries = await killSequencers({ databaseUrl: await createEmptyDatabase(engine), rounds: 2 })
    expect(entries).toBeGreaterThan(2)
  }, 60_000)
})
