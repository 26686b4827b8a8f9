import { expect, it } from 'vitest'
import { domainsCommand } from '../../server/src/domains/command.ts'
import { createEventRecorder } from '../../server/src/events/service.ts'
import { createNewId } from '../../server/src/ids.ts'
import type { Operator } from '../../server/src/operator/command.ts'
import { createEgress } from '../../server/src/outbound/egress.ts'
import { describeOnSqlite, type Engine } from '../support/databases.ts'
import { createWorld, type World } from '../support/world.ts'

const publish = (
  world: World,
  { record_name, record_value }: { record_name: string; record_value: string },
  ...others: string[]
) => world.dns.setTxt(record_name, [record_value, ...others])

const verifyEmail = (world: World, id: string) =>
  world.database.transaction((tx) =>
    tx.updateTable('providers').set({ email_verified_at: 1 }).where('id', '=', id).execute(),
  )

const withTwo = async (engine: Engine) => {
  const world = await createWorld({ engine })
  const acme = await world.provider('acme')
  await verifyEmail(world, acme.id)
  const added = await acme.client.domains.add({ domain: 'Chat.Northwind.example' })
  return { world, acme, added }
}

describeOnSqlite('several domains of one provider', (engine) => {
  it('are added at their registrable domain and proven one by one; pages show the primary one', async () => {
    const { world, acme, added } = await withTwo(engine)
    expect(added).toMatchObject({
      domain: 'northwind.example',
      is_primary: false,
      status: 'unproven',
      method: null,
      verified_at: null,
    })
    expect(added.domain_proof.record_value).not.toBe(acme.proof.record_value)
    expect(await acme.client.domains.verify('northwind.example', {})).toMatchObject({
      result: 'not_verified',
      domain_verified: false,
    })
    publish(world, added.domain_proof)
    expect(await acme.client.domains.verify('Northwind.example', {})).toMatchObject({
      result: 'verified',
      domain: 'northwind.example',
    })
    expect((await acme.client.domains.list()).domains).toMatchObject([
      { domain: 'acme.example', is_primary: true, status: 'proven', method: 'dns' },
      { domain: 'northwind.example', is_primary: false, status: 'proven', method: 'dns' },
    ])
    expect((await world.anyone.providers.get(acme.id)).domain).toBe('acme.example')
    // Adding it again changes nothing.
    expect(await acme.client.domains.add({ domain: 'northwind.example' })).toMatchObject({ status: 'proven' })
    expect((await world.mails()).map(({ subject }) => subject)).toEqual(['Your domain is verified'])
  })

  it('are deleted with the account', async () => {
    const { world, acme, added } = await withTwo(engine)
    publish(world, added.domain_proof)
    await acme.client.domains.verify('northwind.example', {})
    await acme.client.providers.delete(acme.id)
    const next = await world.provider('northwind')
    expect((await world.anyone.providers.get(next.id)).domain_verified).toBe(true)
  })
})

describeOnSqlite('several domains of one provider', (engine) => {
  it('keep their links: each is valid while the domain it was minted under is proven', async () => {
    const { world, acme, added } = await withTwo(engine)
    const model_id = await acme.registerModel()
    const before = await acme.client.verifications.create({ model_id })
    publish(world, added.domain_proof)
    await acme.client.domains.verify('northwind.example', {})
    expect(await acme.client.domains.makePrimary('northwind.example', {})).toMatchObject({ is_primary: true })
    const after = await acme.client.verifications.create({ model_id })
    const shown = async ({ verification_url }: { verification_url: string }) => {
      const { status, provider } = await world.anyone.verifications.get(verification_url)
      return { status, domain: provider?.domain, domain_status: provider?.domain_status }
    }
    expect(await shown(before)).toEqual({ status: 'verified', domain: 'acme.example', domain_status: 'proven' })
    expect(await shown(after)).toEqual({ status: 'verified', domain: 'northwind.example', domain_status: 'proven' })
    expect((await world.anyone.providers.get(acme.id)).domain).toBe('northwind.example')
    expect((await acme.client.account.verifications()).verifications.map(({ result }) => result)).toEqual([
      'verified',
      'verified',
    ])

    world.dns.setTxt(acme.proof.record_name, [])
    await acme.client.domains.verify('acme.example', {})
    expect(await shown(before)).toEqual({
      status: 'provider_unverified',
      domain: 'acme.example',
      domain_status: 'unproven',
    })
    expect(await shown(after)).toMatchObject({ status: 'verified' })
    expect((await acme.client.account.verifications()).verifications.map(({ result }) => result)).toEqual([
      'verified',
      'not_verified',
    ])
    await acme.client.domains.remove('acme.example')
    expect(await shown(before)).toEqual({
      status: 'provider_unverified',
      domain: 'acme.example',
      domain_status: 'unproven',
    })
    expect((await world.mails()).map(({ subject }) => subject)).toEqual([
      'Your domain is verified',
      'Your primary domain was changed',
      'Your domain is no longer verified',
    ])
  })

  it('rate a link by the proof of its own domain, not by another’s', async () => {
    const { world, acme, added } = await withTwo(engine)
    const { verification_url } = await acme.client.verifications.create({ model_id: await acme.registerModel() })
    const rated = async () => {
      const { trust_level, provider } = await world.anyone.verifications.get(verification_url)
      return { trust_level, score: provider?.trust_score, isProven: provider?.trust_factors.domain_verified }
    }
    const before = await rated()
    publish(world, added.domain_proof)
    await acme.client.domains.verify('northwind.example', {})
    await acme.client.domains.makePrimary('northwind.example', {})
    expect(await rated()).toEqual(before)
    expect(before).toMatchObject({ trust_level: 'standard', isProven: true })
    await acme.client.domains.remove('acme.example')
    expect(await rated()).toEqual({ trust_level: 'unverified', score: (before.score ?? 0) - 15, isProven: false })
  })

  it('rejects an unproven primary domain, the removal of the primary one, and domains of others', async () => {
    const { world, acme } = await withTwo(engine)
    await expect(acme.client.domains.makePrimary('northwind.example', {})).rejects.toMatchObject({
      code: 'domain_not_proven',
    })
    await expect(acme.client.domains.remove('acme.example')).rejects.toMatchObject({ code: 'domain_is_primary' })
    const other = await world.provider('other')
    for (const ask of [
      () => other.client.domains.verify('northwind.example', {}),
      () => other.client.domains.remove('northwind.example'),
      () => other.client.domains.makePrimary('acme.example', {}),
      () => other.client.domains.remove('nowhere.example'),
    ])
      await expect(ask()).rejects.toMatchObject({ status: 404 })
    for (const domain of ['localhost', '127.0.0.1', 'co.uk', 'gmail.com', 'not a domain'])
      await expect(acme.client.domains.add({ domain }), domain).rejects.toMatchObject({ code: 'validation_failed' })
    await acme.client.domains.remove('northwind.example')
    expect((await acme.client.domains.list()).domains.map(({ domain }) => domain)).toEqual(['acme.example'])
  })

  it('that become primary with a new website are called unproven in its email, until they are proven', async () => {
    const { world, acme } = await withTwo(engine)
    for (const domain of ['northwind.example', 'acme.example'])
      await acme.client.providers.update(acme.id, { website: `https://${domain}` })
    const mails = (await world.mails()).filter(({ subject }) => subject === 'Your primary domain was changed')
    expect(mails.map(({ text }) => /It is not proven|links show it/.exec(text)?.[0])).toEqual([
      'It is not proven',
      'links show it',
    ])
  })

  it('has a maximum number', async () => {
    const { acme } = await withTwo(engine)
    for (let index = 3; index <= 20; index++) await acme.client.domains.add({ domain: `acme-${index}.example` })
    await expect(acme.client.domains.add({ domain: 'acme-21.example' })).rejects.toMatchObject({
      code: 'validation_failed',
    })
  })

  it('cannot be proven again after the operator ended the proof, until the operator allows it', async () => {
    const { world, acme, added } = await withTwo(engine)
    publish(world, added.domain_proof)
    await acme.client.domains.verify('northwind.example', {})
    const newId = createNewId(world.clock.now)
    const lines: string[] = []
    const operator: Operator = {
      database: world.database,
      now: world.clock.now,
      newId,
      events: createEventRecorder({ now: world.clock.now, newId }),
      listings: { providerChanged: async () => {} },
      mail: { alert: async () => {}, queue: async () => {} },
      logEncryptionKey: null,
      logPolicy: null,
      openEgress: () => createEgress(),
      print: (line) => lines.push(line),
    }
    expect(await domainsCommand.run(operator, ['end', 'northwind.example'])).toBe(true)
    for (let tries = 0; tries < 2; tries += 1)
      expect(await acme.client.domains.verify('northwind.example', {})).toMatchObject({
        result: 'not_verified',
        reason: 'claim_blocked',
        domain_verified: false,
      })
    await expect(acme.client.domains.remove('northwind.example')).rejects.toMatchObject({ code: 'claim_blocked' })
    await acme.client.providers.update(acme.id, { website: 'https://northwind.example' })
    await acme.client.providers.update(acme.id, { website: 'https://acme.example' })
    expect(await acme.client.domains.verify('northwind.example', {})).toMatchObject({ reason: 'claim_blocked' })
    await world.jobs.run('domains')
    expect(
      (await acme.client.domains.list()).domains.find(({ domain }) => domain === 'northwind.example'),
    ).toMatchObject({
      status: 'unproven',
    })
    expect(await domainsCommand.run(operator, ['allow', 'northwind.example'])).toBe(true)
    expect(await acme.client.domains.verify('northwind.example', {})).toMatchObject({ result: 'verified' })
    const actions = (await acme.client.account.events({ subject_type: 'provider' })).events.map(
      ({ action, actor }) => `${action} ${actor}`,
    )
    expect(actions).toContain('domain.blocked operator')
    expect(actions).toContain('domain.allowed operator')
    await expect(domainsCommand.run(operator, ['allow', 'northwind.example'])).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

it('a record of one domain proves no other domain of the same provider', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const { domain_proof } = await acme.client.domains.add({ domain: 'northwind.example' })
  world.dns.setTxt(domain_proof.record_name, [acme.proof.record_value])
  expect(await acme.client.domains.verify('northwind.example', {})).toMatchObject({
    result: 'not_verified',
    reason: 'record_differs',
  })
})
