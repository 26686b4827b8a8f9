import { expect, it } from 'vitest'
import { describeOnSqlite } from '../support/databases.ts'
import { createWorld, type World } from '../support/world.ts'

const digestOf = (letter: string) => `sha256:${letter.repeat(64)}`

/** As if another version of the registry, or an operator, had changed the row under a live link. */
const setModel = (world: World, id: string, columns: object) =>
  world.database.transaction((tx) => tx.updateTable('models').set(columns).where('id', '=', id).execute())

describeOnSqlite('what a link names', (engine) => {
  it('shows the name at minting on every surface when the provider is renamed, and shows the rename as a change', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const link = await acme.client.verifications.create({ model_id })
    const before = await world.anyone.verifications.get(link.verification_url)
    expect(before.later_changes).toEqual([])
    await acme.client.providers.update(acme.id, { company_name: 'Northwind Robotics' })
    for (const input of [link.verification_url, link.token]) {
      const after = await world.anyone.verifications.get(input)
      expect(after).toMatchObject({
        result: 'verified',
        provider: { name: before.provider?.name, domain: before.provider?.domain },
      })
      expect(after.later_changes).toEqual([
        { field: 'provider.name', minted: before.provider?.name, now: 'Northwind Robotics' },
      ])
      expect((await world.anyone.verifications.inspect(input)).provider?.name).toBe(before.provider?.name)
    }
    const later = await acme.client.verifications.create({ model_id })
    expect(await world.anyone.verifications.get(later.token)).toMatchObject({
      provider: { name: 'Northwind Robotics' },
      later_changes: [],
    })
  })

  it('shows the values at minting when the version’s row changes; `/jwt/verify` reports what the token contains', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel({ model_digest: digestOf('a') })
    const link = await acme.client.verifications.create({ model_id })
    const minted = await world.anyone.verifications.get(link.token)
    await setModel(world, model_id, {
      display_name: 'Atlas Pro',
      version: '9.9',
      model_type: 'vision',
      model_digest: digestOf('b'),
    })
    const shown = await world.anyone.verifications.get(link.token)
    expect(shown.model).toEqual(minted.model)
    expect(shown.later_changes).toEqual([
      { field: 'model.name', minted: 'Atlas Chat', now: 'Atlas Pro' },
      { field: 'model.version', minted: '1.0.0', now: '9.9' },
      { field: 'model.type', minted: minted.model?.type, now: 'vision' },
      { field: 'model.model_digest', minted: digestOf('a'), now: digestOf('b') },
    ])
    const { claims } = await world.anyone.verifications.inspect(link.token)
    expect(claims).toEqual(JSON.parse(Buffer.from(link.token.split('.')[1] ?? '', 'base64url').toString()))
    expect(JSON.stringify(shown.checks)).not.toContain('Atlas Pro')
    expect((await acme.client.account.verifications({})).verifications).toMatchObject([
      { model_name: 'Atlas Chat', model_version: '1.0.0' },
    ])
    // The current name of a private model is hidden from people with an old link.
    await setModel(world, model_id, { is_public: 0 })
    expect((await world.anyone.verifications.get(link.token)).later_changes).toEqual([])
  })

  it('`/jwt/verify` reports the answer in a stranger’s bound token, even if the provider bound a different answer', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const { token } = await acme.client.verifications.create({ model_id: await acme.registerModel() })
    const bound = [
      await world.anyone.verifications.bind(token, { response_text: 'What a stranger says.' }),
      await acme.client.verifications.bind(token, { response_text: 'What the model said.' }),
    ]
    for (const { bound_token } of bound) {
      const { claims } = await world.anyone.verifications.inspect(bound_token)
      expect(claims).toEqual(JSON.parse(Buffer.from(bound_token.split('.')[1] ?? '', 'base64url').toString()))
    }
  })

  it('is stored once for all links that name the same things', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const mint = (client: typeof acme.client) => client.verifications.create({ model_id })
    const other = (await world.startReplica()).client(acme.apiKey)
    await Promise.all(Array.from({ length: 8 }, (_, index) => mint(index % 2 ? acme.client : other)))
    const stored = () => world.database.read.selectFrom('link_snapshots').selectAll().execute()
    const [first] = await stored()
    expect(await stored()).toMatchObject([{ provider_id: acme.id, display_name: 'Atlas Chat', domain: acme.domain }])
    await acme.client.providers.update(acme.id, { company_name: 'Northwind Robotics' })
    await mint(acme.client)
    expect(await stored()).toHaveLength(2)
    expect(await stored()).toContainEqual(first)
  })

  it('is erased with the account, except for its domain until the link is deleted', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    await acme.client.verifications.create({ model_id: await acme.registerModel() })
    await acme.client.providers.delete(acme.id)
    await world.jobs.run('erasure')
    const stored = () =>
      world.database.read.selectFrom('link_snapshots').select(['company_name', 'website', 'domain']).execute()
    const kept = [{ company_name: null, website: null, domain: acme.domain }]
    expect(await stored()).toEqual(kept)
    world.clock.advance('30d')
    await world.jobs.run('cleanup')
    expect(await stored()).toEqual(kept)
    world.clock.advance('1d')
    await world.jobs.run('cleanup')
    expect(await stored()).toEqual([])
  })
})

describeOnSqlite('a version that a link names', (engine) => {
  const closed = { status: 409, code: 'quick_edit_closed' }

  it('cannot be edited in place once its first link is minted, opened or not', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    await acme.client.models.quickEdit(model_id, { display_name: 'Atlas Maps' })
    const { token } = await acme.client.verifications.create({ model_id })
    expect((await acme.client.models.get(model_id)).can_quick_edit).toBe(false)
    await expect(acme.client.models.quickEdit(model_id, { display_name: 'Atlas Pro' })).rejects.toMatchObject(closed)
    expect(await world.anyone.verifications.get(token)).toMatchObject({
      model: { name: 'Atlas Maps' },
      later_changes: [],
    })
  })

  it('cannot be edited in place once a newer version supersedes it', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const { api_model_identifier } = await acme.client.models.get(model_id)
    const newer = await acme.registerModel({ api_model_identifier, version: '2.0.0', force_new_version: true })
    expect((await acme.client.models.get(model_id)).can_quick_edit).toBe(false)
    await expect(acme.client.models.quickEdit(model_id, { display_name: 'Atlas Pro' })).rejects.toMatchObject(closed)
    expect((await acme.client.models.quickEdit(newer, { display_name: 'Atlas Pro' })).display_name).toBe('Atlas Pro')
  })

  it('keeps its name on the link when it is edited while the link is minted', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const other = (await world.startReplica()).client(acme.apiKey)
    for (let round = 0; round < 8; round++) {
      const model_id = await acme.registerModel()
      const [{ token }] = await Promise.all([
        acme.client.verifications.create({ model_id }),
        other.models
          .quickEdit(model_id, { version: `2.${round}` })
          .catch((error) => expect(error).toMatchObject(closed)),
      ])
      const { model, later_changes } = await world.anyone.verifications.get(token)
      const { version } = await acme.client.models.get(model_id)
      const { version: signed } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
      expect([model?.version, signed, later_changes]).toEqual([version, version, []])
    }
  })
})
