import { expect, it } from 'vitest'
import { describeEachEngine, type Engine } from '../support/databases.ts'
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
  world.database.transaction((tx) => tx.updateTable('providers').set({ email_verified_at: 1 }).where('id', '=', id).execute())

describeEachEngine('proving a domain by a file', (engine) => {
  it('reads it at the registrable domain, says so publicly, and leaves a trail', async () => {
    const { world, website } = await createWebsite(engine)
    const acme = await world.provider('acme', { isVerified: false, website: 'https://www.acme.example/about' })
    expect(acme.proof.file_url).toBe(`https://acme.example${path}`)
    website.serve(path, 200, JSON.stringify(acme.proof.file_content))
    expect(await acme.client.providers.verifyDomain({ method: 'file' })).toMatchObject({
      result: 'verified',
      domain_verified: true,
      domain_verification_method: 'file',
    })
    expect(website.asked).toEqual([`acme.example${path}`])
    expect(await world.anyone.providers.get(acme.id)).toMatchObject({ domain_verified: true, domain_verification_method: 'file' })
    expect(await actionsOf(world, acme.id)).toEqual(['domain.verified by key'])
  })

  it('says what it found instead, follows no redirect, and reads no long file', async () => {
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
    expect(website.asked).not.toContain('/elsewhere')
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

  it('is nobody’s on a registry that may not ask this machine', async () => {
    const website = await startWebServer()
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    website.serve(path, 200, JSON.stringify(acme.proof.file_content))
    expect(await acme.client.providers.verifyDomain({ method: 'file' })).toMatchObject({ result: 'unknown', domain_verified: false })
    expect(website.asked).toEqual([])
  })

  it('is lost with the file, at once, and not while it cannot be read', async () => {
    const { world, website } = await createWebsite(engine)
    const acme = await world.provider('acme', { isVerified: false })
    website.serve(path, 200, JSON.stringify(acme.proof.file_content))
    await acme.client.providers.verifyDomain({ method: 'file' })
    website.serve(path, 503)
    expect(await acme.client.providers.verifyDomain({ method: 'file' })).toMatchObject({ result: 'unknown', domain_verified: true })
    // That there is no record says nothing about the file.
    expect(await acme.client.providers.verifyDomain({ method: 'dns' })).toMatchObject({ result: 'not_verified', domain_verified: true })
    website.clear()
    expect(await acme.client.providers.verifyDomain({ method: 'file' })).toMatchObject({ result: 'not_verified', domain_verified: false })
    expect((await world.anyone.providers.get(acme.id)).domain_verified).toBe(false)
    expect(await actionsOf(world, acme.id)).toEqual(['domain.verified by key', 'domain.lost by key'])
  })

  it('stands against a DNS record of another provider, until the file is gone; and the other way round', async () => {
    const { world, website } = await createWebsite(engine)
    const acme = await world.provider('acme', { isVerified: false })
    website.serve(path, 200, JSON.stringify(acme.proof.file_content))
    await acme.client.providers.verifyDomain({ method: 'file' })
    const second = await world.provider('second', { isVerified: false, website: 'https://acme.example' })
    second.publishProof()
    await expect(second.client.providers.verifyDomain({})).rejects.toMatchObject({ code: 'domain_taken' })
    website.serve(path, 503)
    await expect(second.client.providers.verifyDomain({})).rejects.toMatchObject({ code: 'domain_taken' })
    website.clear()
    expect((await second.client.providers.verifyDomain({})).result).toBe('verified')
    expect((await world.anyone.providers.get(acme.id)).domain_verified).toBe(false)

    website.serve(path, 200, JSON.stringify(acme.proof.file_content))
    await expect(acme.client.providers.verifyDomain({ method: 'file' })).rejects.toMatchObject({ code: 'domain_taken' })
    world.dns.clear()
    expect((await acme.client.providers.verifyDomain({ method: 'file' })).result).toBe('verified')
    expect((await world.anyone.providers.get(second.id)).domain_verified).toBe(false)
  })
})

describeEachEngine('a proof that was believed for 30 days', (engine) => {
  const proveBoth = async () => {
    const { world, website } = await createWebsite(engine)
    const acme = await world.provider('acme', { isVerified: false })
    website.serve(path, 200, JSON.stringify(acme.proof.file_content))
    await acme.client.providers.verifyDomain({ method: 'file' })
    const northwind = await world.provider('northwind')
    for (const { id } of [acme, northwind]) await verifyEmail(world, id)
    const verified = async () =>
      Promise.all([acme, northwind].map(async ({ id }) => (await world.anyone.providers.get(id)).domain_verified))
    return { world, website, acme, northwind, verified }
  }

  it('is read again, and stays while it is there', async () => {
    const { world, website, verified } = await proveBoth()
    const reads = website.asked.length
    world.clock.advance('29d')
    await world.jobs.run('domains')
    expect(website.asked).toHaveLength(reads)
    world.clock.advance('2d')
    await world.jobs.run('domains')
    await world.jobs.run('domains')
    expect(website.asked).toHaveLength(reads + 1)
    expect(await verified()).toEqual([true, true])
    world.clock.advance('31d')
    await world.jobs.run('domains')
    expect(website.asked).toHaveLength(reads + 2)
  })

  it('is lost at once where it is gone; its owner is told by mail, and the trail says so', async () => {
    const { world, website, acme, northwind, verified } = await proveBoth()
    const minted = await acme.client.verifications.create({ model_id: await acme.registerModel() })
    website.clear()
    world.dns.setTxt(northwind.proof.record_name, ['countersign=other'])
    expect(await verified()).toEqual([true, true])
    world.clock.advance('31d')
    await world.jobs.run('domains')
    expect(await verified()).toEqual([false, false])
    expect(await world.anyone.providers.get(acme.id)).toMatchObject({ trust_level: 'unverified', domain_verification_method: null })
    expect((await world.anyone.verifications.get(minted.token).catch((error) => error)).code).toBe('link_expired')
    for (const { id } of [acme, northwind]) expect((await actionsOf(world, id)).at(-1)).toBe('domain.lost by registry')
    for (const name of ['acme', 'northwind']) {
      const mails = await world.mails(`${name}@${name}.example`)
      expect(mails.map(({ subject }) => subject)).toEqual(['Your domain is no longer verified'])
    }
    await world.jobs.run('domains')
    expect(await world.mails()).toHaveLength(2)
  })

  it('stays while nobody can be asked, and is asked again the next day', async () => {
    const { world, website, northwind, verified } = await proveBoth()
    website.serve(path, 503)
    world.dns.fail(northwind.proof.record_name, 'servfail')
    world.clock.advance('31d')
    await world.jobs.run('domains')
    expect(await verified()).toEqual([true, true])
    const reads = website.asked.length
    await world.jobs.run('domains')
    expect(website.asked).toHaveLength(reads)
    website.clear()
    world.clock.advance('25h')
    await world.jobs.run('domains')
    expect(await verified()).toEqual([false, true])
  })

  it('is not read again where a mailbox proved it', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    await world.database.transaction((tx) =>
      tx
        .updateTable('providers')
        .set({ domain_verified_at: 1, domain_verification_method: 'email', email_verified_at: 1 })
        .where('id', '=', acme.id)
        .execute(),
    )
    world.clock.advance('400d')
    await world.jobs.run('domains')
    expect((await world.anyone.providers.get(acme.id)).domain_verified).toBe(true)
  })
})

describeEachEngine('displacing a proof by mailbox', (engine) => {
  it('is told to both by mail, and to neither before they have shown their mailbox', async () => {
    const world = await createWorld({ engine })
    const mailbox = await world.provider('acme', { isVerified: false })
    await world.database.transaction((tx) =>
      tx
        .updateTable('providers')
        .set({ domain_verified_at: 1, domain_verification_method: 'email', email_verified_at: 1 })
        .where('id', '=', mailbox.id)
        .execute(),
    )
    const owner = await world.provider('owner', { isVerified: false, website: 'https://acme.example' })
    await verifyEmail(world, owner.id)
    owner.publishProof()
    await owner.client.providers.verifyDomain({})
    const mails = await world.mails()
    expect(mails.map(({ to }) => to).sort()).toEqual(['acme@acme.example', 'owner@acme.example'])

    const third = await world.provider('third', { isVerified: false, website: 'https://acme.example' })
    third.publishProof()
    await third.client.providers.verifyDomain({})
    expect((await world.mails()).slice(2).map(({ to }) => to)).toEqual(['owner@acme.example'])
  })
})
