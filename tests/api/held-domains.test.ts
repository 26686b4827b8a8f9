import { expect, it } from 'vitest'
import { domainsCommand } from '../../server/src/domains/command.ts'
import { describeOnSqlite, type Engine } from '../support/databases.ts'
import { createOperator } from '../support/operator.ts'
import { createWorld } from '../support/world.ts'

const domain = 'shop.example'

/** A provider whose primary domain was added and proven by one of its keys. */
const startProven = async (engine: Engine) => {
  const world = await createWorld({ engine })
  const acme = await world.provider('acme')
  const model_id = await acme.registerModel()
  const helper = await acme.client.keys.create({ name: 'Helper', scopes: ['full'] })
  const byHelper = world.client(helper.api_key)
  const { domain_proof } = await byHelper.domains.add({ domain })
  const publish = () => world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
  publish()
  await byHelper.domains.verify(domain, {})
  await acme.client.domains.makePrimary(domain, {})
  world.clock.advance('1m')
  const stateOf = async ({ client } = acme) => {
    const row = (await client.domains.list()).domains.find((one) => one.domain === domain)
    return { status: row?.status, stale_since: row?.stale_since, contest_ends_at: row?.contest_ends_at }
  }
  const report = async () => {
    const { reviews } = await acme.client.keys.compromise(helper.id)
    return reviews.find(({ kind }) => kind === 'domain')?.id ?? ''
  }
  const confirm = (id: string) => acme.client.keys.review(id, { decision: 'confirmed' })
  /** What a link that is minted now says, and how often the log says that the domain was proven. */
  const shown = async () => {
    const { token } = await acme.client.verifications.create({ model_id })
    const { status, provider } = await world.anyone.verifications.get(token)
    await world.registry.transparency.sequence()
    const { entries } = await acme.client.log.entries()
    const proven = entries.filter(({ type, says }) => type === 'domain.proven' && says.includes(domain)).length
    return { link: status, domain: provider?.domain_status, proven }
  }
  return { world, acme, domain_proof, publish, stateOf, report, confirm, shown }
}

describeOnSqlite('a domain that was suspended with the key that added it', (engine) => {
  it('is proven again as soon as its change is confirmed, if its record is found then', async () => {
    const { world, acme, stateOf, report, confirm, shown } = await startProven(engine)
    const review = await report()
    expect(await stateOf()).toMatchObject({ status: 'unproven' })
    world.clock.advance('30d')
    await confirm(review)
    expect(await shown()).toEqual({ link: 'verified', domain: 'proven', proven: 2 })
    const row = world.database.read.selectFrom('provider_domains').where('domain', '=', domain)
    const at = world.clock.now()
    expect(await row.select(['proven_since', 'verified_at']).executeTakeFirst()).toEqual({
      proven_since: at,
      verified_at: at,
    })
    expect((await world.anyone.providers.get(acme.id)).domain_verified_at).toBe(new Date(at).toISOString())
  })

  it('is not proven when its change is confirmed after its record was removed', async () => {
    const { world, domain_proof, report, confirm, shown } = await startProven(engine)
    const review = await report()
    world.dns.setTxt(domain_proof.record_name, ['countersign-policy=none'])
    world.clock.advance('47h')
    await confirm(review)
    expect(await shown()).toEqual({ link: 'provider_unverified', domain: 'unproven', proven: 1 })
  })

  it('is stale after its change is confirmed while its record cannot be read, and proven once it is', async () => {
    const { world, domain_proof, publish, stateOf, report, confirm, shown } = await startProven(engine)
    const reported_at = new Date(world.clock.now()).toISOString()
    const review = await report()
    world.clock.advance('47h')
    world.dns.fail(domain_proof.record_name, 'servfail')
    await confirm(review)
    expect(await stateOf()).toMatchObject({ status: 'stale', stale_since: reported_at })
    expect(await shown()).toEqual({ link: 'provider_unverified', domain: 'unproven', proven: 1 })
    world.dns.clear()
    publish()
    world.clock.advance('11m')
    await world.jobs.run('domains')
    expect(await shown()).toEqual({ link: 'verified', domain: 'proven', proven: 2 })
  })

  it('stays stale since the same moment if it was stale before, and is lost after 72 hours', async () => {
    const { world, domain_proof, stateOf, report, confirm, shown } = await startProven(engine)
    world.clock.advance('25h')
    world.dns.fail(domain_proof.record_name, 'servfail')
    await world.jobs.run('domains')
    const before = await stateOf()
    expect(before).toMatchObject({ status: 'stale', stale_since: expect.any(String) })
    world.clock.advance('20h')
    await confirm(await report())
    expect(await stateOf()).toEqual(before)
    world.clock.advance('53h')
    await world.jobs.run('domains')
    expect(await shown()).toEqual({ link: 'provider_unverified', domain: 'unproven', proven: 1 })
  })

  /** Another account proves the domain 10 hours after it was first proven, and loses it 40 hours later. */
  const holdInBetween = async ({ world, domain_proof }: Awaited<ReturnType<typeof startProven>>) => {
    const buyer = await world.provider('buyer')
    const held = await buyer.client.domains.add({ domain })
    world.clock.advance('10h')
    world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value, held.domain_proof.record_value])
    expect(await buyer.client.domains.verify(domain, {})).toMatchObject({ result: 'verified' })
    return async () => {
      world.clock.advance('40h')
      await buyer.client.domains.remove(domain)
    }
  }

  it.each(['in the log', 'about to be logged'])(
    'begins a new proof if another account has proven it in between, which is $0',
    async (place) => {
      const proven = await startProven(engine)
      const { world, acme, report, confirm, shown } = proven
      const review = await report()
      const release = await holdInBetween(proven)
      if (place === 'in the log') await world.registry.transparency.sequence()
      await release()
      await confirm(review)
      const row = world.database.read.selectFrom('provider_domains').where('domain', '=', domain)
      const at = world.clock.now()
      expect(await row.select(['proven_since', 'verified_at']).executeTakeFirst()).toEqual({
        proven_since: at,
        verified_at: at,
      })
      expect((await world.anyone.providers.get(acme.id)).domain_verified_at).toBe(new Date(at).toISOString())
      expect(await shown()).toEqual({ link: 'verified', domain: 'proven', proven: 2 })
    },
  )

  it('is lost if another account has proven it in between, and its record cannot be read', async () => {
    const proven = await startProven(engine)
    const { world, domain_proof, stateOf, report, confirm, shown } = proven
    const review = await report()
    const release = await holdInBetween(proven)
    await release()
    world.dns.fail(domain_proof.record_name, 'servfail')
    await confirm(review)
    expect(await stateOf()).toMatchObject({ status: 'unproven', stale_since: null })
    expect(await shown()).toEqual({ link: 'provider_unverified', domain: 'unproven', proven: 1 })
  })

  it('keeps the date of its proof if no other account has proven it in between', async () => {
    const { world, acme, report, confirm } = await startProven(engine)
    const before = await world.anyone.providers.get(acme.id)
    const review = await report()
    world.clock.advance('47h')
    await confirm(review)
    expect(before.domain_verified_at).not.toBeNull()
    expect((await world.anyone.providers.get(acme.id)).domain_verified_at).toBe(before.domain_verified_at)
  })

  it('that another account claims is proven for neither until that claim is decided', async () => {
    const { world, domain_proof, stateOf, report, confirm, shown } = await startProven(engine)
    const rival = await world.provider('rival')
    const claimed = await rival.client.domains.add({ domain })
    world.dns.setTxt(domain_proof.record_name, [claimed.domain_proof.record_value])
    expect(await rival.client.domains.verify(domain, {})).toMatchObject({ reason: 'waiting_period' })
    const [before, claim] = [await stateOf(), await stateOf(rival)]
    expect(before).toMatchObject({ status: 'stale' })
    await confirm(await report())
    await world.jobs.run('domains')
    expect([await stateOf(), await stateOf(rival)]).toEqual([before, claim])
    expect(await shown()).toEqual({ link: 'provider_unverified', domain: 'unproven', proven: 1 })
    world.clock.advance('61m')
    await world.jobs.run('domains')
    expect([(await stateOf()).status, (await stateOf(rival)).status]).toEqual(['unproven', 'proven'])
  })

  it('that it claims from another account is claimed since the same moment', async () => {
    const { world, acme, domain_proof, publish, stateOf, report, confirm } = await startProven(engine)
    world.dns.clear()
    await acme.client.domains.verify(domain, {})
    const holder = await world.provider('holder')
    const held = await holder.client.domains.add({ domain })
    world.dns.setTxt(domain_proof.record_name, [held.domain_proof.record_value])
    await holder.client.domains.verify(domain, {})
    publish()
    expect(await acme.client.domains.verify(domain, {})).toMatchObject({ reason: 'waiting_period' })
    const before = await stateOf()
    expect(before).toMatchObject({ status: 'unproven', contest_ends_at: expect.any(String) })
    const review = await report()
    expect(await stateOf()).toMatchObject({ contest_ends_at: null })
    await confirm(review)
    expect(await stateOf()).toEqual(before)
    world.clock.advance('61m')
    await world.jobs.run('domains')
    expect([(await stateOf()).status, (await stateOf(holder)).status]).toEqual(['proven', 'unproven'])
  })

  it('is found and ended by the operator, and not restored when its change is confirmed', async () => {
    const { world, acme, stateOf, report, confirm } = await startProven(engine)
    const operate = createOperator(world)
    const review = await report()
    expect(await operate(domainsCommand, 'end', domain)).toMatch(/has ended/)
    await confirm(review)
    await world.jobs.run('domains')
    expect(await stateOf()).toMatchObject({ status: 'unproven' })
    expect(await acme.client.domains.verify(domain, {})).toMatchObject({ reason: 'claim_blocked' })
    expect(await operate(domainsCommand, 'allow', domain)).not.toMatch(/refused/)
    expect(await acme.client.domains.verify(domain, {})).toMatchObject({ result: 'verified' })
  })
})
