import { expect, it } from 'vitest'
import { domainProof, primaryProof, proofAt } from '../../server/src/db/proofs.ts'
import type { ProviderActor } from '../support/actors.ts'
import { describeEachEngine, describeOnSqlite } from '../support/databases.ts'
import { createWorld, type World } from '../support/world.ts'

const hourMs = 3_600_000

/** Every relevant hour after a proof was confirmed, with each of its states in the table. */
const cases = [0, 24, 48, 48.001, 49, 96, 119.999, 120, 121, 500].flatMap((hours) =>
  [
    { verified_at: 1_000, checked_at: 2_000, stale_since: null },
    { verified_at: 1_000, checked_at: null, stale_since: null },
    { verified_at: 1_000, checked_at: 2_000, stale_since: 26 * hourMs },
    { verified_at: null, checked_at: 2_000, stale_since: null },
  ].map((stored) => ({ stored, at: 2_000 + hours * hourMs })),
)

describeEachEngine('a proof at a moment', (engine) => {
  it('is the same in SQL and for a row in memory', async () => {
    const world = await createWorld({ engine })
    const { id, domain } = await world.provider('acme')
    for (const { stored, at } of cases) {
      const name = JSON.stringify({ ...stored, hours: (at - 2_000) / hourMs })
      const expected = proofAt(stored, at)
      const proven_at = expected.stale_since === null ? expected.verified_at : null
      await world.database.transaction(async (tx) => {
        await tx.updateTable('provider_domains').set(stored).where('domain', '=', domain).execute()
        // As `mirrorPrimary` writes it: a stale proof has no time there.
        const { verified_at, checked_at, stale_since } = stored
        await tx
          .updateTable('providers')
          .set({
            domain_verified_at: stale_since === null ? verified_at : null,
            domain_checked_at: checked_at,
            domain_stale_since: stale_since,
          })
          .where('id', '=', id)
          .execute()
      })
      const [ofDomain, ofPrimary] = [domainProof('d', at), primaryProof('p', at)]
      const [own] = await world.database.read
        .selectFrom('provider_domains as d')
        .select([
          ofDomain.proven_at.as('proven_at'),
          ofDomain.stale_since.as('stale_since'),
          ofDomain.lost_at.as('lost_at'),
        ])
        .where('d.domain', '=', domain)
        .execute()
      expect(own, name).toEqual({ proven_at, stale_since: expected.stale_since, lost_at: expected.lost_at })
      const [primary] = await world.database.read
        .selectFrom('providers as p')
        .select([ofPrimary.proven_at.as('proven_at'), ofPrimary.stale_since.as('stale_since')])
        .where('p.id', '=', id)
        .execute()
      expect(primary, name).toEqual({ proven_at, stale_since: expected.stale_since })
      const proven = await world.database.read
        .selectFrom('providers as p')
        .select('p.id')
        .where(ofPrimary.isProven)
        .execute()
      expect(proven.length === 1, name).toBe(proven_at !== null)
    }
  })
})

/** What every surface shows of a provider and its model. */
const shownOf = async (world: World, acme: ProviderActor, model_id: string) => {
  const { anyone } = world
  const idsOf = async (verification: 'verified' | 'unverified', sort?: 'popularity') =>
    (await anyone.providers.list({ verification, ...(sort && { sort }) })).providers.map(({ id }) => id)
  const isIn = async (verification: 'verified' | 'unverified') => {
    const lists = [await idsOf(verification), await idsOf(verification, 'popularity')]
    return [...new Set(lists.map((ids) => ids.includes(acme.id)))]
  }
  const provider = await anyone.providers.get(acme.id)
  const model = await anyone.models.get(model_id)
  const found = await anyone.search.find({ q: 'acme' })
  const foundModel = await anyone.search.find({ q: 'Atlas' })
  const own = await acme.client.providers.me()
  return {
    provider: {
      status: provider.domain_status,
      verified: provider.domain_verified,
      website: provider.website,
      level: provider.verification_level,
      factor: provider.trust_factors.domain_verified,
    },
    listed: (await anyone.providers.list({})).providers.map(
      ({ id, domain_verified }) => id === acme.id && domain_verified,
    ),
    listedModels: (await anyone.models.list({})).models.map(({ provider_domain_verified }) => provider_domain_verified),
    isInVerified: await isIn('verified'),
    isInUnverified: await isIn('unverified'),
    model: model.provider_domain_verified,
    modelTrust: (await anyone.models.communityStats(model_id)).provider_trust_level,
    found: found.providers.map(({ domain_verified, trust_level }) => ({ domain_verified, trust_level })),
    foundModel: foundModel.models.map(({ subtitle, provider_domain_verified }) => ({
      subtitle,
      provider_domain_verified,
    })),
    own: { status: own.domain_status, level: own.verification_level, score: own.trust_score },
    domains: (await acme.client.domains.list()).domains.map(({ status, stale_since }) => ({
      status,
      isStale: stale_since !== null,
    })),
    attention: (await acme.client.account.attention()).items
      .map(({ kind }) => kind)
      .filter((kind) => kind.startsWith('domain')),
  }
}

describeOnSqlite('a domain that was not checked for 49 hours, without a job', (engine) => {
  it('is stale on every surface, and proven again once it is confirmed', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    await world.session(acme)
    const model_id = await acme.registerModel({ is_public: true })
    const before = await shownOf(world, acme, model_id)
    expect(before).toMatchObject({
      provider: { status: 'proven', verified: true, website: 'https://acme.example', level: 'verified', factor: true },
      listed: [true],
      listedModels: [true],
      isInVerified: [true],
      isInUnverified: [false],
      model: true,
      found: [{ domain_verified: true }],
      foundModel: [{ subtitle: 'acme.example', provider_domain_verified: true }],
      domains: [{ status: 'proven', isStale: false }],
      attention: [],
    })

    world.clock.advance('49h')
    const stale = await shownOf(world, acme, model_id)
    expect(stale).toMatchObject({
      provider: { status: 'stale', verified: false, website: null, level: 'partially_verified', factor: false },
      listed: [false],
      listedModels: [false],
      isInVerified: [false],
      isInUnverified: [true],
      model: false,
      found: [{ domain_verified: false, trust_level: stale.modelTrust }],
      foundModel: [{ subtitle: 'Acme Labs', provider_domain_verified: false }],
      own: { status: 'stale', level: 'partially_verified' },
      domains: [{ status: 'stale', isStale: true }],
      attention: ['domain_stale'],
    })
    expect(stale.own.score).toBeLessThan(before.own.score)

    world.clock.advance('72h')
    expect(await shownOf(world, acme, model_id)).toMatchObject({
      provider: { status: 'unproven', verified: false },
      isInVerified: [false],
      isInUnverified: [true],
      own: { status: 'unproven' },
      domains: [{ status: 'unproven', isStale: false }],
      attention: ['domain_lost'],
    })

    await acme.client.providers.verifyDomain({})
    expect(await shownOf(world, acme, model_id)).toEqual(before)
  })

  it('keeps its name while it is stale, and then loses it to a provider that has proven the same name', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    world.clock.advance('1h')
    const rival = await world.provider('rival')
    await rival.client.providers.update(rival.id, { company_name: 'Acme Labs' })
    const similar = async (actor: ProviderActor) => (await world.anyone.providers.get(actor.id)).similar_name_domain
    const listed = async () => (await world.anyone.providers.list({})).providers.map(({ id }) => id).sort()
    expect(await similar(rival)).toBe('acme.example')
    expect(await listed()).toEqual([acme.id, rival.id].sort())

    world.clock.advance('49h')
    await rival.client.providers.verifyDomain({})
    expect(await similar(rival)).toBe('acme.example')
    expect(await listed()).toEqual([acme.id, rival.id].sort())

    world.clock.advance('47h')
    await rival.client.providers.verifyDomain({})
    world.clock.advance('24h')
    expect(await similar(rival)).toBeNull()
    expect(await listed()).toEqual([rival.id])
    expect((await world.anyone.search.find({ q: 'acme labs' })).providers.map(({ id }) => id)).toEqual([rival.id])
    expect(await acme.client.providers.me()).toMatchObject({ is_listed: false, listing_problem: 'name_looks_alike' })
  })

  it('proves neither a signer nor an origin', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    await acme.client.signers.declare({
      signer: { kind: 'identity', issuer: 'https://accounts.example', identity: 'releases@acme.example' },
    })
    const tied = async () => (await acme.client.signers.list().toArray()).map((signer) => signer.tied)
    const mint = () => acme.client.verifications.create({ model_id, origin: 'https://chat.acme.example' })
    expect(await tied()).toEqual([true])
    await mint()
    world.clock.advance('49h')
    expect(await tied()).toEqual([false])
    await expect(mint()).rejects.toMatchObject({ code: 'origin_not_yours' })
  })

  it('cannot be made primary, and no page calls it proven', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const { domain_proof } = await acme.client.domains.add({ domain: 'northwind.example' })
    world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
    await acme.client.domains.verify('northwind.example', {})
    const page = async () => (await fetch(`${world.address}/providers/${acme.id}`)).text()
    const claim = 'has proven control of its domain'
    expect(await page()).toContain(claim)
    world.clock.advance('49h')
    await expect(acme.client.domains.makePrimary('northwind.example')).rejects.toMatchObject({
      code: 'domain_not_proven',
    })
    expect(await page()).not.toContain(claim)
  })
})

describeEachEngine('an overdue proof, without a job', (engine) => {
  it('does not rank a name or its models above those of proven domains', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const rival = await world.provider('rival')
    await rival.client.providers.update(rival.id, { company_name: 'Acme Labs East' })
    await acme.registerModel({ is_public: true, model_name: 'Orbit', display_name: 'Orbit' })
    await rival.registerModel({ is_public: true, model_name: 'Orbit East', display_name: 'Orbit East' })
    const found = async () => {
      const { providers } = await world.anyone.search.find({ q: 'acme labs' })
      const { models } = await world.anyone.search.find({ q: 'orbit' })
      return [providers.map(({ title }) => title), models.map(({ title }) => title)]
    }
    expect(await found()).toEqual([
      ['Acme Labs', 'Acme Labs East'],
      ['Orbit', 'Orbit East'],
    ])
    world.clock.advance('49h')
    await rival.client.providers.verifyDomain({})
    expect(await found()).toEqual([
      ['Acme Labs East', 'Acme Labs'],
      ['Orbit East', 'Orbit'],
    ])
  })

  it('drops a provider from the sitemap if its name now belongs to another one', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel({ is_public: true })
    world.clock.advance('1h')
    const rival = await world.provider('rival')
    await rival.client.providers.update(rival.id, { company_name: 'Acme Labs' })
    const files = async () =>
      Promise.all(
        ['providers', 'models'].map(async (name) => (await fetch(`${world.address}/sitemaps/${name}.xml`)).text()),
      ).then((texts) => texts.join())
    for (const id of [acme.id, model_id, rival.id]) expect(await files()).toContain(id)
    for (const _ of [1, 2, 3]) {
      world.clock.advance('40h')
      await rival.client.providers.verifyDomain({})
    }
    const late = await files()
    expect(late).toContain(rival.id)
    for (const id of [acme.id, model_id]) expect(late).not.toContain(id)
  })
})
