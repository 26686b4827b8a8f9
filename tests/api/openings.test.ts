import { expect, it } from 'vitest'
import { dialects } from '../../server/src/db/dialect.ts'
import { up as addOpeningsByDay } from '../../server/src/db/migrations/0009-openings-by-day.ts'
import { ask } from '../support/ask.ts'
import { describeEachEngine } from '../support/databases.ts'
import { createWorld } from '../support/world.ts'

describeEachEngine('verifications by day', (engine) => {
  it('count links opened by others, each once, per day, for all models or one, even after the link is deleted', async () => {
    const world = await createWorld({ engine })
    const [acme, northwind] = [await world.provider('acme'), await world.provider('northwind')]
    const [atlas, other] = [await acme.registerModel(), await acme.registerModel({ display_name: 'Other model' })]
    const open = async (model_id: string) => {
      const { token } = await acme.client.verifications.create({ model_id })
      for (let times = 0; times < 2; times++) await world.anyone.verifications.opened(token)
    }
    await open(atlas)
    world.clock.advance('29d')
    await open(atlas)
    await open(other)
    await open(other)
    await acme.client.verifications.opened((await acme.client.verifications.create({ model_id: atlas })).token)
    const today = new Date(world.clock.now()).toISOString().slice(0, 10)
    const ofAll = await acme.client.account.verificationsByDay()
    expect(ofAll).toMatchObject({ in_period: 4, total: 4 })
    expect(ofAll.days.map(({ verifications }) => verifications)).toEqual([1, ...Array(28).fill(0), 3])
    expect(ofAll.days.at(-1)?.day).toBe(today)
    expect(ofAll.models).toMatchObject([
      { model_id: other, model_name: 'Other model', model_version: '1.0.0', verifications: 2 },
      { model_id: atlas, verifications: 2 },
    ])
    expect(await acme.client.account.verificationsByDay({ model_id: other })).toMatchObject({ in_period: 2, total: 2 })
    expect(await northwind.client.account.verificationsByDay({ model_id: other })).toMatchObject({
      in_period: 0,
      total: 0,
      models: [],
    })

    world.clock.advance('1d')
    expect(await acme.client.account.verificationsByDay({ days: '30' })).toMatchObject({ in_period: 3, total: 4 })
    await world.database.transaction((tx) => tx.deleteFrom('verifications').execute())
    const longer = await acme.client.account.verificationsByDay({ days: '90' })
    expect(longer).toMatchObject({ in_period: 4, total: 4 })
    expect(longer.days).toHaveLength(90)
    await expect(acme.client.account.verificationsByDay({ days: '31' as '30' })).rejects.toMatchObject({
      code: 'validation_failed',
    })
  })

  it('do not count requests that other sites trigger in their visitors’ browsers', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const { token } = await acme.client.verifications.create({ model_id })
    const openFrom = async (site: string | undefined) => {
      const { body } = await ask(`${world.address}/api/v1/verify/${token}/opened`, {
        method: 'POST',
        body: {},
        headers: site === undefined ? {} : { 'Sec-Fetch-Site': site },
      })
      return body.counted
    }
    for (const site of ['cross-site', 'same-site', 'anything'])
      expect({ site, counted: await openFrom(site) }).toEqual({ site, counted: false })
    expect((await acme.client.models.get(model_id)).first_verified_at).toBeNull()
    expect(await openFrom('same-origin')).toBe(true)
    expect(await openFrom(undefined)).toBe(false)
    expect((await acme.client.models.get(model_id)).first_verified_at).not.toBeNull()
  })

  it('include links that were opened before days were counted', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const openings = () => world.database.read.selectFrom('openings_by_day').selectAll().execute()
    for (let count = 0; count < 3; count++) {
      const { token } = await acme.client.verifications.create({ model_id })
      if (count > 0) await world.anyone.verifications.opened(token)
    }
    const counted = await openings()
    expect(counted).toMatchObject([{ provider_id: acme.id, model_id, openings: 2 }])
    await world.database.transaction(async (tx) => {
      await tx.schema.dropTable('openings_by_day').execute()
      await addOpeningsByDay(tx, dialects[engine])
    })
    expect(await openings()).toEqual(counted)
  })
})
