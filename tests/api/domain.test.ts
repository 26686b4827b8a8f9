import { expect, it } from 'vitest'
import { describeEachEngine } from '../support/databases.ts'
import { createWorld } from '../support/world.ts'

describeEachEngine('proving a domain', (engine) => {
  it('finds the record among others, says so publicly, and leaves a trail', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    world.dns.setTxt(acme.proof.record_name, ['v=spf1 -all', 'countersign=of-someone-else', ` ${acme.proof.record_value} `])
    expect(await acme.client.providers.verifyDomain({})).toMatchObject({
      result: 'verified',
      reason: null,
      domain: 'acme.example',
      domain_verified: true,
      domain_verification_method: 'dns',
    })
    expect(await world.anyone.providers.get(acme.id)).toMatchObject({
      domain_verified: true,
      domain_verification_method: 'dns',
      verification_level: 'verified',
    })
    const events = await world.database.read.selectFrom('events').select(['action', 'actor']).where('action', 'like', 'domain.%').execute()
    expect(events).toEqual([{ action: 'domain.verified', actor: acme.keyId }])
  })

  it('says what it found instead', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const { record_name, record_value } = acme.proof
    const verify = () => acme.client.providers.verifyDomain({})
    expect(await verify()).toMatchObject({ result: 'not_verified', reason: 'record_not_found', domain_proof: acme.proof })
    for (const value of [record_value.slice(0, -1), `${record_value}x`, record_value.toUpperCase().replace('COUNTERSIGN', 'countersign')]) {
      world.dns.setTxt(record_name, [value])
      expect(await verify(), value).toMatchObject({ result: 'not_verified', reason: 'record_differs', domain_verified: false })
    }
    world.dns.setTxt(record_name, ['unrelated'])
    expect(await verify()).toMatchObject({ reason: 'record_not_found' })
    world.dns.clear()
    world.dns.setTxt('acme.example', [record_value])
    expect(await verify()).toMatchObject({ reason: 'record_not_found' })
  })

  it('cannot be done with another provider’s record', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const mallory = await world.provider('mallory', { isVerified: false, website: 'https://acme.example' })
    acme.publishProof()
    expect(await mallory.client.providers.verifyDomain({})).toMatchObject({ result: 'not_verified', reason: 'record_differs' })
  })

  it('is for one provider of a domain: the second is refused and the first keeps it', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const second = await world.provider('second', { isVerified: false, website: 'https://www.ACME.example/about' })
    world.dns.setTxt(acme.proof.record_name, [acme.proof.record_value, second.proof.record_value])
    await expect(second.client.providers.verifyDomain({})).rejects.toMatchObject({ status: 409, code: 'domain_taken' })
    expect((await world.anyone.providers.get(second.id)).domain_verified).toBe(false)
    expect((await world.anyone.providers.get(acme.id)).domain_verified).toBe(true)
  })

  it('moves to who controls DNS now, once the record of the earlier proof is gone', async () => {
    const world = await createWorld({ engine })
    const former = await world.provider('acme')
    const minted = await former.client.verifications.create({ model_id: await former.registerModel() })
    const owner = await world.provider('owner', { isVerified: false, website: 'https://acme.example' })
    owner.publishProof()
    expect((await owner.client.providers.verifyDomain({})).result).toBe('verified')
    expect((await world.anyone.providers.get(former.id)).domain_verified).toBe(false)
    expect((await world.anyone.verifications.get(minted.verification_url)).result).toBe('not_verified')
  })

  it('displaces a proof by mailbox, and tells that in the trail', async () => {
    const world = await createWorld({ engine })
    const mailbox = await world.provider('acme', { isVerified: false })
    await world.database.transaction((tx) =>
      tx
        .updateTable('providers')
        .set({ domain_verified_at: 1, domain_verification_method: 'email' })
        .where('id', '=', mailbox.id)
        .execute(),
    )
    const owner = await world.provider('owner', { website: 'https://acme.example' })
    expect((await world.anyone.providers.get(owner.id)).domain_verified).toBe(true)
    expect((await world.anyone.providers.get(mailbox.id)).domain_verified).toBe(false)
    const events = await world.database.read.selectFrom('events').select('provider_id').where('action', '=', 'domain.displaced').execute()
    expect(events).toEqual([{ provider_id: mailbox.id }])
  })

  it('changes nothing while DNS cannot be asked', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    for (const failure of ['servfail', 'refused'] as const) {
      world.dns.fail(acme.proof.record_name, failure)
      expect(await acme.client.providers.verifyDomain({})).toMatchObject({
        result: 'unknown',
        reason: 'dns_unavailable',
        domain_verified: true,
      })
    }
    expect((await world.anyone.providers.get(acme.id)).domain_verified).toBe(true)
  })

  it('is lost with the record, at once, for the provider and for the links', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const { verification_url } = await acme.client.verifications.create({ model_id: await acme.registerModel() })
    world.dns.clear()
    expect(await acme.client.providers.verifyDomain({})).toMatchObject({
      result: 'not_verified',
      reason: 'record_not_found',
      domain_verified: false,
      domain_verification_method: null,
    })
    expect(await world.anyone.providers.get(acme.id)).toMatchObject({
      domain_verified: false,
      verification_level: 'unverified',
      trust_level: 'unverified',
    })
    expect(await world.anyone.verifications.get(verification_url)).toMatchObject({ status: 'provider_unverified', result: 'not_verified' })
    const events = await world.database.read
      .selectFrom('events')
      .select('action')
      .where('action', 'like', 'domain.%')
      .orderBy('id')
      .execute()
    expect(events.map(({ action }) => action)).toEqual(['domain.verified', 'domain.lost'])
  })

  it('is refused for reserved names once the registry is not on loopback', async () => {
    const world = await createWorld({ engine, publicUrl: 'https://registry.northwind.example' })
    const acme = await world.provider('acme', { isVerified: false })
    acme.publishProof()
    expect(await acme.client.providers.verifyDomain({})).toMatchObject({
      result: 'not_verified',
      reason: 'reserved_name',
      domain_verified: false,
    })
    expect((await world.anyone.providers.get(acme.id)).domain_verified).toBe(false)
  })
})

it('takes a long record that only fits TCP', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme', { isVerified: false })
  world.dns.setTxt(acme.proof.record_name, ['x'.repeat(800), acme.proof.record_value])
  expect((await acme.client.providers.verifyDomain({})).result).toBe('verified')
})
