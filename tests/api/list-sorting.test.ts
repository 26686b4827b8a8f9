import { expect, it } from 'vitest'
import { describeEachEngine } from '../support/databases.ts'
import { createWorld } from '../support/world.ts'

describeEachEngine('the order of the provider’s lists', (engine) => {
  it('is what `sort` names, page by page', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const links: string[] = []
    for (const severity of ['low', 'critical', 'medium', 'critical', 'high'] as const) {
      const { token, verification_id } = await acme.client.verifications.create({ model_id })
      links.push(verification_id)
      const title = `${severity} ${links.length}`
      const report = { verification_token: token, severity, title, category: 'other', description: 'It lied.' } as const
      const { incident_id } = await world.anyone.incidents.report(report)
      if (severity === 'high') await acme.client.incidents.respond(incident_id, { status: 'investigating' })
      world.clock.advance('1s')
    }

    const titles = async (sort?: Parameters<typeof acme.client.incidents.list>[0]) =>
      (await acme.client.incidents.list({ limit: 2, ...sort }).toArray()).map(({ title }) => title)
    const oldestFirst = ['low 1', 'critical 2', 'medium 3', 'critical 4', 'high 5']
    expect(await titles()).toEqual(oldestFirst.toReversed())
    expect(await titles({ sort: 'created' })).toEqual(oldestFirst)
    expect(await titles({ sort: '-severity' })).toEqual(['critical 4', 'critical 2', 'high 5', 'medium 3', 'low 1'])
    expect(await titles({ sort: 'severity' })).toEqual(['low 1', 'medium 3', 'high 5', 'critical 2', 'critical 4'])
    expect((await titles({ sort: '-status' }))[0]).toBe('high 5')
    const cursor = Buffer.from(JSON.stringify([Number.MAX_SAFE_INTEGER, 'inc_'])).toString('base64url')
    expect(await titles({ sort: 'severity', cursor })).toEqual([])
    expect((await titles({ sort: 'status', status: 'open' })).at(-1)).toBe('high 5')

    const linksBy = async (sort: 'created' | '-created') =>
      (await acme.client.account.verifications({ limit: 2, sort }).toArray()).map(({ id }) => id)
    expect(await linksBy('created')).toEqual(links)
    expect(await linksBy('-created')).toEqual(links.toReversed())

    const eventsBy = async (sort: 'created' | '-created') =>
      (await acme.client.account.events({ limit: 3, sort }).toArray()).map(({ id }) => id)
    const events = await eventsBy('created')
    expect(events.length).toBeGreaterThan(5)
    expect(await eventsBy('-created')).toEqual(events.toReversed())
  })

  it('rejects another order, and the cursor of another kind of order', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const rejected = { status: 422, code: 'validation_failed' }
    const byTitle = acme.client.request('GET', '/api/v1/providers/me/incidents', { query: { sort: 'title' } })
    await expect(byTitle).rejects.toMatchObject(rejected)
    const cursor = Buffer.from(JSON.stringify(['inc_1', 'inc_1'])).toString('base64url')
    await expect(acme.client.incidents.list({ sort: 'severity', cursor })).rejects.toMatchObject(rejected)
  })
})
