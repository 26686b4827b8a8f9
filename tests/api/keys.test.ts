import { crc32 } from 'node:zlib'
import { type Scope, scopes } from '@countersign/sdk/contract'
import { expect, it } from 'vitest'
import { ask, comparable } from '../support/ask.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { call, createTargets, rows } from '../support/tour.ts'
import { createWorld, type World } from '../support/world.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A well-formed key with a valid checksum and a random secret. */
const madeUp = (lookup: string) => {
  const body = `csk_${lookup}_${'a'.repeat(43)}`
  const digits = Array.from({ length: 6 }, (_, place) => alphabet[Math.floor(crc32(body) / 62 ** (5 - place)) % 62])
  return body + digits.join('')
}

describeOnSqlite('an API key', (engine) => {
  it('works the same in either header; if both are sent, X-API-Key decides', async () => {
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
      expect({ headers, status: reply.status, code: reply.body.code }).toEqual({
        headers,
        status: 401,
        code: 'unauthorized',
      })
      expect(reply.headers['www-authenticate']).toBe('Bearer realm="countersign"')
      expect(reply.text).not.toContain(acme.apiKey)
    }
    const inQuery = await ask(`${world.address}/api/v1/providers/me?api_key=${acme.apiKey}`)
    expect(inQuery.status).toBe(401)
  })

  it('that is mistyped is rejected without a database query', async () => {
    const world = await createWorld({ engine })
    const { apiKey } = await world.provider('acme', { isVerified: false })
    // The tables are gone, so a query would not answer 401.
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

  it('is ignored on public reads if it is invalid, and rejected on writes that accept one', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const model_id = await acme.registerModel()
    const { token } = await acme.client.verifications.create({ model_id })
    await world.database.transaction((tx) => tx.updateTable('api_keys').set({ revoked_at: 1 }).execute())
    for (const apiKey of [acme.apiKey, 'nonsense']) {
      const client = world.client(apiKey)
      expect((await client.models.get(model_id)).id).toBe(model_id)
      expect((await client.verifications.get(token)).status).toBe('provider_unverified')
      await expect(client.verifications.bind(token, { response_text: 'x' })).rejects.toMatchObject({
        code: 'unauthorized',
      })
      await expect(client.verifications.opened(token)).rejects.toMatchObject({ code: 'unauthorized' })
    }
    await expect(world.client(token).providers.me()).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('records its last use at most once a minute', async () => {
    const world = await createWorld({ engine })
    const replica = await world.startReplica()
    const acme = await world.provider('acme', { isVerified: false })
    const lastUsed = async () =>
      (await world.database.read.selectFrom('api_keys').select('last_used_at').executeTakeFirst())?.last_used_at
    const use = async () => {
      await acme.client.providers.me()
      await replica.client(acme.apiKey).providers.me()
      // Recorded in the background; our own write waits for it.
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

describeOnSqlite('the keys of a provider', (engine) => {
  it('are created with a name, shown once, listed without their secret, and work at once', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const made = await acme.client.keys.create({ name: '  Deploy\u200b  ' })
    expect(made).toMatchObject({
      name: 'Deploy',
      scopes: ['links'],
      expires_at: null,
      is_active: true,
      revoked_at: null,
      last_used_at: null,
    })
    expect(made.api_key.startsWith(made.key_prefix)).toBe(true)
    expect(await world.client(made.api_key).providers.me()).toMatchObject({ id: acme.id, key_id: made.id })
    const list = await acme.client.keys.list()
    expect(list.map(({ id, name }) => ({ id, name }))).toEqual([
      { id: made.id, name: 'Deploy' },
      { id: acme.keyId, name: 'First key' },
    ])
    expect(JSON.stringify(list)).not.toContain(made.api_key.slice(-20))
    const stored = JSON.stringify(await world.database.read.selectFrom('api_keys').selectAll().execute())
    expect(stored).not.toContain(made.api_key.slice(-40))
    for (const name of ['', '  ', '\u200b', 'x'.repeat(61)])
      await expect(acme.client.keys.create({ name })).rejects.toMatchObject({ status: 422 })
  })

  it('stop when they are revoked, permanently, and revoking again changes nothing', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const { id, api_key } = await acme.client.keys.create({ name: 'Spare' })
    const revoked = await acme.client.keys.revoke(id)
    expect(revoked).toMatchObject({ id, is_active: false, revoked_at: new Date(world.clock.now()).toISOString() })
    await expect(world.client(api_key).providers.me()).rejects.toMatchObject({ code: 'unauthorized' })
    world.clock.advance('1h')
    expect(await acme.client.keys.revoke(id)).toEqual(revoked)
    expect((await acme.client.keys.list()).map((key) => [key.id, key.is_active])).toEqual([
      [acme.keyId, true],
      [id, false],
    ])
    // A key may revoke itself.
    await acme.client.keys.revoke(acme.keyId)
    await expect(acme.client.keys.list()).rejects.toMatchObject({ code: 'unauthorized' })
    const { rows } = await trailOf(world, acme.id)
    expect(rows).toEqual([
      { action: 'key.created', actor: acme.keyId, subject_id: acme.keyId },
      { action: 'key.created', actor: acme.keyId, subject_id: id },
      { action: 'key.revoked', actor: acme.keyId, subject_id: id },
      { action: 'key.revoked', actor: acme.keyId, subject_id: acme.keyId },
    ])
  })

  it('of another provider do not exist', async () => {
    const world = await createWorld({ engine })
    const [acme, northwind] = [await world.provider('acme'), await world.provider('northwind')]
    await expect(northwind.client.keys.revoke(acme.keyId)).rejects.toMatchObject({ status: 404, code: 'not_found' })
    await expect(northwind.client.keys.revoke('key_06dh0e3x7c9bw4vjz2n8qk5ytm')).rejects.toMatchObject({
      code: 'not_found',
    })
    expect((await northwind.client.keys.list()).map(({ id }) => id)).toEqual([northwind.keyId])
    expect((await acme.client.keys.list())[0]).toMatchObject({ is_active: true })
  })

  it('explain their state only to the holder of the complete key: unknown, revoked and mistyped ones get the same error', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const detailOf = async (key: string) => {
      const { status, body } = await ask(`${world.address}/api/v1/providers/me`, { headers: { 'X-API-Key': key } })
      return `${status} ${body.detail}`
    }
    const [short, revoked] = [
      await acme.client.keys.create({ name: 'Short', expires_in_days: 1 }),
      await acme.client.keys.create({ name: 'Revoked' }),
    ]
    await acme.client.keys.revoke(revoked.id)
    const { token } = await world.session(acme)
    world.clock.advance('1d')
    expect(await detailOf(short.api_key)).toMatch(/^401 .*has expired.*new one/)
    // Lists show a key's first characters; those alone must not reveal its state.
    const [unknown, guessed] = [madeUp('0'.repeat(8)), madeUp(short.key_prefix.slice(4))]
    const unclear = await Promise.all([unknown, revoked.api_key, guessed, 'csk_x', 'nonsense'].map(detailOf))
    expect(new Set(unclear).size).toBe(1)
    expect(unclear[0]).toMatch(/mistyped or revoked/)
    for (const ended of [token, `css_${'0'.repeat(26)}_${'x'.repeat(43)}`])
      expect(await detailOf(ended)).toMatch(/^401 .*Sign in again/)
  })

  it('expire on the day they were given', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const { api_key, expires_at } = await acme.client.keys.create({
      name: 'For a week',
      scopes: ['full'],
      expires_in_days: 7,
    })
    expect(expires_at).toBe(new Date(world.clock.now() + 7 * 86_400_000).toISOString())
    // Nor by creating a new key.
    for (const expires_in_days of [undefined, 8])
      await expect(world.client(api_key).keys.create({ name: 'For ever', expires_in_days })).rejects.toMatchObject({
        code: 'forbidden',
      })
    expect(
      (await world.client(api_key).keys.create({ name: 'For a day', expires_in_days: 1 })).expires_at,
    ).not.toBeNull()
    world.clock.advance('7d')
    await expect(world.client(api_key).providers.me()).rejects.toMatchObject({ code: 'unauthorized' })
    expect((await acme.client.keys.list()).map(({ is_active }) => is_active)).toEqual([false, false, true])
    for (const expires_in_days of [0, -1, 1.5, 3_651])
      await expect(acme.client.keys.create({ name: 'x', expires_in_days })).rejects.toMatchObject({ status: 422 })
  })

  it('are limited to a hundred active ones', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const [first] = await Promise.all(
      Array.from({ length: 99 }, (_, index) => acme.client.keys.create({ name: `Key ${index}` })),
    )
    await expect(acme.client.keys.create({ name: 'One more' })).rejects.toMatchObject({ status: 422 })
    await acme.client.keys.revoke(first?.id ?? '')
    await acme.client.keys.create({ name: 'One more' })
  })
})

describeOnSqlite('a restricted key', (engine) => {
  it('does what its scopes allow and nothing else', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const clientFor = async (...scopes: Scope[]) =>
      world.client((await acme.client.keys.create({ name: 'Restricted', scopes })).api_key)
    type Client = Awaited<ReturnType<typeof clientFor>>
    const calls: Record<string, [Scope, (client: Client) => Promise<unknown>]> = {
      'reading the keys': ['read', (client) => client.keys.list()],
      'reading the trail': ['read', (client) => client.account.events()],
      minting: ['links', (client) => client.verifications.create({ model_id })],
      'making a key': ['account', (client) => client.keys.create({ name: 'x', scopes: ['account'] })],
      'changing the profile': ['account', (client) => client.providers.update(acme.id, { industry: 'Maps' })],
      archiving: ['models', (client) => client.models.setVisibility(model_id, { is_public: true })],
    }
    for (const scope of scopes) {
      const client = await clientFor(scope)
      expect((await client.providers.me()).id).toBe(acme.id)
      for (const [name, [needed, act]] of Object.entries(calls)) {
        if (needed === scope) await act(client)
        else
          await expect(act(client), `${name} with ${scope}`).rejects.toMatchObject({ status: 403, code: 'forbidden' })
      }
    }
  })

  it('without the scope reads public data like anyone, and writes nothing', async () => {
    const world = await createWorld({ engine })
    const { owner, targets } = await createTargets(world)
    const optional = rows.filter(({ row }) => row.caller === 'optional')
    expect(optional.length).toBeGreaterThan(10)
    for (const scope of scopes) {
      const { api_key: apiKey } = await owner.client.keys.create({ name: 'Restricted', scopes: [scope] })
      for (const { name, row } of optional) {
        expect(row.scope, `${name} says what a key needs`).toBeDefined()
        if (row.scope === 'any' || row.scope === scope) continue
        const reply = await call(world, row, targets[name], { apiKey })
        const what = `${name} with ${scope}: ${reply.text.slice(0, 200)}`
        if (row.method !== 'GET') expect(reply, what).toMatchObject({ status: 403, body: { code: 'forbidden' } })
        else expect(comparable(reply), what).toEqual(comparable(await call(world, row, targets[name])))
      }
    }
  })

  it('does with the scope what its owner does, on public endpoints', async () => {
    const world = await createWorld({ engine })
    const { owner, model_id, token } = await createTargets(world)
    const clientFor = async (scope: Scope) =>
      world.client((await owner.client.keys.create({ name: 'Restricted', scopes: [scope] })).api_key)
    expect((await (await clientFor('read')).models.get(model_id)).id).toBe(model_id)
    expect((await (await clientFor('links')).verifications.bind(token, { response_text: 'Oslo' })).bound_by).toBe(
      'provider',
    )
  })

  it('can only mint and list links by default; every other scope is requested by name', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const { api_key } = await acme.client.keys.create({ name: 'Server' })
    const server = world.client(api_key)
    await server.verifications.create({ model_id })
    expect((await server.account.verifications()).total).toBe(1)
    for (const attempt of [
      () => server.keys.create({ name: 'More', scopes: ['full'] }),
      () => server.models.archive(model_id, {}),
      () => server.deployments.register({ spki_fingerprint: 'ab'.repeat(32) }),
      () => server.account.events(),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 403, code: 'forbidden' })
    expect(await acme.client.keys.create({ name: 'Everything', scopes: ['full'] })).toMatchObject({ scopes: null })
    await expect(acme.client.keys.create({ name: 'x', scopes: ['full', 'read'] })).rejects.toMatchObject({
      status: 422,
    })
  })

  it.each([...scopes])(
    'of the scope %s can revoke itself, but no other key without the scope account',
    async (scope) => {
      const world = await createWorld({ engine })
      const acme = await world.provider('acme', { isVerified: false })
      const { id, api_key } = await acme.client.keys.create({ name: 'Restricted', scopes: [scope] })
      const other = await acme.client.keys.create({ name: 'Other' })
      const attempt = world.client(api_key).keys.revoke(other.id)
      if (scope === 'account') await attempt
      else await expect(attempt).rejects.toMatchObject({ status: 403, code: 'forbidden' })
      expect(await world.client(api_key).keys.revoke(id)).toMatchObject({ id, is_active: false })
      await expect(world.client(api_key).providers.me()).rejects.toMatchObject({ code: 'unauthorized' })
    },
  )

  it('makes no key that may do more than itself', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const { api_key } = await acme.client.keys.create({ name: 'Restricted', scopes: ['account', 'read'] })
    const { keys } = world.client(api_key)
    for (const wanted of [undefined, ['full'], ['links'], ['account', 'links'], [...scopes]] as const) {
      const attempt = keys.create(wanted ? { name: 'Wider', scopes: [...wanted] } : { name: 'Wider' })
      await expect(attempt).rejects.toMatchObject({ status: 403, code: 'forbidden' })
    }
    expect(await keys.create({ name: 'As wide', scopes: ['read', 'account', 'read'] })).toMatchObject({
      scopes: ['read', 'account'],
    })
    expect(await keys.list()).toHaveLength(3)
  })
})

const trailOf = async (world: World, provider_id: string) => {
  const rows = await world.database.read
    .selectFrom('events')
    .select(['action', 'actor', 'subject_id'])
    .where('provider_id', '=', provider_id)
    .where('action', 'like', 'key.%')
    .orderBy('id')
    .execute()
  return { rows }
}
