import { expect, it } from 'vitest'
import { suspendEverything } from '../../server/src/backup/suspend.ts'
import { describeEachEngine, describeOnSqlite } from '../support/databases.ts'
import { ada, askForReset, signedUp } from '../support/desk.ts'
import { createWorld } from '../support/world.ts'

const silent = {
  events: { record: async () => {} },
  listings: { providerChanged: async () => {} },
  mail: { alert: async () => {}, queue: async () => {} },
  now: Date.now,
}

describeEachEngine('a restored claim to the domain of another account', (engine) => {
  it('is checked twice more before it takes the domain over', async () => {
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

describeOnSqlite('a restored account', (engine) => {
  it('cannot be opened with an earlier session, password or reset, only through its mailbox', async () => {
    const world = await createWorld({ engine })
    const { session } = await signedUp(world)
    const earlier = await askForReset(world, ada.email)
    await world.database.transaction((tx) => suspendEverything(silent, tx, `${world.address}/login`))
    await expect(session.providers.me()).rejects.toMatchObject({ code: 'unauthorized' })
    const { auth } = world.anyone
    const { email, password: forgotten } = ada
    await expect(auth.login({ email, password: forgotten })).rejects.toMatchObject({ code: 'unauthorized' })
    const password = 'another heron at dusk'
    await expect(auth.setPassword({ token: earlier, password })).rejects.toMatchObject({ code: 'code_invalid' })
    const { token } = await auth.setPassword({ token: await askForReset(world, email), password })
    expect(await world.client(token).providers.me()).toMatchObject({ is_suspended: true })
  })
})
