import { expect, it } from 'vitest'
import type { ProviderActor } from '../support/actors.ts'
import { ask } from '../support/ask.ts'
import { describeEachEngine } from '../support/databases.ts'
import { createWorld, type World } from '../support/world.ts'

type Asked = Parameters<World['anyone']['search']['find']>[0]

/** Public matches: names of both groups, and their counts. The lists must return the same. */
const find = async ({ anyone }: World, query: Asked) => {
  const { providers, models, total } = await anyone.search.find(query)
  const listed = await anyone.models.list({ search: query?.q ?? '' })
  expect(listed.models.map(({ id }) => id).sort(), 'the list of models').toEqual(models.map(({ id }) => id).sort())
  const listedProviders = await anyone.providers.list({ search: query?.q ?? '' })
  expect(listedProviders.providers.map(({ id }) => id).sort(), 'the list of providers').toEqual(
    providers.map(({ id }) => id).sort(),
  )
  return {
    providers: providers.map(({ title }) => title),
    models: models.map(({ title, version }) => `${title} ${version}`),
    total,
  }
}

const nothing = { providers: [], models: [], total: 0 }

describeEachEngine('search', (engine) => {
  it('returns what the dropdown and the page show, verified domains first', async () => {
    const world = await createWorld({ engine })
    const copy = await world.provider('acme', { isVerified: false, website: 'https://acme-labs.example' })
    await copy.client.providers.update(copy.id, { company_name: 'Acme Labs Robotics' })
    const acme = await world.provider('acme')
    const copied = await copy.registerModel({ display_name: 'Atlas', api_model_identifier: 'atlas' })
    const model = await acme.registerModel({
      display_name: 'Atlas Chat',
      api_model_identifier: 'atlas-chat',
      version: '2.1',
    })
    const found = await world.anyone.search.find({ q: 'ACME lab' })
    expect(found).toEqual({
      providers: [
        {
          id: acme.id,
          title: 'Acme Labs',
          description: null,
          domain: 'acme.example',
          domain_verified: true,
          trust_level: expect.any(String),
          url: `/providers/${acme.id}`,
        },
        expect.objectContaining({
          id: copy.id,
          domain: 'acme-labs.example',
          domain_verified: false,
          trust_level: 'unverified',
        }),
      ],
      models: [
        {
          id: model,
          title: 'Atlas Chat',
          subtitle: 'acme.example',
          version: '2.1',
          description: 'A model that answers questions about maps.',
          provider_domain_verified: true,
          registered_at: expect.any(String),
          digest_at: expect.any(String),
          url: `/models/${model}`,
        },
        expect.objectContaining({ id: copied, subtitle: 'Acme Labs Robotics', provider_domain_verified: false }),
      ],
      total: 4,
      total_is_lower_bound: false,
    })
  })

  it('finds a model as soon as it is registered, and follows every change at once', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const id = await acme.registerModel({ display_name: 'Zephyr', api_model_identifier: 'zephyr', version: '1' })
    const seen = { providers: [], models: ['Zephyr 1'], total: 1 }
    expect(await find(world, { q: 'zephyr' })).toEqual(seen)
    await acme.client.models.setVisibility(id, { is_public: false })
    expect(await find(world, { q: 'zephyr' })).toEqual(nothing)
    await acme.client.models.setVisibility(id, { is_public: true })
    expect(await find(world, { q: 'zephyr' })).toEqual(seen)
    await acme.client.models.archive(id, {})
    expect(await find(world, { q: 'zephyr' })).toEqual(nothing)
    await acme.client.models.unarchive(id, {})
    expect(await find(world, { q: 'zephyr' })).toEqual(seen)
    await acme.client.models.quickEdit(id, {
      display_name: 'Boreas',
      model_name: 'Boreas',
      description: 'A wind of the north.',
    })
    expect(await find(world, { q: 'boreas' })).toEqual({ ...seen, models: ['Boreas 1'] })
    expect(await find(world, { q: 'north' })).toEqual({ ...seen, models: ['Boreas 1'] })
    expect(await find(world, { q: 'questions' })).toEqual(nothing)
  })

  it('shows one version of an identifier: the newest public one', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const register = (version: string, is_public: boolean) =>
      acme.registerModel({
        api_model_identifier: 'zephyr',
        display_name: 'Zephyr',
        version,
        is_public,
        force_new_version: version !== '1',
      } as never)
    const versions = [await register('1', true), await register('2', true), await register('3', false)] as const
    expect((await find(world, { q: 'zephyr' })).models).toEqual(['Zephyr 2'])
    await acme.client.models.setVisibility(versions[1], { is_public: false })
    expect((await find(world, { q: 'zephyr' })).models).toEqual(['Zephyr 1'])
    await acme.client.models.setVisibility(versions[2], { is_public: true })
    expect((await find(world, { q: 'zephyr' })).models).toEqual(['Zephyr 3'])
    await acme.client.models.archive(versions[2], {})
    expect(await find(world, { q: 'zephyr' })).toEqual(nothing)
  })

  it('hides and shows all models of a provider with it', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    await acme.registerModel({ display_name: 'Zephyr', api_model_identifier: 'zephyr', version: '1' })
    const all = { providers: ['Acme Labs'], models: ['Zephyr 1'], total: 2 }
    expect(await find(world, { q: 'acme' })).toEqual(all)
    const ways: readonly [
      hide: (actor: ProviderActor) => Promise<unknown>,
      show: (actor: ProviderActor) => Promise<unknown>,
    ][] = [
      [
        ({ id, client }) => client.providers.setVisibility(id, { is_listed: false }),
        ({ id, client }) => client.providers.setVisibility(id, { is_listed: true }),
      ],
      [
        ({ id, client }) => client.providers.update(id, { is_public: false }),
        ({ id, client }) => client.providers.update(id, { is_public: true }),
      ],
      [
        ({ id, client }) => client.providers.deactivate(id, {}),
        ({ id, client }) => client.providers.reactivate(id, {}),
      ],
    ]
    for (const [hide, show] of ways) {
      await hide(acme)
      expect(await find(world, { q: 'acme' })).toEqual(nothing)
      expect(await find(world, { q: 'zephyr' })).toEqual(nothing)
      await show(acme)
      expect(await find(world, { q: 'acme' })).toEqual(all)
    }
  })

  it('drops a provider that deleted its account', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    await acme.registerModel({ display_name: 'Zephyr', api_model_identifier: 'zephyr' })
    await acme.client.providers.delete(acme.id)
    expect(await find(world, { q: 'acme' })).toEqual(nothing)
    expect(await find(world, { q: 'zephyr' })).toEqual(nothing)
    for (const table of ['listed_providers', 'listed_models'] as const)
      expect(await world.database.read.selectFrom(table).selectAll().execute()).toEqual([])
  })

  it('follows changes of a provider’s name, profile and proof, and shows them on its models', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const rival = await world.provider('acme', { isVerified: false, website: 'https://rival.example' })
    await acme.registerModel({ display_name: 'Zephyr', api_model_identifier: 'zephyr' })
    const first = async (q: string) => (await world.anyone.search.find({ q })).providers[0]?.id
    await rival.publishProof()
    await rival.client.providers.verifyDomain({})
    expect(await first('acme')).toBe(rival.id)
    acme.publishProof()
    await acme.client.providers.verifyDomain({})
    expect((await world.anyone.search.find({ q: 'acme.example' })).models[0]).toMatchObject({
      subtitle: 'acme.example',
    })
    world.dns.setTxt(rival.proof.record_name, [])
    await rival.client.providers.verifyDomain({})
    expect(await first('acme')).toBe(acme.id)

    await acme.client.providers.update(acme.id, {
      company_name: 'Boreas',
      description: 'Winds and weather.',
      hq_city: 'Oslo',
    })
    expect(await find(world, { q: 'boreas' })).toEqual({ providers: ['Boreas'], models: ['Zephyr 1.0.0'], total: 2 })
    expect(await find(world, { q: 'weather' })).toMatchObject({ providers: ['Boreas'], total: 1 })
    expect((await world.anyone.providers.list({ location: 'osl' })).providers.map(({ id }) => id)).toEqual([acme.id])
    expect((await find(world, { q: 'acme' })).providers).toEqual(['Boreas', 'Acme Labs'])
  })

  it('puts opened models before unopened ones', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    await acme.registerModel({ display_name: 'Zephyr one', api_model_identifier: 'one' })
    // Among unopened ones the older comes first.
    world.clock.advance('1d')
    const opened = await acme.registerModel({ display_name: 'Zephyr two', api_model_identifier: 'two' })
    const order = async () => (await world.anyone.search.find({ q: 'zephyr' })).models.map(({ title }) => title)
    expect(await order()).toEqual(['Zephyr one', 'Zephyr two'])
    const { token } = await acme.client.verifications.create({ model_id: opened })
    expect(await world.anyone.verifications.opened(token, {})).toEqual({ counted: true })
    expect(await order()).toEqual(['Zephyr two', 'Zephyr one'])
  })

  it('finds every listed version with a digest, the earliest to state it first, and finds the object of an ID', async () => {
    const world = await createWorld({ engine })
    const [acme, copycat] = [await world.provider('acme'), await world.provider('copycat')]
    const digest = `sha256:${'5e'.repeat(32)}`
    const edited = await copycat.registerModel({ version: '0.9' })
    world.clock.advance('1m')
    const first = await acme.registerModel({ model_digest: digest, version: '1.0' })
    await acme.registerModel({ model_digest: digest, version: '1.1', is_public: false })
    await acme.registerModel({ model_digest: `sha256:${'77'.repeat(32)}`, version: '1.2' })
    world.clock.advance('1m')
    await copycat.client.models.quickEdit(edited, { model_digest: digest })
    world.clock.advance('1m')
    const later = await copycat.registerModel({ model_digest: digest })
    const [stated, changed] = (await world.anyone.search.find({ q: digest })).models
    expect(stated?.digest_at).toBe(stated?.registered_at)
    expect(changed?.registered_at).not.toBe(changed?.digest_at)
    await copycat.client.models.archive(edited, {})
    await copycat.client.models.unarchive(edited, {})
    const find = async (q: string) => {
      const { providers, models, total } = await world.anyone.search.find({ q })
      return { ids: [...providers, ...models].map(({ id }) => id), total }
    }
    for (const q of [digest, ` ${digest.slice(7).toUpperCase()} `])
      expect(await find(q)).toEqual({ ids: [first, edited, later], total: 3 })
    expect(await find(first)).toEqual({ ids: [first], total: 1 })
    expect(await find(acme.id)).toEqual({ ids: [acme.id], total: 1 })
    expect(await find(`sha256:${'00'.repeat(32)}`)).toEqual({ ids: [], total: 0 })
  })

  it('dates a digest no earlier than the proof of the domain that states it', async () => {
    const world = await createWorld({ engine })
    const digest = `sha256:${'6f'.repeat(32)}`
    const buyer = await world.provider('buyer', { isVerified: false })
    const bought = await buyer.registerModel({ model_digest: digest })
    world.clock.advance('1d')
    const acme = await world.provider('acme')
    const own = await acme.registerModel({ model_digest: digest })
    const order = async () => (await world.anyone.search.find({ q: digest })).models.map(({ id }) => id)
    expect(await order()).toEqual([bought, own])
    world.clock.advance('1d')
    buyer.publishProof()
    await buyer.client.providers.verifyDomain({})
    expect(await order()).toEqual([own, bought])
    const [first, second] = (await world.anyone.search.find({ q: digest })).models
    expect(Date.parse(second?.digest_at ?? '') - Date.parse(first?.digest_at ?? '')).toBe(86_400_000)
  })

  it('limits each group, omits a group, and counts only the requested ones', async () => {
    const world = await createWorld({ engine })
    for (const name of ['zephyra', 'zephyrb', 'zephyrc']) {
      const provider = await world.provider(name, { isVerified: false })
      await provider.registerModel({ display_name: `Zephyr ${name}` })
    }
    const sizes = async (query: Asked) => {
      const { providers, models, total } = await world.anyone.search.find({ q: 'zephyr', ...query })
      return [providers.length, models.length, total]
    }
    expect(await sizes({})).toEqual([3, 3, 6])
    expect(await sizes({ limit: 2 })).toEqual([2, 2, 6])
    expect(await sizes({ include_models: 'false' })).toEqual([3, 0, 3])
    expect(await sizes({ include_providers: '0', limit: 1 })).toEqual([0, 1, 3])
    expect(await sizes({ include_providers: 'false', include_models: 'false' })).toEqual([0, 0, 0])
  })

  it('returns nothing for an empty query, and rejects one that is too long or malformed', async () => {
    const world = await createWorld({ engine })
    await world.provider('acme')
    const get = (query: string) => ask(`${world.address}/api/v1/search${query}`)
    for (const query of [
      '',
      '?q=',
      '?q=a',
      '?q=%20a%20',
      '?q=%F0%9F%98%80%F0%9F%98%80',
      '?q=%22*%25_',
      '?q=%2B%2B%2B',
      `?q=${'%C3%9F'.repeat(200)}`,
    ]) {
      const reply = await get(query)
      expect(reply.status, query).toBe(200)
      expect(reply.body, query).toEqual({ providers: [], models: [], total: 0, total_is_lower_bound: false })
    }
    for (const query of [`?q=${'a'.repeat(201)}`, '?q=acme&limit=0', '?q=acme&include_models=yes', '?q=acme&sort=x'])
      expect(await get(query), query).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    const generous = await get('?q=acme&limit=1000&include_models=False')
    expect(generous).toMatchObject({ status: 200, body: { models: [] } })
    expect(await get('?q=acme%00')).toMatchObject({ status: 400, body: { code: 'bad_request' } })
    expect((await get('?q=acme%ff')).status).toBeLessThan(500)
    expect((await get('?q=%ED%A0%80acme')).status).toBeLessThan(500)
  })

  it('repairs an index that was lost or is older than the rows', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    await acme.registerModel({ display_name: 'Zephyr', api_model_identifier: 'zephyr' })
    const before = await find(world, { q: 'acme' })
    await world.database.transaction(async (tx) => {
      await tx.updateTable('models').set({ display_name: 'Boreas' }).execute()
      await tx.updateTable('providers').set({ opened_count: 100 }).execute()
    })
    await world.registry.jobs.run('search-index')
    expect(await find(world, { q: 'boreas' })).toMatchObject({ models: ['Boreas 1.0.0'], total: 1 })
    await world.database.transaction((tx) => tx.updateTable('providers').set({ is_listed: 0 }).execute())
    await world.registry.jobs.run('search-index')
    expect(await find(world, { q: 'boreas' })).toEqual(nothing)
    await world.database.transaction((tx) => tx.updateTable('providers').set({ is_listed: 1 }).execute())
    await world.registry.jobs.run('search-index')
    expect(await find(world, { q: 'acme' })).toEqual({ ...before, models: ['Boreas 1.0.0'] })
  })
})
