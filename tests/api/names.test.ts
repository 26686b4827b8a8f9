import type { Countersign } from '@countersign/sdk'
import { notesOf } from '@countersign/sdk/words'
import { expect, it } from 'vitest'
import { openFullText } from '../../server/src/db/full-text/open.ts'
import { createMailService } from '../../server/src/mail/service.ts'
import { createProtection, type ProtectedName, readProtectedNames } from '../../server/src/names/rules.ts'
import { createNameService } from '../../server/src/names/service.ts'
import { createListings } from '../../server/src/search/listings.ts'
import { digestOf } from '../support/actors.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { mintOverTls } from '../support/proven-link.ts'
import { createWorld, type World } from '../support/world.ts'

const listedIds = async (world: World) => (await world.anyone.providers.list({})).providers.map(({ id }) => id)

const proveDomain = async (world: World, { client }: { client: Countersign }, domain: string) => {
  const { domain_proof } = await client.domains.add({ domain })
  world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
  await client.domains.verify(domain, {})
  await client.domains.makePrimary(domain, {})
}

/** The work of the hourly job. */
const lookAtNames = async (world: World, names: readonly ProtectedName[] = []) => {
  const { database } = world
  const protection = createProtection(names)
  const listings = createListings({
    database,
    fullText: await openFullText(database),
    protection,
    now: world.clock.now,
  })
  let count = 0
  const mail = createMailService({
    database,
    publicUrl: world.publicUrl,
    now: world.clock.now,
    newId: () => `mal_${String(count++).padStart(26, '0')}` as never,
    deliver: async () => 'sent',
    onFailure: () => {},
    onAbandoned: () => {},
  })
  await createNameService({ database, mail, listings, protection, now: world.clock.now }).run(
    new AbortController().signal,
  )
}

describeOnSqlite('the name of a provider', (engine) => {
  it('is listed with a proven domain, even if others have similar names', async () => {
    const world = await createWorld({ engine })
    const squatter = await world.provider('squatter')
    await squatter.client.providers.update(squatter.id, { company_name: 'Acme Labs' })
    const acme = await world.provider('acme')
    expect(await acme.client.providers.me()).toMatchObject({
      company_name: 'Acme Labs',
      is_listed: true,
      listing_problem: null,
    })
    expect((await listedIds(world)).sort()).toEqual([acme.id, squatter.id].sort())
    expect((await world.anyone.search.find({ q: 'acme' })).providers.map(({ id }) => id)).toContain(acme.id)
  })

  it('that looks like one of a listed provider with a proven domain is listed only with a proven domain', async () => {
    const world = await createWorld({ engine })
    const copy = await world.provider('copy', { isVerified: false })
    await copy.registerModel({ display_name: 'Copied model' })
    await copy.client.providers.update(copy.id, { company_name: 'ACME-LABS' })
    const isFound = async () => {
      const { is_listed, listing_problem } = await copy.client.providers.me()
      expect(listing_problem).toBe(is_listed ? null : 'name_looks_alike')
      expect((await listedIds(world)).includes(copy.id)).toBe(is_listed)
      expect((await world.anyone.search.find({ q: 'acme' })).providers.some(({ id }) => id === copy.id)).toBe(is_listed)
      expect(
        (await world.anyone.models.list({})).models.some(({ display_name }) => display_name === 'Copied model'),
      ).toBe(is_listed)
      return is_listed
    }
    expect(await isFound()).toBe(true)
    const acme = await world.provider('acme', { isVerified: false })
    expect(await isFound()).toBe(true)
    const { domain_proof } = await acme.client.providers.me()
    if (domain_proof) world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
    await acme.client.providers.verifyDomain({})
    expect(await isFound()).toBe(false)

    // It tracks the other provider's listing and name.
    for (const [hidden, shown] of [
      [{ is_listed: false }, { is_listed: true }],
      [{ company_name: 'Northwind' }, { company_name: 'The Acme Labs' }],
    ] as const) {
      await acme.client.providers.update(acme.id, hidden)
      expect(await isFound()).toBe(true)
      await acme.client.providers.update(acme.id, shown)
      expect(await isFound()).toBe(false)
    }
    await acme.client.providers.deactivate(acme.id, {})
    expect(await isFound()).toBe(true)
    await acme.client.providers.reactivate(acme.id, {})
    expect(await isFound()).toBe(false)

    const { domain_proof: own } = await copy.client.providers.me()
    if (own) world.dns.setTxt(own.record_name, [own.record_value])
    await copy.client.providers.verifyDomain({})
    expect(await isFound()).toBe(true)
  })

  it('that belongs to the domain of another gives its provider no claim to it', async () => {
    const world = await createWorld({ engine })
    const mallory = await world.provider('mallory')
    await mallory.client.providers.update(mallory.id, { company_name: 'Northwind' })
    // A website is stated, and the name stays when another domain is proven.
    const claims = await world.provider('claims', { isVerified: false, website: 'https://acme.example' })
    await claims.client.providers.update(claims.id, { company_name: 'Acme.example' })
    await proveDomain(world, claims, 'claims.example')
    world.clock.advance('1d')
    const [northwind, acme] = [await world.provider('northwind'), await world.provider('acme')]
    await northwind.client.providers.update(northwind.id, { company_name: 'Northwind' })
    await acme.client.providers.update(acme.id, { company_name: 'Acme.example' })

    const similarOn = async ({ id, client }: typeof acme, token: string) => {
      const { similar_name_domain } = await world.anyone.providers.get(id)
      expect((await world.anyone.verifications.get(token)).provider?.similar_name_domain).toBe(similar_name_domain)
      expect((await client.providers.me()).similar_name_domain).toBe(similar_name_domain)
      return similar_name_domain
    }
    const mint = async ({ client, registerModel }: typeof acme) =>
      (await client.verifications.create({ model_id: await registerModel() })).token
    const tokens = { northwind: await mint(northwind), acme: await mint(acme) }
    expect(await similarOn(acme, tokens.acme)).toBeNull()
    expect((await world.anyone.providers.get(claims.id)).similar_name_domain).toBe('acme.example')

    expect(await similarOn(northwind, tokens.northwind)).toBe('mallory.example')
    const protectedNames = [{ name: 'Northwind', domain: 'northwind.example' }]
    const { jobs } = await world.startReplica({ protectedNames })
    await jobs.run('search-index')
    expect(await similarOn(northwind, tokens.northwind)).toBeNull()
    expect((await world.anyone.providers.get(mallory.id)).similar_name_domain).toBe('northwind.example')

    // Without the protection it has a claim again, from that moment on. The hourly job removes it as well.
    world.clock.advance('1m')
    await world.jobs.run('search-index')
    expect(await similarOn(northwind, tokens.northwind)).toBeNull()
    world.clock.advance('1m')
    for (const company_name of ['Other', 'Northwind'])
      await northwind.client.providers.update(northwind.id, { company_name })
    expect((await world.anyone.providers.get(northwind.id)).similar_name_domain).toBe('mallory.example')
    await lookAtNames(world, protectedNames)
    expect((await world.anyone.providers.get(northwind.id)).similar_name_domain).toBeNull()
  })

  it('that its page withholds is in no list or search result, and neither is its provider', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    await proveDomain(world, acme, 'second.example')
    await acme.client.domains.makePrimary('acme.example', {})
    const model_digest = digestOf('weights')
    const of = { display_name: 'Chat of second.example', version: 'second.example 1', model_digest }
    const model_id = await acme.registerModel({ ...of, api_model_identifier: 'chat' })
    await acme.client.domains.remove('second.example')

    const named = async (anyone = world.anyone) => {
      const [byId, byDigest, byWords] = await Promise.all(
        [model_id, model_digest, 'chat'].map((q) => anyone.search.find({ q })),
      )
      const found = [byId, byDigest, byWords].map((each) => each?.models.map(({ title, version }) => [title, version]))
      const { models } = await anyone.models.list({})
      expect(byDigest?.total).toBe(byDigest?.models.length)
      return [...found, models.map(({ display_name, version }) => [display_name, version])]
    }
    const page = await world.anyone.models.get(model_id)
    const shown = [[page.display_name, page.version]]
    expect(shown).toEqual([['chat', '#1']])
    expect(await named()).toEqual([shown, shown, shown, shown])
    await world.jobs.run('names')
    expect(await named()).toEqual([[], [], [], []])

    const next = { model_digest, display_name: 'Chat', api_model_identifier: 'chat', version: '2' }
    await acme.registerModel({ ...next, force_new_version: true })
    expect((await named()).slice(1)).toEqual([[['Chat', '2']], [['Chat', '2']], [['Chat', '2']]])
    const replica = await world.startReplica({
      protectedNames: [{ name: 'Acme Labs', domain: 'other.example' }],
    })
    await replica.jobs.run('search-index')
    const anyone = replica.client()
    expect((await anyone.providers.get(acme.id)).company_name).toBeNull()
    expect(await named(anyone)).toEqual([[], [], [], []])
    expect(await anyone.search.find({ q: acme.id })).toMatchObject({ providers: [], total: 0 })
  })

  it('that was adopted after a link was minted is shown on the link that looks like it', async () => {
    const world = await createWorld({ engine })
    await world.provider('acme')
    world.clock.advance('1h')
    const later = await world.provider('later')
    const { token } = await later.client.verifications.create({ model_id: await later.registerModel() })
    await later.client.providers.update(later.id, { company_name: 'Acme Labs' })
    expect(await world.anyone.verifications.get(token)).toMatchObject({
      result: 'verified',
      later_changes: [{ field: 'provider.name', minted: 'Later Labs', now: 'Acme Labs' }],
      provider: { similar_name_domain: 'acme.example' },
    })
  })
})

describeOnSqlite('the name of a provider', (engine) => {
  it('that looks like one of a deleted provider is listed again', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const copy = await world.provider('copy', { isVerified: false })
    await copy.client.providers.update(copy.id, { company_name: 'ACME-LABS' })
    expect(await listedIds(world)).toEqual([acme.id])
    await acme.client.providers.delete(acme.id)
    expect(await listedIds(world)).toEqual([copy.id])
  })

  it('that looks like one of an earlier proven domain says so on its pages and links, even if it is not listed', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    world.clock.advance('1d')
    const later = await world.provider('later')
    const unproven = await world.provider('unproven', { isVerified: false })
    for (const [index, company_name] of [
      'Acme Labs, Inc.',
      'ACME-LABS',
      'Асме Labs',
      'The Acme Łabs GmbH',
      'Acrne Labs',
    ].entries()) {
      await later.client.providers.update(later.id, { company_name, is_listed: index % 2 === 0 })
      expect((await world.anyone.providers.get(later.id)).similar_name_domain, company_name).toBe('acme.example')
    }
    await unproven.client.providers.update(unproven.id, { company_name: 'Acme Labs' })
    expect((await world.anyone.providers.get(unproven.id)).similar_name_domain).toBe('acme.example')
    expect((await world.anyone.providers.get(acme.id)).similar_name_domain).toBeNull()

    const linkOf = async (of: typeof acme) => {
      const { token } = await of.client.verifications.create({ model_id: await of.registerModel() })
      return world.anyone.verifications.get(token)
    }
    expect((await linkOf(later)).provider?.similar_name_domain).toBe('acme.example')
    expect((await linkOf(acme)).provider?.similar_name_domain).toBeNull()
    const { token } = await later.client.verifications.create({
      model_id: await later.registerModel({ api_model_identifier: 'before' }),
    })
    await later.client.providers.update(later.id, { company_name: 'Later Labs' })
    expect((await world.anyone.providers.get(later.id)).similar_name_domain).toBeNull()
    // A link keeps its name and the warning about it.
    expect((await world.anyone.verifications.get(token)).provider).toMatchObject({
      name: 'Acrne Labs',
      similar_name_domain: 'acme.example',
    })
  })

  it('is the earlier one under another domain of its provider only from the proof of that domain', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    world.clock.advance('1d')
    const later = await world.provider('later')
    await later.client.providers.update(later.id, { company_name: 'Acme Labs' })
    world.clock.advance('1d')
    const { domain_proof } = await acme.client.domains.add({ domain: 'acme-new.example' })
    world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
    await acme.client.domains.verify('acme-new.example', {})
    await acme.client.domains.makePrimary('acme-new.example', {})
    const seen = async () => {
      const [first, second] = [await world.anyone.providers.get(acme.id), await world.anyone.providers.get(later.id)]
      return { acme: first.similar_name_domain, later: second.similar_name_domain }
    }
    expect(await seen()).toEqual({ acme: 'later.example', later: null })
    // A link shows the domain that it was minted under, even if another is primary now.
    const { token } = await acme.client.verifications.create({ model_id: await acme.registerModel() })
    await acme.client.domains.makePrimary('acme.example', {})
    expect((await world.anyone.verifications.get(token)).provider?.similar_name_domain).toBe('later.example')
    expect(await seen()).toEqual({ acme: null, later: 'acme.example' })
    await acme.client.domains.makePrimary('acme-new.example', {})
    world.dns.fail(domain_proof.record_name, 'servfail')
    world.clock.advance('25h')
    await world.jobs.run('domains')
    expect((await acme.client.providers.me()).domain_status).toBe('stale')
    expect(await seen()).toEqual({ acme: 'later.example', later: null })
  })

  it('is no longer the earlier one once it was given up, or its proof lost', async () => {
    const world = await createWorld({ engine })
    const [renamed, lapsed] = [await world.provider('renamed'), await world.provider('lapsed')]
    for (const { client, id } of [renamed, lapsed]) await client.providers.update(id, { company_name: 'Future Corp' })
    await renamed.client.providers.update(renamed.id, { company_name: 'Zed' })
    world.dns.setTxt(lapsed.proof.record_name, [])
    await lapsed.client.providers.verifyDomain({})
    world.clock.advance('1d')
    const future = await world.provider('future')
    await future.client.providers.update(future.id, { company_name: 'Future Corp' })
    world.clock.advance('1d')
    await renamed.client.providers.update(renamed.id, { company_name: 'Future Corp' })
    lapsed.publishProof()
    await lapsed.client.providers.verifyDomain({})
    expect((await world.anyone.providers.get(future.id)).similar_name_domain).toBeNull()
    for (const { id } of [renamed, lapsed])
      expect((await world.anyone.providers.get(id)).similar_name_domain).toBe('future.example')
  })

  it('with a proof that was lost for two minutes says only that another one has held it for longer', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    world.clock.advance('1d')
    const impostor = await world.provider('impostor')
    await impostor.client.providers.update(impostor.id, { company_name: 'Acme Labs' })
    world.dns.setTxt(acme.proof.record_name, [])
    await acme.client.providers.verifyDomain({})
    world.clock.advance('2m')
    acme.publishProof()
    await acme.client.providers.verifyDomain({})
    const { token } = await acme.client.verifications.create({ model_id: await acme.registerModel() })
    expect(notesOf(await world.anyone.verifications.get(token))).toEqual([
      'Another provider has had a similar name and a proven domain for longer: impostor.example',
    ])
  })

  it('stays the earlier one, and listed, while the proof of its domain cannot be read', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    world.clock.advance('1h')
    const [later, unproven] = [await world.provider('later'), await world.provider('unproven', { isVerified: false })]
    world.dns.fail(acme.proof.record_name, 'servfail')
    world.clock.advance('25h')
    await world.jobs.run('domains')
    for (const { client, id } of [later, unproven]) await client.providers.update(id, { company_name: 'Acme Labs' })
    expect(await acme.client.providers.me()).toMatchObject({
      domain_status: 'stale',
      is_listed: true,
      similar_name_domain: null,
    })
    expect((await listedIds(world)).sort()).toEqual([acme.id, later.id].sort())
    for (const { id } of [later, unproven])
      expect((await world.anyone.providers.get(id)).similar_name_domain).toBe('acme.example')
  })

  it('that looks like that of an earlier proven domain says so even if it claims that domain', async () => {
    const world = await createWorld({ engine })
    await world.provider('acme')
    const copy = await world.provider('copy', { isVerified: false, website: 'https://acme.example' })
    await copy.client.providers.update(copy.id, { company_name: 'Acme Labs' })
    expect((await world.anyone.providers.get(copy.id)).similar_name_domain).toBe('acme.example')
    const { token } = await copy.client.verifications.create({ model_id: await copy.registerModel() })
    expect((await world.anyone.verifications.get(token)).provider?.similar_name_domain).toBe('acme.example')
  })

  it('does not become the earlier one by a rename, and stays it while the website is elsewhere', async () => {
    const world = await createWorld({ engine })
    const old = await world.provider('old')
    world.clock.advance('1d')
    const acme = await world.provider('acme')
    world.clock.advance('1d')
    await old.client.providers.update(old.id, { company_name: 'Acme Labs' })
    expect((await world.anyone.providers.get(old.id)).similar_name_domain).toBe('acme.example')
    await acme.client.providers.update(acme.id, { website: 'https://elsewhere.example' })
    expect((await world.anyone.providers.get(old.id)).similar_name_domain).toBeNull()
    await acme.client.providers.update(acme.id, { website: 'https://acme.example' })
    acme.publishProof()
    const { domain_proof } = await acme.client.providers.me()
    if (domain_proof) world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
    await acme.client.providers.verifyDomain({})
    expect((await world.anyone.providers.get(acme.id)).similar_name_domain).toBeNull()
    expect((await world.anyone.providers.get(old.id)).similar_name_domain).toBe('acme.example')
  })

  it('that breaks the rules is rejected in every call that accepts one', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const bad = 'Verified by Countersign'
    const refused = { status: 422, code: 'validation_failed' }
    for (const company_name of ['Officiaǀ Acme', 'Mistraǀ', 'Gǀobal Lab', 'openai.cꬽm', 'acme\u{1d16d}example'])
      await expect(acme.client.providers.update(acme.id, { company_name }), company_name).rejects.toMatchObject(refused)
    const details = { email: 'a@northwind.example', website: 'https://northwind.example' }
    await expect(world.anyone.providers.register({ ...details, company_name: bad })).rejects.toMatchObject(refused)
    await expect(acme.client.providers.update(acme.id, { company_name: bad })).rejects.toMatchObject(refused)
    await expect(acme.registerModel({ display_name: bad })).rejects.toMatchObject(refused)
    await expect(acme.registerModel({ version: '2.0 ✅' })).rejects.toMatchObject(refused)
    await expect(acme.registerModel({ api_model_identifier: 'verified-by-countersign' })).rejects.toMatchObject(refused)
    await expect(
      acme.client.deployments.register({ spki_fingerprint: 'ab'.repeat(32), cloud_identity: 'vеrified' }),
    ).rejects.toMatchObject(refused)
    expect((await acme.client.providers.me()).company_name).toBe('Acme Labs')
  })

  it('that was stored before the rules stays, is unlisted until it is changed, and its owner is emailed', async () => {
    const world = await createWorld({ engine })
    const [acme, northwind] = [await world.provider('acme'), await world.provider('northwind')]
    const [fine, marked] = [
      await northwind.registerModel({ display_name: 'Fine' }),
      await northwind.registerModel({ api_model_identifier: 'marked', version: '1' }),
    ]
    await world.database.transaction(async (tx) => {
      await tx.updateTable('providers').set({ names_checked: 0, email_verified_at: 1 }).execute()
      await tx.updateTable('providers').set({ company_name: 'Official Acme ✅' }).where('id', '=', acme.id).execute()
      await tx.updateTable('models').set({ version: '1 ✅ Verified' }).where('id', '=', marked).execute()
    })
    await lookAtNames(world)
    expect(await listedIds(world)).toEqual([northwind.id])
    expect((await world.anyone.models.list({})).models.map(({ id }) => id)).toEqual([fine])
    expect((await world.anyone.providers.get(acme.id)).company_name).toBe('Official Acme ✅')
    expect((await world.anyone.models.get(marked)).version).toBe('1 ✅ Verified')
    expect(await acme.client.providers.me()).toMatchObject({ is_listed: false, listing_problem: 'name_not_allowed' })
    const mailsTo = async (to: string) => (await world.mails(to)).map(({ text }) => text)
    expect(await mailsTo('acme@acme.example')).toEqual([expect.stringContaining('Official Acme')])
    expect(await mailsTo('northwind@northwind.example')).toEqual([expect.stringContaining('Atlas Chat 1')])

    await lookAtNames(world)
    expect(await mailsTo('acme@acme.example')).toHaveLength(1)
    expect(await acme.client.providers.update(acme.id, { company_name: 'Acme Labs' })).toMatchObject({
      is_listed: true,
    })
    expect((await listedIds(world)).sort()).toEqual([acme.id, northwind.id].sort())
    const { model_id } = await northwind.client.models.register({
      display_name: 'Atlas Chat',
      api_model_identifier: 'marked',
      version: '2',
      description: 'A model that answers questions.',
      endpoint: 'https://api.northwind.example/v1',
      force_new_version: true,
    })
    expect((await world.anyone.models.list({})).models.map(({ id }) => id).sort()).toEqual([fine, model_id].sort())
  })

  it('that was stored with letters that look like Latin ones is similar to the one that it looks like', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    world.clock.advance('1d')
    const copy = await world.provider('copy')
    await world.database.transaction((tx) =>
      tx
        .updateTable('providers')
        .set({ company_name: 'Acmꬲ ǀabs', name_skeleton: 'acmꬲǀabs', names_checked: 0 })
        .where('id', '=', copy.id)
        .execute(),
    )
    const similar = async () => (await world.anyone.providers.get(copy.id)).similar_name_domain
    expect(await similar()).toBeNull()
    await lookAtNames(world)
    expect(await similar()).toBe(acme.domain)
    expect(await copy.client.providers.me()).toMatchObject({ is_listed: false, listing_problem: 'name_not_allowed' })
  })

  it('that the operator protects is rejected for others, and listed once its own domain is proven', async () => {
    const protectedNames = readProtectedNames('# ours\nNorthwind northwind.example\n') ?? []
    const world = await createWorld({ engine, protectedNames })
    const mallory = await world.provider('mallory')
    const register = (website: string) =>
      world.anyone.providers.register({ company_name: 'N0rthwind, Inc.', email: 'a@mallory.example', website })
    for (const attempt of [
      () => register('https://mallory.example'),
      () => mallory.client.providers.update(mallory.id, { company_name: 'NORTHWIND' }),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 422, code: 'validation_failed' })

    const { api_key, provider_id, domain_proof } = await register('https://northwind.example')
    const owner = world.client(api_key)
    expect(await owner.providers.me()).toMatchObject({ is_listed: false, listing_problem: 'name_protected' })
    expect(await listedIds(world)).toEqual([mallory.id])
    // Another website does not take the name along either.
    await expect(owner.providers.update(provider_id, { website: 'https://mallory2.example' })).rejects.toMatchObject({
      status: 422,
    })
    world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
    await owner.providers.verifyDomain({})
    expect(await owner.providers.me()).toMatchObject({ is_listed: true, listing_problem: null })
    expect((await listedIds(world)).sort()).toEqual([mallory.id, provider_id].sort())
  })

  it('that the operator protects is not shown under another proven domain', async () => {
    const world = await createWorld({ engine, protectedNames: [{ name: 'Northwind', domain: 'northwind.example' }] })
    const mallory = await world.provider('mallory', { isVerified: false, website: 'https://northwind.example' })
    await mallory.client.providers.update(mallory.id, { company_name: 'Northwind' })
    const model_id = await mallory.registerModel()
    const shown = async () => {
      const { token } = await mallory.client.verifications.create({ model_id })
      const { provider } = await world.anyone.verifications.get(token).catch(({ body }) => body.verification)
      return [
        provider.name,
        (await world.anyone.providers.get(mallory.id)).company_name,
        (await world.anyone.models.get(model_id)).provider_name,
      ]
    }
    expect(await shown()).toEqual([null, null, null])
    const { domain_proof } = await mallory.client.domains.add({ domain: 'mallory.example' })
    world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
    await mallory.client.domains.verify('mallory.example', {})
    await mallory.client.domains.makePrimary('mallory.example', {})
    expect(await shown()).toEqual([null, null, null])
    expect(await listedIds(world)).toEqual([])
    expect(await mallory.client.providers.me()).toMatchObject({
      company_name: 'Northwind',
      listing_problem: 'name_protected',
    })
    await expect(mallory.client.providers.update(mallory.id, { company_name: 'NORTHWIND' })).rejects.toMatchObject({
      status: 422,
    })
  })

  it('that the operator protects from now on disappears from lists soon after the restart', async () => {
    const world = await createWorld({ engine })
    const mallory = await world.provider('mallory')
    await mallory.client.providers.update(mallory.id, { company_name: 'Northwind' })
    await world.jobs.run('search-index')
    expect(await listedIds(world)).toEqual([mallory.id])
    const isDue = async () => {
      const { due_at } = await world.database.read
        .selectFrom('jobs')
        .select('due_at')
        .where('name', '=', 'search-index')
        .executeTakeFirstOrThrow()
      return due_at <= world.clock.now()
    }
    const protectedNames = [{ name: 'Northwind', domain: 'northwind.example' }]
    const { jobs } = await world.startReplica({ protectedNames })
    expect(await isDue()).toBe(true)
    await jobs.run('search-index')
    expect(await listedIds(world)).toEqual([])
    await world.startReplica({ protectedNames })
    expect(await isDue()).toBe(false)
  })

  it('that contains the domain of another is rejected, and shown only with that domain', async () => {
    const world = await createWorld({ engine })
    await world.provider('acme')
    const mallory = await world.provider('mallory')
    for (const company_name of [
      'acme.example',
      'Mallory (www.Acme.example)',
      'acme．example Inc.',
      'Acme.AI',
      'Acme. Example',
      '(acme).example',
      'acme dot example',
    ])
      await expect(mallory.client.providers.update(mallory.id, { company_name }), company_name).rejects.toMatchObject({
        status: 422,
      })
    for (const company_name of ['mallory.example', 'Mallory A.I. Labs 2.0'])
      await mallory.client.providers.update(mallory.id, { company_name })

    // A domain that is proven later does not take the name along either.
    const claims = await world.provider('claims', { isVerified: false, website: 'https://acme.example' })
    await claims.client.providers.update(claims.id, { company_name: 'Acme.example' })
    const { domain_proof } = await claims.client.domains.add({ domain: 'claims.example' })
    world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
    await claims.client.domains.verify('claims.example', {})
    await claims.client.domains.makePrimary('claims.example', {})
    const { token } = await claims.client.verifications.create({ model_id: await claims.registerModel() })
    expect(await world.anyone.verifications.get(token)).toMatchObject({
      result: 'verified',
      provider: { domain: 'claims.example', name: null },
    })
    expect((await world.anyone.providers.get(claims.id)).company_name).toBeNull()
    expect(await listedIds(world)).not.toContain(claims.id)
  })

  it('that contains the domain of another is rejected for models and labels, in any spelling', async () => {
    const world = await createWorld({ engine })
    const mallory = await world.provider('mallory')
    const refused = (field: string) => ({
      status: 422,
      code: 'validation_failed',
      problem: expect.objectContaining({
        errors: [expect.objectContaining({ loc: ['body', field], msg: expect.stringContaining('domain') })],
      }),
    })
    const model_id = await mallory.registerModel({ display_name: 'Mallory.example Chat', version: 'v2.0.app' })
    for (const field of ['display_name', 'model_name', 'version', 'family_name']) {
      const change = { [field]: '1.0 by (Acme).Example' }
      await expect(
        mallory.registerModel({ api_model_identifier: `with-${field}`, ...change }),
        field,
      ).rejects.toMatchObject(refused(field))
      await expect(mallory.client.models.quickEdit(model_id, change), field).rejects.toMatchObject(refused(field))
    }
    await expect(mallory.registerModel({ api_model_identifier: 'chat-by-acme-dot-example' })).rejects.toMatchObject(
      refused('api_model_identifier'),
    )
    await mallory.registerModel({ api_model_identifier: 'mallory-dot-example' })
    await expect(
      mallory.client.deployments.register({
        spki_fingerprint: 'ab'.repeat(32),
        cloud_identity: 'prod acme dot example',
      }),
    ).rejects.toMatchObject(refused('cloud_identity'))
    await mallory.client.deployments.register({
      spki_fingerprint: 'ab'.repeat(32),
      cloud_identity: 'chat.mallory.example',
    })

    // Stored labels are shown only with the domain of the link.
    const { minted, deployment_id } = await mintOverTls(world, mallory, { model_id })
    for (const domain of ['acme.example', 'mallory.example']) {
      const stored = { cloud_identity: `prod of ${domain}`, spiffe_id: `spiffe://${domain}/chat` }
      await world.database.transaction((tx) =>
        tx.updateTable('deployments').set(stored).where('id', '=', deployment_id).execute(),
      )
      const { deployment_info } = await world.anyone.verifications.get(minted.token)
      expect(deployment_info).toMatchObject(
        domain === mallory.domain ? stored : { cloud_identity: null, spiffe_id: null },
      )
    }

    // A domain that was proven when the name was chosen, and no longer is.
    const { domain_proof } = await mallory.client.domains.add({ domain: 'second.example' })
    const named = () =>
      mallory.registerModel({ api_model_identifier: 'second', display_name: 'Chat of second.example' })
    await expect(named()).rejects.toMatchObject(refused('display_name'))
    world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
    await mallory.client.domains.verify('second.example', {})
    const second = await named()
    await world.database.transaction((tx) => tx.updateTable('providers').set({ email_verified_at: 1 }).execute())
    const isListed = async () => (await world.anyone.models.list({})).models.some(({ id }) => id === second)
    expect(await isListed()).toBe(true)
    const link = await mallory.client.verifications.create({ model_id: second })
    const shown = async ({ token }: { token: string }) => {
      const { result, model, later_changes } = await world.anyone.verifications.get(token)
      return [result, model?.name, later_changes]
    }
    expect(await shown(link)).toEqual(['verified', 'Chat of second.example', []])
    await mallory.registerModel({ api_model_identifier: 'second-dot-example' })
    await mallory.client.domains.remove('second.example')
    await expect(
      mallory.registerModel({ api_model_identifier: 'second-dot-example', version: '2' }),
    ).rejects.toMatchObject(refused('api_model_identifier'))
    // Neither the link that was minted before nor a new one names the domain, nor does a public page.
    const later = await mallory.client.verifications.create({ model_id: second })
    expect(later.warnings).toEqual([expect.stringContaining('a domain that you no longer prove')])
    for (const each of [link, later]) expect(await shown(each)).toEqual(['verified', 'second', []])
    const pages = [link, later].map(({ verification_url }) => new URL(verification_url).pathname)
    const page = `/models/${second}`
    for (const path of [...pages, page, `/badge${page}.svg`, `/oembed?url=${world.publicUrl}${page}`])
      expect(await (await fetch(world.address + path)).text(), path).not.toContain('second.example')
    expect((await mallory.client.models.get(second)).display_name).toBe('Chat of second.example')
    for (let time = 0; time < 2; time++) await world.jobs.run('names')
    expect(await isListed()).toBe(false)
    const mails = (await world.mails('mallory@mallory.example')).map(({ text }) => text)
    expect(mails.filter((text) => text.includes('> Chat of'))).toHaveLength(1)
    const again = await mallory.client.domains.add({ domain: 'second.example' })
    world.dns.setTxt(again.domain_proof.record_name, [again.domain_proof.record_value])
    await mallory.client.domains.verify('second.example', {})
    await world.jobs.run('names')
    expect(await isListed()).toBe(true)
  })

  it('and the version shown after it are judged together', async () => {
    const world = await createWorld({ engine })
    const mallory = await world.provider('mallory')
    const { quickEdit } = mallory.client.models
    const refused = (field: string) => ({
      status: 422,
      code: 'validation_failed',
      problem: expect.objectContaining({ errors: [expect.objectContaining({ loc: ['body', field] })] }),
    })
    for (const [display_name, version] of [
      ['GPT-5 (www openai', 'com)'],
      ['OpenAI Trust and', 'Safety 5'],
      ['GPT-5 đã xác', 'minh'],
    ] as const) {
      const register = (fields: object) => mallory.registerModel({ api_model_identifier: 'gpt-5', ...fields })
      await expect(register({ display_name, version }), version).rejects.toMatchObject(refused('version'))
      const [named, numbered] = [
        await mallory.registerModel({ display_name }),
        await mallory.registerModel({ version }),
      ]
      await expect(quickEdit(named, { version }), version).rejects.toMatchObject(refused('version'))
      await expect(quickEdit(numbered, { display_name }), version).rejects.toMatchObject(refused('display_name'))
      await expect(quickEdit(numbered, { display_name, version }), version).rejects.toMatchObject(refused('version'))
    }
    const ofIdentifier = { display_name: 'Chat', api_model_identifier: 'gpt-by-openai' }
    const model_id = await mallory.registerModel({ ...ofIdentifier, version: '5' })
    await expect(quickEdit(model_id, { version: '.com' })).rejects.toMatchObject(refused('version'))
    await expect(
      mallory.registerModel({ ...ofIdentifier, version: '.com', force_new_version: true }),
    ).rejects.toMatchObject(refused('version'))

    // Stored before there was this rule.
    await world.database.transaction(async (tx) => {
      await tx.updateTable('models').set({ version: '.com' }).where('id', '=', model_id).execute()
      await tx.updateTable('providers').set({ email_verified_at: 1, names_checked: 0 }).execute()
    })
    const { token, verification_url } = await mallory.client.verifications.create({ model_id })
    expect((await world.anyone.verifications.get(token)).model).toMatchObject({ name: 'Chat', version: '#1' })
    expect(await world.anyone.models.get(model_id)).toMatchObject({ display_name: 'Chat', version: '#1' })
    const page = await (await fetch(world.address + new URL(verification_url).pathname)).text()
    expect(page).not.toContain('“Chat .com”')
    await world.jobs.run('names')
    expect((await world.anyone.models.list({})).models.map(({ id }) => id)).not.toContain(model_id)
    expect((await world.mails('mallory@mallory.example')).at(-1)?.text).toContain('> Chat .com')
  })

  it('that contains the primary domain is on links while its proof is stale, and on none after it is lost', async () => {
    const world = await createWorld({ engine })
    const mallory = await world.provider('mallory')
    await mallory.client.providers.update(mallory.id, { company_name: 'Mallory.example' })
    const model_id = await mallory.registerModel({
      api_model_identifier: 'chat',
      display_name: 'Mallory.example Chat',
      version: '2 of mallory.example',
    })
    const mint = () => mallory.client.verifications.create({ model_id })
    const shown = async ({ token }: { token: string }) => {
      const { model, provider, later_changes } = await world.anyone.verifications.get(token)
      expect((await world.anyone.verifications.inspect(token)).model?.name).toBe(model?.name)
      return [provider?.name, model?.name, model?.version, later_changes]
    }
    const named = ['Mallory.example', 'Mallory.example Chat', '2 of mallory.example', []]
    world.dns.fail(mallory.proof.record_name, 'servfail')
    world.clock.advance('25h')
    const proven = await mint()
    expect(await shown(proven)).toEqual(named)
    await world.jobs.run('domains')
    expect((await mallory.client.providers.me()).domain_status).toBe('stale')
    expect(await shown(proven)).toEqual(named)
    const stale = await mint()
    expect(stale.warnings.join()).not.toContain('you no longer prove')
    expect(await shown(stale)).toEqual([null, ...named.slice(1)])
    expect((await world.anyone.models.get(model_id)).display_name).toBe('Mallory.example Chat')

    world.dns.clear()
    mallory.publishProof()
    await mallory.client.providers.verifyDomain({})
    const before = await mint()
    expect(await shown(before)).toEqual(named)
    world.dns.setTxt(mallory.proof.record_name, [])
    await mallory.client.providers.verifyDomain({})
    const after = await mint()
    expect(after.warnings).toContainEqual(expect.stringContaining('a domain that you no longer prove'))
    expect((await world.anyone.models.get(model_id)).display_name).toBe('chat')
    for (const link of [before, after]) {
      expect(await shown(link)).toEqual([null, 'chat', '#1', []])
      const page = await fetch(world.address + new URL(link.verification_url).pathname)
      expect(await page.text()).not.toMatch(/Mallory\.example|2 of mallory/)
    }
    mallory.publishProof()
    await mallory.client.providers.verifyDomain({})
    expect(await shown(before)).toEqual(named)
  })

  it('that the operator protects later is removed from the lists', async () => {
    const world = await createWorld({ engine })
    const mallory = await world.provider('mallory')
    await mallory.client.providers.update(mallory.id, { company_name: 'Northwind' })
    expect(await listedIds(world)).toEqual([mallory.id])
    await lookAtNames(world, [{ name: 'Northwind', domain: 'northwind.example' }])
    expect(await listedIds(world)).toEqual([])
  })
})

describeOnSqlite('the website of a provider', (engine) => {
  it('is public only at or below the domain that its provider has proven', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const show = async () => (await world.anyone.providers.get(acme.id)).website
    expect(await show()).toBe('https://acme.example')
    const { token } = await acme.client.verifications.create({ model_id: await acme.registerModel() })
    expect((await world.anyone.verifications.get(token)).provider?.website).toBe('https://acme.example')
    await acme.client.providers.update(acme.id, { website: 'https://chat.acme.example/x' })
    expect(await show()).toBe('https://chat.acme.example/x')
    await acme.client.providers.update(acme.id, { website: 'https://openai.example' })
    expect(await show()).toBeNull()
    expect((await acme.client.providers.me()).website).toBe('https://openai.example')
    for (const website of [
      'https://openai.com⁄login.acme.example',
      'https://openai.com∕x.acme.example',
      'https://a%2fb.acme.example',
    ])
      await expect(acme.client.providers.update(acme.id, { website }), website).rejects.toMatchObject({ status: 422 })
    await acme.client.providers.update(acme.id, { website: 'https://ореnаi.ACME.example' })
    expect(await show()).toBe('https://xn--ni-7kcs8bm.acme.example')
    expect((await acme.client.providers.me()).website).toBe(await show())
    await world.database.transaction((tx) =>
      tx
        .updateTable('providers')
        .set({ website: 'https://openai.com⁄login.acme.example' })
        .where('id', '=', acme.id)
        .execute(),
    )
    expect(await show()).toBeNull()
    await acme.client.providers.update(acme.id, { website: 'https://openai.example' })
    // A stored name from before there was a rule.
    await world.database.transaction((tx) =>
      tx
        .updateTable('link_snapshots')
        .set({ website: 'https://openai.example' })
        .where('provider_id', '=', acme.id)
        .execute(),
    )
    const later = await world.anyone.verifications.get(token).catch((error: unknown) => error)
    expect(JSON.stringify(later)).not.toContain('openai.example')
  })
})

it.each([
  ['Acme Labs acme.example', [{ name: 'Acme Labs', domain: 'acme.example' }]],
  [
    '  Acme\tACME.example # ours\n\n#all\nNorthwind northwind.example',
    [
      { name: 'Acme', domain: 'acme.example' },
      { name: 'Northwind', domain: 'northwind.example' },
    ],
  ],
  ['', []],
  ['acme.example', undefined],
  ['Acme Labs', undefined],
  ['Acme https://acme.example', undefined],
])('reads a file of protected names: %j', (text, names) => {
  expect(readProtectedNames(text)).toEqual(names)
})
