import { expect, it } from 'vitest'
import { describeEachEngine } from '../support/databases.ts'
import { createWorld } from '../support/world.ts'

describeEachEngine('a provider that is not registered', (engine) => {
  it('registers models and mints no links until its company name, email and website are there', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    for (const missing of ['company_name', 'email', 'website'] as const) {
      const [before] = await world.database.read.selectFrom('providers').select(missing).where('id', '=', acme.id).execute()
      const set = (columns: object) =>
        world.database.transaction((tx) => tx.updateTable('providers').set(columns).where('id', '=', acme.id).execute())
      await set({ [missing]: null })
      expect((await acme.client.providers.me()).verification_level).toBe('unregistered')
      await expect(acme.client.verifications.create({ model_id })).rejects.toMatchObject({ status: 403, code: 'provider_unregistered' })
      expect(await acme.registerModel()).toMatch(/^mdl_/)
      await set(before ?? {})
    }
    expect((await acme.client.verifications.create({ model_id })).verification_id).toMatch(/^vrf_/)
    expect(await world.database.read.selectFrom('verifications').select('id').execute()).toHaveLength(1)
  })
})
