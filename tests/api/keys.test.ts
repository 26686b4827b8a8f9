import { expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { describeEachEngine } from '../support/databases.ts'
import { createWorld } from '../support/world.ts'

describeEachEngine('an API key', (engine) => {
  it('counts alike in either header; where both are sent X-API-Key decides', async () => {
    const world = await createWorld({ engine })
    const [acme, northwind] = [
      await world.provider('acme', { isVerified: false }),
      await world.provider('northwind', { isVerified: false }),
    ]
    const wrong = `${acme.apiKey.slice(0, -1)}${acme.apiKey.endsWith('A') ? 'B' : 'A'}`
    const rows = [
      { headers: { 'X-API-Key': acme.apiKey }, id: acme.id },
      { headers: { Authorization: `Bearer ${acme.apiKey}` }, id: acme.id },
      { headers: { Authorization: `bearer ${acme.apiKey}` }, id: acme.id },
      { headers: { 'X-API-Key': acme.apiKey, Authorization: `Bearer ${northwind.apiKey}` }, id: acme.id },
      { headers: { 'X-API-Key': acme.apiKey, Authorization: 'Bearer nonsense' }, id: acme.id },
      { headers: { 'X-API-Key': wrong, Authorization: `Bearer ${acme.apiKey}` } },
      { headers: { 'X-API-Key': [acme.apiKey, northwind.apiKey] } },
      { headers: { Authorization: `Basic ${Buffer.from(`x:${acme.apiKey}`).toString('base64')}` } },
      { headers: { Authorization: acme.apiKey } },
      { headers: { Authorization: 'Bearer' } },
      { headers: { Cookie: `api_key=${acme.apiKey}` } },
      { headers: {} },
    ]
    for (const { headers, id } of rows) {
      const reply = await ask(`${world.address}/api/v1/providers/me`, { headers })
      if (id !== undefined) {
        expect(reply).toMatchObject({ status: 200, body: { id } })
        continue
      }
      expect({ headers, status: reply.status, code: reply.body.code }).toEqual({ headers, status: 401, code: 'unauthorized' })
      expect(reply.headers['www-authenticate']).toBe('Bearer realm="countersign"')
      expect(reply.text).not.toContain(acme.apiKey)
    }
    const inQuery = await ask(`${world.address}/api/v1/providers/me?api_key=${acme.apiKey}`)
    expect(inQuery.status).toBe(401)
  })

  it('that is mistyped is refused without a look into the database', async () => {
    const world = await createWorld({ engine })
    const { apiKey } = await world.provider('acme', { isVerified: false })
    // With the tables gone, whoever asks them cannot answer 401.
    await world.database.close()
    for (let index = 0; index < apiKey.length; index++) {
      const mistyped = apiKey.slice(0, index) + (apiKey[index] === 'x' ? 'y' : 'x') + apiKey.slice(index + 1)
      const { status } = await ask(`${world.address}/api/v1/providers/me`, { headers: { 'X-API-Key': mistyped } })
      expect(status, mistyped).toBe(401)
    }
    const { status } = await ask(`${world.address}/api/v1/providers/me`, { headers: { 'X-API-Key': apiKey } })
    expect(status).not.toBe(401)
  })

  it('stops at the next request on every replica once it is revoked', async () => {
    const world = await createWorld({ engine })
    const replica = await world.startReplica()
    const acme = await world.provider('acme', { isVerified: false })
    for (const { client } of [world, replica]) expect((await client(acme.apiKey).providers.me()).id).toBe(acme.id)
    await world.database.transaction((tx) =>
      tx.updateTable('api_keys').set({ revoked_at: world.clock.now() }).where('id', '=', acme.keyId).execute(),
    )
    for (const { client } of [world, replica])
      await expect(client(acme.apiKey).providers.me()).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('is ignored on public reads when it is not valid, and refused on writes that take one', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const model_id = await acme.registerModel()
    const { token } = await acme.client.verifications.create({ model_id })
    await world.database.transaction((tx) => tx.updateTable('api_keys').set({ revoked_at: 1 }).execute())
    for (const apiKey of [acme.apiKey, 'nonsense']) {
      const client = world.client(apiKey)
      expect((await client.models.get(model_id)).id).toBe(model_id)
      expect((await client.verifications.get(token)).status).toBe('provider_unverified')
      await expect(client.verifications.bind(token, { response_text: 'x' })).rejects.toMatchObject({ code: 'unauthorized' })
      await expect(client.verifications.opened(token)).rejects.toMatchObject({ code: 'unauthorized' })
    }
    await expect(world.client(token).providers.me()).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('has its last use noted at most once a minute', async () => {
    const world = await createWorld({ engine })
    const replica = await world.startReplica()
    const acme = await world.provider('acme', { isVerified: false })
    const lastUsed = async () => (await world.database.read.selectFrom('api_keys').select('last_used_at').executeTakeFirst())?.last_used_at
    const use = async () => {
      await acme.client.providers.me()
      await replica.client(acme.apiKey).providers.me()
      // Noted beside the request; a write of our own waits behind it.
      for (const { database } of [world, replica])
        await database.transaction(async (tx) => tx.selectFrom('leases').select('name').execute())
    }
    world.clock.advance('1m')
    const first = world.clock.now()
    await use()
    await expect.poll(lastUsed).toBe(first)
    world.clock.advance('59s')
    await use()
    expect(await lastUsed()).toBe(first)
    world.clock.advance('1s')
    await use()
    await expect.poll(lastUsed).toBe(world.clock.now())
  })
})
