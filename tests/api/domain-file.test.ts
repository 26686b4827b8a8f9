import { expect, it } from 'vitest'
import type { ProviderActor } from '../support/actors.ts'
import { describeOnSqlite, type Engine } from '../support/databases.ts'
import { startWebServer } from '../support/web-server.ts'
import { createWorld, type World } from '../support/world.ts'

const path = '/.well-known/countersign.json'

/** A registry for which the website of acme.example is on this machine. */
const createWebsite = async (engine: Engine) => {
  const website = await startWebServer()
  const world = await createWorld({ engine, egressAllow: [`acme.example=127.0.0.1:${website.port}`] })
  return { world, website }
}

const actionsOf = async (world: World, provider_id: string) => {
  const rows = await world.database.read
    .selectFrom('events')
    .select(['action', 'actor'])
    .where('provider_id', '=', provider_id)
    .where('action', 'like', 'domain.%')
    .orderBy('id')
    .execute()
  return rows.map(({ action, actor }) => `${action} by ${actor === 'registry' ? actor : actor.slice(0, 3)}`)
}

const verifyEmail = (world: World, id: string) =>
  world.database.transaction((tx) =>
    tx.updateTable('providers').set({ email_verified_at: 1 }).where('id', '=', id).execute(),
  )

describeOnSqlite('proving a domain by a file', (engine) => {
  it('reads it at the registrable domain, shows it publicly, and leaves a trail', async () => {
    const { world, website } = await createWebsite(engine)
    const acme = await world.provider('acme', { isVerified: false, website: 'https://www.acme.example/about' })
    expect(acme.proof.file_url).toBe(`https://acme.example${path}`)
    website.serve(path, 200, JSON.stringify(acme.proof.file_content))
    expect(await acme.client.providers.verifyDomain({ method: 'file' })).toMatchObject({
      result: 'verified',
      domain_verified: true,
      domain_verification_method: 'file',
    })
    expect(website.requests).toEqual([`acme.example${path}`])
    expect(await world.anyone.providers.get(acme.id)).toMatchObject({
      domain_verified: true,
      domain_verification_method: 'file',
    })
    expect(await actionsOf(world, acme.id)).toEqual(['domain.verified by key'])
  })

  it('after a record continues the proof: the provider stays the earlier one of its name', async () => {
    const { world, website } = await createWebsite(engine)
    const acme = await world.provider('acme')
    world.clock.advance('1d')
    const later = await world.provider('later')
    await later.client.providers.update(later.id, { company_name: 'Acme Labs' })
    world.clock.advance('1d')
    website.serve(path, 200, JSON.stringify(acme.proof.file_content))
    await acme.client.providers.verifyDomain({ method: 'file' })
    expect(await world.anyone.providers.get(acme.id)).toMatchObject({
      domain_verification_method: 'file',
      similar_name_domain: null,
    })
    expect((await world.anyone.providers.get(later.id)).similar_name_domain).toBe('acme.example')
  })

  /** Someone who finds the record of a provider again after the registry had stopped looking for 30 days. */
  const finders = {
    'its owner': async (_: World, gone: ProviderActor) => gone.client.providers.verifyDomain({}),
    'the job': (world: World) => world.jobs.run('domains'),
    'a rival’s claim': async (world: World, gone: ProviderActor) => {
      const rival = await world.provider('rival', { isVerified: false, website: 'https://gone.example' })
      world.dns.setTxt(rival.proof.record_name, [gone.proof.record_value, rival.proof.record_value])
      await expect(rival.client.providers.verifyDomain({})).rejects.toMatchObject({ code: 'domain_taken' })
    },
  }

  it.each(Object.keys(finders) as (keyof typeof finders)[])(
    'begins again if the record was not confirmed for too long, even if no job noticed, when it is found by %s',
    async (finder) => {
      const { world } = await createWebsite(engine)
      const gone = await world.provider('gone')
      world.clock.advance('30d')
      expect((await world.anyone.providers.get(gone.id)).domain_verified).toBe(false)
      const acme = await world.provider('acme')
      await acme.client.providers.update(acme.id, { company_name: 'Gone Labs' })
      world.clock.advance('1m')
      await finders[finder](world, gone)
      const { domain_verified_at } = await world.anyone.providers.get(gone.id)
      expect(Date.parse(domain_verified_at ?? '')).toBe(world.clock.now())
      expect((await world.anyone.providers.get(acme.id)).similar_name_domain).toBeNull()
      expect((await world.anyone.providers.get(gone.id)).similar_name_domain).toBe('acme.example')
    },
  )

  it('reports what it found instead, follows no redirect, and reads no long file', async () => {
    const { world, website } = await createWebsite(engine)
    const acme = await world.provider('acme', { isVerified: false })
    const good = JSON.stringify(acme.proof.file_content)
    const verify = async () => {
      const { result, reason, domain_verified } = await acme.client.providers.verifyDomain({ method: 'file' })
      return { result, reason, domain_verified }
    }
    const not = (reason: string) => ({ result: 'not_verified', reason, domain_verified: false })
    const unknown = { result: 'unknown', reason: 'website_unavailable', domain_verified: false }
    expect(await verify()).toEqual(not('file_not_found'))
    website.serve('/elsewhere', 200, good)
    website.serve(path, 302, '', { Location: `${website.url}/elsewhere` })
    expect(await verify()).toEqual(not('file_not_found'))
    expect(website.requests).not.toContain('/elsewhere')
    for (const body of ['', '{', '"x"', `${good.slice(0, -2)}x"}`, `<p>${good}</p>`, good.padEnd(5_000)]) {
      website.serve(path, 200, body)
      expect(await verify(), body.slice(0, 80)).toEqual(not('file_differs'))
    }
    for (const status of [403, 429, 500, 503]) {
      website.serve(path, status, good)
      expect(await verify(), String(status)).toEqual(unknown)
    }
    website.handle(path, (_request, response) => response.destroy())
    expect(await verify()).toEqual(unknown)
  })

  it('is disabled on a registry that must not connect to this machine', async () => {
    const website = await startWebServer()
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    website.serve(path, 200, JSON.stringify(acme.proof.file_content))
    expect(await acme.client.providers.verifyDomain({ method: 'file' })).toMatchObject({
      result: 'unknown',
      domain_verified: false,
    })
    expect(website.requests).toEqual([])
  })

  it('is lost with the file, at once, but not while it cannot be read', async () => {
    const { world, website } = await createWebsite(engine)
    const acme = await world.provider('acme', { isVerified: false })
    website.serve(path, 200, JSON.stringify(acme.proof.file_content))
    await acme.client.providers.verifyDomain({ method: 'file' })
    website.serve(path, 503)
    expect(await acme.client.providers.verifyDomain({ method: 'file' })).toMatchObject({
      result: 'unknown',
      domain_verified: true,
    })
    // A missing record says nothing about the file.
    expect(await acme.client.providers.verifyDomain({ method: 'dns' })).toMatchObject({
      result: 'not_verified',
      domain_verified: true,
    })
    website.clear()
    expect(await acme.client.providers.verifyDomain({ method: 'file' })).toMatchObject({
      result: 'not_verified',
      domain_verified: false,
    })
    expect((await world.anyone.providers.get(acme.id)).domain_verified).toBe(false)
    expect(await actionsOf(world, acme.id)).toEqual(['domain.verified by key', 'domain.lost by key'])
  })

  it('is excluded by a policy at the target of an alias, and by one in another spelling', async () => {
    const { world, website } = await createWebsite(engine)
    const acme = await world.provider('acme', { isVerified: false })
    website.serve(path, 200, JSON.stringify(acme.proof.file_content))
    const verify = () => acme.client.providers.verifyDomain({ method: 'file' })
    world.dns.setAlias(acme.proof.record_name, 'policy.northwind.example')
    world.dns.setTxt('policy.northwind.example', ['countersign-policy=none'])
    expect(await verify()).toMatchObject({ result: 'not_verified', reason: 'policy_excludes' })
    // The alias gives a policy, never a proof.
    world.dns.setTxt('policy.northwind.example', [acme.proof.record_value])
    expect(await acme.client.providers.verifyDomain({})).toMatchObject({
      result: 'not_verified',
      reason: 'name_is_alias',
    })
    world.dns.clear()
    world.dns.setTxt(acme.proof.record_name, [acme.proof.record_value, '\ufeff"Countersign-Policy" : none'])
    for (const method of ['dns', 'file'] as const)
      expect(await acme.client.providers.verifyDomain({ method })).toMatchObject({
        result: 'not_verified',
        reason: 'policy_excludes',
      })
    expect(website.requests).toEqual([])
  })

  it('is not read if the domain is an alias, or if DNS does not answer', async () => {
    const { world, website } = await createWebsite(engine)
    const acme = await world.provider('acme', { isVerified: false })
    website.serve(path, 200, JSON.stringify(acme.proof.file_content))
    const verify = () => acme.client.providers.verifyDomain({ method: 'file' })
    world.dns.setAlias('acme.example', 'sites.northwind.example')
    expect(await verify()).toMatchObject({ result: 'not_verified', reason: 'name_is_alias' })
    world.dns.clear()
    world.dns.fail('acme.example', 'servfail', 'CNAME')
    expect(await verify()).toMatchObject({ result: 'unknown', reason: 'dns_unavailable' })
    world.dns.clear()
    world.dns.fail(acme.proof.record_name, 'servfail')
    expect(await verify()).toMatchObject({ result: 'unknown', reason: 'dns_unavailable' })
    expect(website.requests).toEqual([])
    world.dns.clear()
    world.dns.setTxt(acme.proof.record_name, ['countersign-policy=none'])
    expect(await verify()).toMatchObject({ result: 'not_verified', reason: 'policy_excludes' })
    world.dns.clear()
    expect(await verify()).toMatchObject({ result: 'verified' })
  })
})

describeOnSqlite('a proof is checked every day', (engine) => {
  const proveBoth = async () => {
    const { world, website } = await createWebsite(engine)
    const acme = await world.provider('acme', { isVerified: false })
    website.serve(path, 200, JSON.stringify(acme.proof.file_content))
    await acme.client.providers.verifyDomain({ method: 'file' })
    const northwind = await world.provider('northwind')
    for (const { id } of [acme, northwind]) await verifyEmail(world, id)
    const statuses = async () =>
      Promise.all([acme, northwind].map(async ({ id }) => (await world.anyone.providers.get(id)).domain_status))
    const subjects = async (name: string) =>
      (await world.mails(`${name}@${name}.example`)).map(({ subject }) => subject)
    return { world, website, acme, northwind, statuses, subjects }
  }

  it('and stays while it is found', async () => {
    const { world, website, acme, statuses, subjects } = await proveBoth()
    const reads = website.requests.length
    world.clock.advance('23h')
    await world.jobs.run('domains')
    expect(website.requests).toHaveLength(reads)
    world.clock.advance('2h')
    await world.jobs.run('domains')
    await world.jobs.run('domains')
    expect(website.requests).toHaveLength(reads + 1)
    expect(await statuses()).toEqual(['proven', 'proven'])
    expect((await world.anyone.providers.get(acme.id)).domain_checked_at).toBe(
      new Date(world.clock.now()).toISOString(),
    )
    expect(await subjects('acme')).toEqual([])
  })

  it('and lost at once if it is gone; its owner is emailed, and the trail records it', async () => {
    const { world, website, acme, northwind, statuses, subjects } = await proveBoth()
    website.clear()
    world.dns.setTxt(northwind.proof.record_name, ['countersign=other'])
    world.clock.advance('25h')
    const minted = await acme.client.verifications.create({ model_id: await acme.registerModel() })
    await world.jobs.run('domains')
    expect(await statuses()).toEqual(['unproven', 'unproven'])
    expect(await world.anyone.verifications.get(minted.verification_url)).toMatchObject({
      status: 'provider_unverified',
    })
    for (const { id } of [acme, northwind]) expect((await actionsOf(world, id)).at(-1)).toBe('domain.lost by registry')
    for (const name of ['acme', 'northwind'])
      expect(await subjects(name)).toEqual(['Your domain is no longer verified'])
    await world.jobs.run('domains')
    expect(await world.mails()).toHaveLength(2)
  })

  it('and stale while it cannot be checked: links are amber with the last confirmation, and the owner is emailed once', async () => {
    const { world, website, northwind, statuses, subjects } = await proveBoth()
    const confirmed = new Date(world.clock.now()).toISOString()
    website.serve(path, 503)
    world.dns.fail(northwind.proof.record_name, 'servfail')
    world.clock.advance('25h')
    const { verification_url } = await northwind.client.verifications.create({
      model_id: await northwind.registerModel(),
    })
    await world.jobs.run('domains')
    expect(await statuses()).toEqual(['stale', 'stale'])
    expect(await world.anyone.providers.get(northwind.id)).toMatchObject({
      domain_verified: false,
      domain_checked_at: confirmed,
      domain_verification_method: 'dns',
    })
    expect(await world.anyone.verifications.get(verification_url)).toMatchObject({
      result: 'not_verified',
      reason: 'provider_unverified',
      provider: {
        domain: 'northwind.example',
        domain_verified: false,
        domain_status: 'stale',
        domain_checked_at: confirmed,
      },
    })
    await world.jobs.run('domains')
    world.clock.advance('71h')
    await world.jobs.run('domains')
    expect(await statuses()).toEqual(['stale', 'stale'])
    for (const name of ['acme', 'northwind']) expect(await subjects(name)).toEqual(['Your domain could not be checked'])
    // The domain that can be checked again is proven again, and its owner is emailed.
    world.dns.clear()
    northwind.publishProof()
    world.clock.advance('61m')
    await world.jobs.run('domains')
    expect(await statuses()).toEqual(['unproven', 'proven'])
    expect((await subjects('northwind')).at(-1)).toBe('Your domain is verified')
    expect((await subjects('acme')).at(-1)).toBe('Your domain is no longer verified')
  })

  it('while the DNS of another domain is slow', async () => {
    const world = await createWorld({ engine })
    const [mallory, acme] = [await world.provider('mallory'), await world.provider('acme')]
    const asked = Promise.withResolvers<void>()
    for (const server of [world.dns.first, world.dns.second])
      server.waitFor(mallory.proof.record_name, () => asked.promise)
    world.dns.first.waitFor(acme.proof.record_name, async () => asked.resolve())
    world.clock.advance('25h')
    await world.jobs.run('domains')
    for (const { id } of [mallory, acme]) expect((await world.anyone.providers.get(id)).domain_status).toBe('proven')
  })

  it('and stale if the resolvers disagree', async () => {
    const { world, northwind, statuses } = await proveBoth()
    world.dns.second.setTxt(northwind.proof.record_name, [])
    world.clock.advance('25h')
    await world.jobs.run('domains')
    expect(await statuses()).toEqual(['proven', 'stale'])
  })
})

describeOnSqlite('a domain that another provider has proven', (engine) => {
  const rivals = async (method: 'dns' | 'file' = 'dns') => {
    const { world, website } = await createWebsite(engine)
    const former = await world.provider('acme', { isVerified: false })
    if (method === 'dns') former.publishProof()
    else website.serve(path, 200, JSON.stringify(former.proof.file_content))
    await former.client.providers.verifyDomain({ method })
    const owner = await world.provider('owner', { isVerified: false, website: 'https://acme.example' })
    for (const { id } of [former, owner]) await verifyEmail(world, id)
    const holder = async () => {
      const proven = await Promise.all(
        [former, owner].map(async ({ id }) => (await world.anyone.providers.get(id)).domain_status),
      )
      return proven[0] === 'proven' ? 'former' : proven[1] === 'proven' ? 'owner' : 'nobody'
    }
    const claim = (by: 'dns' | 'file' = 'dns') => owner.client.providers.verifyDomain({ method: by })
    return { world, website, former, owner, holder, claim }
  }

  it('is not named as proven before by a link from before its proof', async () => {
    const { world } = await createWebsite(engine)
    const acme = await world.provider('acme', { isVerified: false })
    const { verification_url } = await acme.client.verifications.create({ model_id: await acme.registerModel() })
    acme.publishProof()
    await acme.client.providers.verifyDomain({})
    const owner = await world.provider('owner', { isVerified: false, website: 'https://acme.example' })
    for (const { id } of [acme, owner]) await verifyEmail(world, id)
    owner.publishProof()
    await owner.client.providers.verifyDomain({})
    expect((await world.anyone.providers.get(acme.id)).domain_status).toBe('stale')
    expect(await world.anyone.verifications.get(verification_url)).toMatchObject({
      status: 'provider_unverified',
      provider: { domain_status: 'unproven', domain_verified: false },
    })
  })

  it('is not named as proven before by a link from after its proof could not be confirmed', async () => {
    const { world, former, owner, claim } = await rivals()
    const model_id = await former.registerModel()
    world.dns.setTxt(former.proof.record_name, [])
    owner.publishProof()
    await claim()
    world.clock.advance('1m')
    const { verification_url } = await former.client.verifications.create({ model_id })
    const { provider, checks } = await world.anyone.verifications.get(verification_url)
    expect(provider?.domain_status).toBe('unproven')
    expect(checks.map(({ detail }) => detail)).toContainEqual(
      expect.stringMatching(
        /^This link was issued while the proof of acme\.example could not be confirmed\. It was last confirmed on \d/,
      ),
    )
    const page = await (await fetch(world.address + new URL(verification_url).pathname)).text()
    expect(page).toContain('Claims acme.example')
    expect(page).not.toContain('Requested by acme.example')
  })

  it('is not named by a link of a provider with another primary domain, even if it becomes the primary one', async () => {
    const { world } = await createWebsite(engine)
    const evil = await world.provider('evil', { isVerified: false })
    const owner = await world.provider('owner', { isVerified: false, website: 'https://acme.example' })
    for (const { id } of [evil, owner]) await verifyEmail(world, id)
    const { domain_proof } = await evil.client.domains.add({ domain: 'acme.example' })
    world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
    await evil.client.domains.verify('acme.example', {})
    world.clock.advance('1m')
    const { verification_url } = await evil.client.verifications.create({ model_id: await evil.registerModel() })
    world.dns.setTxt(domain_proof.record_name, [])
    owner.publishProof()
    await owner.client.providers.verifyDomain({})
    await evil.client.providers.update(evil.id, { website: 'https://acme.example' })
    expect(await world.anyone.verifications.get(verification_url)).toMatchObject({
      status: 'provider_unverified',
      provider: { domain: 'acme.example', domain_status: 'unproven' },
    })
    const page = await (await fetch(world.address + new URL(verification_url).pathname)).text()
    expect(page).toContain('Claims acme.example')
    expect(page).not.toContain('Requested by acme.example')
  })

  it('is kept while its proof is found', async () => {
    const { world, former, owner, holder, claim } = await rivals()
    world.dns.setTxt(former.proof.record_name, [former.proof.record_value, owner.proof.record_value])
    await expect(claim()).rejects.toMatchObject({ code: 'domain_taken' })
    world.clock.advance('2h')
    await expect(claim()).rejects.toMatchObject({ code: 'domain_taken' })
    expect(await holder()).toBe('former')
  })

  it('goes to the provider that holds it in two checks an hour apart, and both are emailed', async () => {
    const { world, former, owner, holder, claim } = await rivals()
    const minted = await former.client.verifications.create({ model_id: await former.registerModel() })
    owner.publishProof()
    expect(await claim()).toMatchObject({ result: 'not_verified', reason: 'waiting_period', domain_verified: false })
    const [contested] = (await owner.client.domains.list()).domains
    expect(contested?.contest_ends_at).toBe(new Date(world.clock.now() + 3_600_000).toISOString())
    expect(await holder()).toBe('nobody')
    expect(await world.anyone.verifications.get(minted.verification_url)).toMatchObject({
      provider: { domain_status: 'stale' },
    })
    expect((await world.mails()).map(({ to, subject }) => [to, subject])).toEqual([
      ['acme@acme.example', 'Another account claims your domain'],
    ])
    world.clock.advance('59m')
    expect(await claim()).toMatchObject({ reason: 'waiting_period' })
    await world.jobs.run('domains')
    expect(await holder()).toBe('nobody')
    world.clock.advance('2m')
    await world.jobs.run('domains')
    expect(await holder()).toBe('owner')
    expect(await world.anyone.verifications.get(minted.verification_url).catch((error) => error)).not.toMatchObject({
      result: 'verified',
    })
    expect((await actionsOf(world, former.id)).at(-1)).toBe('domain.displaced by registry')
    const shown = (await world.mails()).slice(1).map(({ to, subject }) => `${to}: ${subject}`)
    expect(shown.sort()).toEqual([
      'acme@acme.example: Another account has taken over your domain',
      'owner@acme.example: You have taken over a domain',
      'owner@acme.example: Your domain is verified',
    ])
  })

  it('is not won in one moment: the claim ends when the old proof is back, or the new one is gone', async () => {
    const { world, former, owner, holder, claim } = await rivals()
    owner.publishProof()
    expect(await claim()).toMatchObject({ reason: 'waiting_period' })
    former.publishProof()
    world.clock.advance('71m')
    await world.jobs.run('domains')
    expect(await holder()).toBe('former')
    owner.publishProof()
    expect(await claim()).toMatchObject({ reason: 'waiting_period' })
    world.dns.clear()
    expect(await claim()).toMatchObject({ reason: 'record_not_found' })
    owner.publishProof()
    world.clock.advance('61m')
    expect(await claim()).toMatchObject({ reason: 'waiting_period' })
    world.dns.setTxt(former.proof.record_name, [former.proof.record_value, owner.proof.record_value])
    await expect(claim()).rejects.toMatchObject({ code: 'domain_taken' })
    expect(await holder()).toBe('former')
  })

  it('by an old file goes to a fresh DNS record, even while the website does not answer', async () => {
    const { world, website, owner, holder, claim } = await rivals('file')
    website.serve(path, 503)
    owner.publishProof()
    expect(await claim()).toMatchObject({ reason: 'waiting_period' })
    world.clock.advance('61m')
    expect(await claim()).toMatchObject({ result: 'verified', domain_verified: true })
    expect(await holder()).toBe('owner')
  })

  it('by DNS never goes to a file', async () => {
    const { world, website, owner, holder, claim } = await rivals()
    website.serve(path, 200, JSON.stringify(owner.proof.file_content))
    world.dns.clear()
    await expect(claim('file')).rejects.toMatchObject({ code: 'domain_taken' })
    world.clock.advance('61m')
    await expect(claim('file')).rejects.toMatchObject({ code: 'domain_taken' })
    expect(await holder()).toBe('former')
    // Once the registry itself has found the record gone, the domain is free.
    world.clock.advance('24h')
    await world.jobs.run('domains')
    expect(await holder()).toBe('nobody')
    expect(await claim('file')).toMatchObject({ result: 'verified' })
  })

  it('goes to one of several concurrent claimants', async () => {
    const { world, former, owner, holder, claim } = await rivals()
    const third = await world.provider('third', { isVerified: false, website: 'https://acme.example' })
    world.dns.setTxt(owner.proof.record_name, [owner.proof.record_value, third.proof.record_value])
    const both = () => Promise.allSettled([claim(), third.client.providers.verifyDomain({})])
    await both()
    world.clock.advance('61m')
    const outcomes = await both()
    expect(
      outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value.result === 'verified'),
    ).toHaveLength(1)
    expect(await holder()).not.toBe('former')
    expect((await world.anyone.providers.get(former.id)).domain_verified).toBe(false)
    const proven = await world.database.read
      .selectFrom('provider_domains')
      .select('domain')
      .where('verified_at', 'is not', null)
      .execute()
    expect(proven).toHaveLength(1)
  })
})
