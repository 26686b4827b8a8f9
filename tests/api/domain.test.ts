import { expect, it } from 'vitest'
import { describeOnSqlite } from '../support/databases.ts'
import { createWorld } from '../support/world.ts'

describeOnSqlite('proving a domain', (engine) => {
  it('finds the record among others, shows it publicly, and leaves a trail', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    world.dns.setTxt(acme.proof.record_name, [
      'v=spf1 -all',
      'countersign=of-someone-else',
      ` ${acme.proof.record_value} `,
    ])
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
    const { domain_checked_at, domain_status } = await world.anyone.providers.get(acme.id)
    expect({ domain_checked_at, domain_status }).toEqual({
      domain_checked_at: new Date(world.clock.now()).toISOString(),
      domain_status: 'proven',
    })
    const events = await world.database.read
      .selectFrom('events')
      .select(['action', 'actor'])
      .where('action', 'like', 'domain.%')
      .execute()
    expect(events).toEqual([{ action: 'domain.verified', actor: acme.keyId }])
  })

  it('reports what it found instead', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const { record_name, record_value } = acme.proof
    const verify = () => acme.client.providers.verifyDomain({})
    expect(await verify()).toMatchObject({
      result: 'not_verified',
      reason: 'record_not_found',
      domain_proof: acme.proof,
    })
    for (const value of [
      record_value.slice(0, -1),
      `${record_value}x`,
      record_value.toUpperCase().replace('COUNTERSIGN', 'countersign'),
    ]) {
      world.dns.setTxt(record_name, [value])
      expect(await verify(), value).toMatchObject({
        result: 'not_verified',
        reason: 'record_differs',
        domain_verified: false,
      })
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
    expect(await mallory.client.providers.verifyDomain({})).toMatchObject({
      result: 'not_verified',
      reason: 'record_differs',
    })
  })

  it('belongs to one provider per domain: the second is rejected and the first keeps it', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const second = await world.provider('second', { isVerified: false, website: 'https://www.ACME.example/about' })
    world.dns.setTxt(acme.proof.record_name, [acme.proof.record_value, second.proof.record_value])
    await expect(second.client.providers.verifyDomain({})).rejects.toMatchObject({ status: 409, code: 'domain_taken' })
    expect((await world.anyone.providers.get(second.id)).domain_verified).toBe(false)
    expect((await world.anyone.providers.get(acme.id)).domain_verified).toBe(true)
  })

  it('changes nothing while DNS does not answer', async () => {
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
    expect(await world.anyone.verifications.get(verification_url)).toMatchObject({
      status: 'provider_unverified',
      result: 'not_verified',
    })
    const events = await world.database.read
      .selectFrom('events')
      .select('action')
      .where('action', 'like', 'domain.%')
      .orderBy('id')
      .execute()
    expect(events.map(({ action }) => action)).toEqual(['domain.verified', 'domain.lost'])
  })

  it('is rejected for reserved names unless the registry is on loopback', async () => {
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

it('accepts a long record that only fits TCP', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme', { isVerified: false })
  world.dns.setTxt(acme.proof.record_name, ['x'.repeat(800), acme.proof.record_value])
  expect((await acme.client.providers.verifyDomain({})).result).toBe('verified')
})

describeOnSqlite('the answer of DNS', (engine) => {
  const unproven = async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    acme.publishProof()
    const verify = async () => {
      const { result, reason, domain_verified } = await acme.client.providers.verifyDomain({})
      return { result, reason, domain_verified }
    }
    return { world, acme, verify, name: acme.proof.record_name }
  }

  it('proves nothing through an alias', async () => {
    const { world, acme, verify, name } = await unproven()
    world.dns.clear()
    world.dns.setTxt('elsewhere.northwind.example', [acme.proof.record_value])
    world.dns.setAlias(name, 'elsewhere.northwind.example')
    expect(await verify()).toEqual({ result: 'not_verified', reason: 'name_is_alias', domain_verified: false })
  })

  it('proves nothing if the query for an alias fails', async () => {
    const { world, verify, name } = await unproven()
    for (const code of ['servfail', 'refused', 'notimp'] as const) {
      world.dns.fail(name, code, 'CNAME')
      expect(await verify(), code).toEqual({ result: 'unknown', reason: 'dns_unavailable', domain_verified: false })
    }
  })

  it('proves nothing if only one of the resolvers finds the record', async () => {
    const { world, verify, name } = await unproven()
    world.dns.second.setTxt(name, ['countersign=other'])
    expect(await verify()).toEqual({ result: 'unknown', reason: 'resolvers_disagree', domain_verified: false })
    world.dns.second.clear()
    expect(await verify()).toEqual({ result: 'unknown', reason: 'resolvers_disagree', domain_verified: false })
  })

  it('proves nothing if one resolver does not answer', async () => {
    const { world, verify, name } = await unproven()
    world.dns.second.fail(name, 'servfail')
    expect(await verify()).toEqual({ result: 'unknown', reason: 'dns_unavailable', domain_verified: false })
  })

  it('is the owner’s decision: a policy excludes all accounts, or all but one', async () => {
    const { world, acme, verify, name } = await unproven()
    const { record_value } = acme.proof
    const publish = (...policies: string[]) =>
      world.dns.setTxt(name, [record_value, ...policies.map((each) => `countersign-policy=${each}`)])
    const excluded = { result: 'not_verified', reason: 'policy_excludes', domain_verified: false }
    for (const policies of [['none'], ['prv_06dh0e3x7c9bw4vjz2n8qk5ytm'], [''], [acme.id, 'none']]) {
      publish(...policies)
      expect(await verify(), policies.join()).toEqual(excluded)
    }
    publish(acme.id)
    expect(await verify()).toMatchObject({ result: 'verified' })
    publish('none')
    await world.jobs.run('domains')
    expect((await world.anyone.providers.get(acme.id)).domain_verified).toBe(true)
    world.clock.advance('25h')
    await world.jobs.run('domains')
    expect(await world.anyone.providers.get(acme.id)).toMatchObject({
      domain_verified: false,
      domain_status: 'unproven',
    })
  })
})

describeOnSqlite('a mailbox at the domain', (engine) => {
  it('does not prove any domain', async () => {
    const world = await createWorld({ engine })
    for (const name of ['acme', 'kakao']) {
      const { client } = await world.provider(name, { isVerified: false })
      await client.auth.sendVerification({})
      const [mail] = await world.mails(`${name}@${name}.example`)
      expect(await client.auth.verifyEmail({ verification_code: mail?.code ?? '' })).toMatchObject({
        verified: true,
        domain_verified: false,
      })
      expect(await client.providers.me()).toMatchObject({
        domain_verified: false,
        domain_status: 'unproven',
        verification_level: 'partially_verified',
      })
      const { verification_url } = await client.verifications.create({
        model_id: await client.models.register(aModel).then(({ model_id }) => model_id),
      })
      expect(await world.anyone.verifications.get(verification_url)).toMatchObject({
        status: 'provider_unverified',
        result: 'not_verified',
      })
    }
  })
})

describeOnSqlite('an old proof by a mailbox', (engine) => {
  it('ends with an email that contains the record to publish', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    // As the migration leaves it.
    await world.database.transaction(async (tx) => {
      await tx.updateTable('providers').set({ email_verified_at: 1 }).where('id', '=', acme.id).execute()
      await tx
        .updateTable('provider_domains')
        .set({ notice: 'email_ended', due_at: 1 })
        .where('provider_id', '=', acme.id)
        .execute()
    })
    await world.jobs.run('domains')
    await world.jobs.run('domains')
    const [mail, ...more] = await world.mails('acme@acme.example')
    expect(more).toEqual([])
    expect(mail?.subject).toBe('Verify your domain again')
    expect(mail?.text).toContain(`${acme.proof.record_name} TXT "${acme.proof.record_value}"`)
    expect((await acme.client.account.events({ action: 'domain.lost' })).events).toMatchObject([
      { before: { method: 'email' } },
    ])
    expect((await world.anyone.providers.get(acme.id)).verification_level).toBe('partially_verified')
  })
})

const aModel = {
  display_name: 'Atlas Chat',
  api_model_identifier: 'atlas-chat',
  version: '1.0.0',
  description: 'A model that answers questions about maps.',
  endpoint: 'https://api.acme.example/v1',
}
