import { expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { createWorld, type World } from '../support/world.ts'

const eventsOf = async (world: World, provider_id: string, action: string) => {
  const rows = await world.database.read
    .selectFrom('events')
    .select(['before', 'after'])
    .where('provider_id', '=', provider_id)
    .where('action', '=', action)
    .orderBy('id')
    .execute()
  return rows.map(({ before, after }) => ({ before: JSON.parse(before ?? 'null'), after: JSON.parse(after ?? 'null') }))
}

const everything = {
  description: 'Maps and the words about them.',
  founded_year: 2019,
  headquarters_location: { city: 'Oslo', state: 'Oslo', country: 'Norway' },
  employee_count: '11-50' as const,
  phone_number: '+47 22 00 00 00',
  support_email: 'help@acme.example',
  github_url: 'https://github.example/acme',
  linkedin_url: 'https://linkedin.example/acme',
  twitter_url: 'https://twitter.example/acme',
  trust_center_url: 'https://acme.example/trust',
  api_documentation_url: 'https://acme.example/docs',
  support_url: 'https://acme.example/support',
  industry: 'Cartography',
  specialties: ['maps', 'places'],
  funding_status: 'Bootstrapped',
}

const written = {
  ...everything,
  headquarters_location: undefined,
  company_description: everything.description,
  headquarters: 'Oslo, Oslo, Norway',
  hq_city: 'Oslo',
  contact_email: 'help@acme.example',
}

describeOnSqlite('changing a provider', (engine) => {
  it('writes every field through any of the endpoints, keeps missing fields, and removes empty ones', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const { headquarters_location: _, ...plain } = everything
    expect(await acme.client.providers.setProfile(acme.id, everything)).toMatchObject({
      ...plain,
      domain_verification_updated: false,
    })
    expect(await acme.client.providers.me()).toMatchObject({
      ...plain,
      ...{ hq_city: 'Oslo', company_description: plain.description },
    })
    const { phone_number: __, support_email: ___, ...shown } = plain
    const seen = await world.anyone.providers.get(acme.id)
    expect(seen).toMatchObject({ ...shown, headquarters: written.headquarters, contact_email: written.contact_email })
    expect(JSON.stringify(seen)).not.toContain('+47')

    await acme.client.providers.setCompliance(acme.id, {
      compliance_certifications: 'SOC2, ISO27001',
      ai_specific_certifications: ['ISO42001'],
    })
    const changed = await acme.client.providers.update(acme.id, {
      hq_city: 'Bergen',
      industry: '',
      specialties: [],
      is_listed: false,
    })
    expect(changed).toMatchObject({
      headquarters: 'Bergen, Oslo, Norway',
      industry: null,
      specialties: [],
      is_listed: false,
      is_public: false,
      compliance_certifications: ['SOC2', 'ISO27001'],
      ai_specific_certifications: ['ISO42001'],
      founded_year: 2019,
    })
    const emptied = Object.fromEntries(
      [
        'description',
        'employee_count',
        'phone_number',
        'support_email',
        'github_url',
        'linkedin_url',
        'twitter_url',
        'funding_status',
      ].map((field) => [field, '']),
    )
    expect(await acme.client.providers.update(acme.id, { founded_year: '' })).toMatchObject({ founded_year: null })
    const nulls = Object.fromEntries(Object.keys(emptied).map((field) => [field, null]))
    expect(await acme.client.providers.setProfile(acme.id, emptied)).toMatchObject(nulls)
  })

  it('leaves one event with before and after, without personal data; and none without changes', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    await acme.client.providers.setProfile(acme.id, {
      founded_year: 2019,
      phone_number: '+47 22 00 00 00',
      support_email: 'sam@acme.example',
    })
    await acme.client.providers.setProfile(acme.id, { founded_year: 2019, phone_number: '+47 22 00 00 00' })
    await acme.client.providers.update(acme.id, { founded_year: 2020, company_name: 'Acme Maps' })
    expect(await eventsOf(world, acme.id, 'provider.updated')).toEqual([
      { before: { founded_year: null }, after: { founded_year: 2019, undisclosed: ['support_email', 'phone_number'] } },
      {
        before: { founded_year: 2019, company_name: 'Acme Labs' },
        after: { founded_year: 2020, company_name: 'Acme Maps' },
      },
    ])
    const trail = JSON.stringify(await world.database.read.selectFrom('events').selectAll().execute())
    expect(trail).not.toMatch(/\+47|sam@/)
  })

  it('is rejected alike for another provider and an unknown one, and changes nothing', async () => {
    const world = await createWorld({ engine })
    const [acme, northwind] = [await world.provider('acme'), await world.provider('northwind')]
    const before = await acme.client.providers.me()
    for (const id of [acme.id, 'prv_06dh0e3x7c9bw4vjz2n8qk5ytm']) {
      const providers = northwind.client.providers
      for (const attempt of [
        () => providers.update(id, { company_name: 'Mine' }),
        () => providers.setProfile(id, { company_name: 'Mine' }),
        () => providers.setCompliance(id, { compliance_certifications: ['SOC2'] }),
        () => providers.setVisibility(id, { is_listed: false }),
        () => providers.uploadLogo(id, new Blob(['x'])),
        () => providers.deleteLogo(id),
        () => providers.deactivate(id, {}),
        () => providers.reactivate(id, {}),
        () => providers.delete(id),
      ])
        await expect(attempt()).rejects.toMatchObject({ status: 403, code: 'forbidden' })
    }
    expect(await acme.client.providers.me()).toEqual(before)
  })

  it('names invalid fields and writes nothing', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const before = await acme.client.providers.me()
    const rows = [
      { input: { company_name: '' }, field: 'company_name' },
      { input: { company_name: '\u200b ' }, field: 'company_name' },
      { input: { website: '' }, field: 'website' },
      { input: { website: 'https://github.io' }, field: 'website' },
      { input: { website: 'javascript:alert(1)' }, field: 'website' },
      { input: { github_url: 'javascript:alert(1)' }, field: 'github_url' },
      { input: { founded_year: 1899 }, field: 'founded_year' },
      { input: { founded_year: new Date().getUTCFullYear() + 1 }, field: 'founded_year' },
      { input: { employee_count: '12' }, field: 'employee_count' },
      { input: { description: 'x'.repeat(201) }, field: 'description' },
      { input: { support_email: 'nobody' }, field: 'support_email' },
      { input: { hq_city: 'Oslo', headquarters_location: { city: 'Bergen' } }, field: 'hq_city' },
      { input: { website: 'https://acme.example', website_url: 'https://other.example' }, field: 'website_url' },
      { input: { email: 'new@acme.example' }, field: 'email' },
      { input: { domain_verified: true }, field: 'domain_verified' },
      { input: { trust_score: 100 }, field: 'trust_score' },
    ]
    for (const { input, field } of rows) {
      const reply = await ask(`${world.address}/api/v1/providers/${acme.id}`, {
        method: 'PATCH',
        headers: { 'X-API-Key': acme.apiKey },
        body: { industry: 'Half', ...input },
      })
      expect({ field, status: reply.status, text: reply.text }).toMatchObject({
        status: 422,
        text: expect.stringContaining(field),
      })
    }
    expect(await acme.client.providers.me()).toEqual(before)
  })
})

describeOnSqlite('another website', (engine) => {
  it('under the same registrable domain keeps the proof', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    expect(await acme.client.providers.setProfile(acme.id, { website: 'https://www.acme.example/maps' })).toMatchObject(
      {
        website_url: 'https://www.acme.example/maps',
        domain_verified: true,
        domain_verification_updated: false,
        domain_proof: acme.proof,
      },
    )
  })

  it('of another domain makes that one primary and unproven, with its own record; links under the old domain stay valid', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const { token } = await acme.client.verifications.create({ model_id: await acme.registerModel() })
    const moved = await acme.client.providers.update(acme.id, { website: 'https://northwind.example' })
    expect(moved).toMatchObject({
      domain: 'northwind.example',
      domain_verified: false,
      domain_verification_method: null,
      domain_verification_updated: true,
    })
    expect(moved.domain_proof?.record_value).not.toBe(acme.proof.record_value)
    expect(await world.anyone.verifications.get(token)).toMatchObject({
      status: 'verified',
      provider: { domain: 'acme.example' },
    })
    expect(await eventsOf(world, acme.id, 'domain.primary')).toEqual([
      { before: { domain: 'acme.example' }, after: { domain: 'northwind.example' } },
    ])
    // Back again: the domain stayed proven.
    expect(await acme.client.providers.update(acme.id, { website: 'https://acme.example' })).toMatchObject({
      domain: 'acme.example',
      domain_verified: true,
      domain_verification_updated: true,
      domain_proof: acme.proof,
    })
    expect((await acme.client.domains.list()).domains.map(({ domain }) => domain)).toEqual(['acme.example'])
  })

  it('is not proven by a verified mailbox there', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    await world.database.transaction((tx) =>
      tx.updateTable('providers').set({ email_verified_at: 1 }).where('id', '=', acme.id).execute(),
    )
    await acme.client.providers.update(acme.id, { website: 'https://northwind.example' })
    expect(await acme.client.providers.update(acme.id, { website: 'https://acme.example' })).toMatchObject({
      domain_verified: false,
      verification_level: 'partially_verified',
      domain_verification_updated: true,
    })
  })
})

describeOnSqlite('a provider without a company', (engine) => {
  /** As after a first sign-in with an identity provider. */
  const createUnfinished = async (email: string | null = 'sam@acme.example') => {
    const world = await createWorld({ engine })
    const actor = await world.provider('acme', { isVerified: false, isListed: false })
    await world.database.transaction(async (tx) => {
      await tx.deleteFrom('provider_domains').where('provider_id', '=', actor.id).execute()
      await tx
        .updateTable('providers')
        .set({
          company_name: null,
          website: null,
          domain: null,
          name_skeleton: null,
          email,
          email_norm: email,
          email_verified_at: email ? 1 : null,
        })
        .where('id', '=', actor.id)
        .execute()
    })
    return { world, actor }
  }

  it('cannot be listed before it is registered, but can with the change that completes it', async () => {
    const { world, actor } = await createUnfinished()
    const { providers } = actor.client
    expect(await providers.me()).toMatchObject({ verification_level: 'unregistered', domain_proof: null })
    for (const attempt of [
      () => providers.setVisibility(actor.id, { is_listed: true }),
      () => providers.update(actor.id, { is_public: true, company_name: 'Acme Labs' }),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 409, code: 'not_registered' })
    expect(await providers.me()).toMatchObject({ company_name: null, is_listed: false })
    expect(
      await providers.update(actor.id, { company_name: 'Acme Labs', website: 'acme.example', is_listed: true }),
    ).toMatchObject({
      verification_level: 'partially_verified',
      domain_verification_method: null,
      is_listed: true,
    })
    expect((await world.anyone.providers.list({})).providers.map(({ id }) => id)).toContain(actor.id)
  })

  it('is completed by registering with its credentials, once, and gets a key', async () => {
    const { world, actor } = await createUnfinished()
    const details = { company_name: 'Acme Labs', email: 'Sam@acme.example', website: 'https://acme.example' }
    await expect(actor.client.providers.register({ ...details, email: 'other@acme.example' })).rejects.toMatchObject({
      status: 422,
    })
    expect(await actor.client.providers.me()).toMatchObject({ company_name: null })
    const registered = await actor.client.providers.register(details)
    expect(registered.provider_id).toBe(actor.id)
    expect(await world.client(registered.api_key).providers.me()).toMatchObject({
      id: actor.id,
      company_name: 'Acme Labs',
      email: 'sam@acme.example',
      is_listed: true,
      domain_verified: false,
      domain_proof: registered.domain_proof,
    })
    await expect(actor.client.providers.register(details)).rejects.toMatchObject({ code: 'already_registered' })
    expect(await world.database.read.selectFrom('providers').select('id').execute()).toHaveLength(1)
  })

  it('keeps the address given in the registration, unverified, if it had none', async () => {
    const { actor } = await createUnfinished(null)
    await actor.client.providers.register({
      company_name: 'Acme Labs',
      email: 'Sam@acme.example',
      website: 'https://acme.example',
    })
    expect(await actor.client.providers.me()).toMatchObject({
      email: 'Sam@acme.example',
      email_verified: false,
      domain_verified: false,
    })
  })

  it('is not completed by a restricted key, which would gain an unrestricted one', async () => {
    const { world, actor } = await createUnfinished()
    const { api_key } = await actor.client.keys.create({ name: 'Restricted', scopes: ['account'] })
    const details = { company_name: 'Acme Labs', email: 'sam@acme.example', website: 'https://acme.example' }
    await expect(world.client(api_key).providers.register(details)).rejects.toMatchObject({ code: 'forbidden' })
    expect(await actor.client.providers.me()).toMatchObject({ company_name: null })
  })
})

describeOnSqlite('the listing switch', (engine) => {
  it('removes a provider from lists and restores it, under either name', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const listed = async () => (await world.anyone.providers.list({})).providers.length
    expect(await acme.client.providers.setVisibility(acme.id, { is_listed: false })).toMatchObject({
      is_listed: false,
      message: 'Provider unlisted',
    })
    expect(await listed()).toBe(0)
    expect((await world.anyone.providers.get(acme.id)).id).toBe(acme.id)
    expect(await acme.client.providers.setVisibility(acme.id, { is_public: true })).toMatchObject({
      is_public: true,
      message: 'Provider listed',
    })
    expect(await listed()).toBe(1)
    await expect(acme.client.providers.setVisibility(acme.id, {})).rejects.toMatchObject({ status: 422 })
  })
})
