import { expect, it } from 'vitest'
import type { ProviderActor } from '../support/actors.ts'
import { ask } from '../support/ask.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { createWorld, type World } from '../support/world.ts'

/** Everything a provider can do without help and without a domain. */
const doEverythingAlone = async (world: World, { id, client, registerModel }: ProviderActor) => {
  await client.providers.update(id, {
    description: 'Everything you ever wanted.',
    founded_year: 2001,
    employee_count: '500+',
    headquarters_location: { city: 'Oslo', state: 'Oslo', country: 'Norway' },
    phone_number: '+47 22 00 00 00',
    support_email: 'help@acme.example',
    github_url: 'https://github.example/acme',
    linkedin_url: 'https://linkedin.example/acme',
    trust_center_url: 'https://acme.example/trust',
    compliance_certifications: ['SOC2', 'ISO27001', 'HIPAA'],
    ai_specific_certifications: ['ISO42001'],
  })
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  )
  await client.providers.uploadLogo(id, new Blob([pixel]))
  const model_id = await registerModel()
  await registerModel()
  for (let index = 0; index < 50; index++) {
    const { token } = await client.verifications.create({ model_id })
    await world.anyone.verifications.opened(token)
  }
  // Only a verified bundle is missing.
  await world.database.transaction((tx) =>
    tx.updateTable('models').set({ bundle_status: 'verified' }).where('id', '=', model_id).execute(),
  )
}

const verifyEmail = (world: World, id: string) =>
  world.database.transaction((tx) =>
    tx.updateTable('providers').set({ email_verified_at: 1 }).where('id', '=', id).execute(),
  )

describeOnSqlite('trust', (engine) => {
  it('is null without a mailbox, and basic without a domain, for a provider acting alone', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    await doEverythingAlone(world, acme)
    const trust = async () => {
      const { trust_level, trust_score } = await world.anyone.providers.get(acme.id)
      return { trust_level, trust_score }
    }
    expect(await trust()).toEqual({ trust_level: 'unverified', trust_score: 50 })
    await verifyEmail(world, acme.id)
    expect(await trust()).toEqual({ trust_level: 'basic', trust_score: 60 })
    acme.publishProof()
    await acme.client.providers.verifyDomain({})
    // Fifty openings from one network on one day count as one.
    expect(await trust()).toEqual({ trust_level: 'standard', trust_score: 88 })
    await world.database.transaction((tx) =>
      tx.updateTable('providers').set({ opened_count: 50 }).where('id', '=', acme.id).execute(),
    )
    expect(await trust()).toEqual({ trust_level: 'premium', trust_score: 100 })
    expect((await acme.client.providers.me()).trust_breakdown.filter(({ missing }) => missing !== null)).toEqual([])
    const { token } = await acme.client.verifications.create({ model_id: await acme.registerModel() })
    expect((await world.anyone.verifications.get(token)).provider).toMatchObject({
      trust_level: 'premium',
      trust_score: 100,
    })
    world.dns.clear()
    await acme.client.providers.verifyDomain({})
    expect(await trust()).toEqual({ trust_level: 'basic', trust_score: 72 })
  })

  it('does not grow by opening one’s own links from any number of networks, but grows if others open them', async () => {
    const world = await createWorld({ engine, trustedProxies: [{ address: '127.0.0.1', prefix: 32, family: 'ipv4' }] })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const openedFrom = async (index: number, credential: Record<string, string>) => {
      const { token } = await acme.client.verifications.create({ model_id })
      const headers = { 'X-Forwarded-For': `198.51.${index}.7`, ...credential }
      return (await ask(`${world.address}/api/v1/verify/${token}/opened`, { method: 'POST', body: {}, headers })).body
        .counted
    }
    const isUsed = async () => (await world.anyone.providers.get(acme.id)).trust_factors.actively_used
    for (let index = 0; index < 6; index++) expect(await openedFrom(index, { 'X-API-Key': acme.apiKey })).toBe(false)
    expect(await isUsed()).toBe(false)
    for (let index = 0; index < 6; index++) expect(await openedFrom(index, {})).toBe(true)
    expect(await isUsed()).toBe(true)
  })

  it('counts the bundle of a version that is not withdrawn', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    await world.database.transaction((tx) =>
      tx.updateTable('models').set({ bundle_status: 'verified' }).where('id', '=', model_id).execute(),
    )
    const points = async () =>
      (await acme.client.providers.me()).trust_breakdown.find(({ component }) => component === 'model_verified')?.points
    expect(await points()).toBe(8)
    await acme.client.models.archive(model_id, {})
    expect(await points()).toBe(0)
    await acme.client.models.unarchive(model_id, {})
    expect(await points()).toBe(8)
  })

  it('counts public models only', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const [first, second] = [
      await acme.registerModel({ is_public: false }),
      await acme.registerModel({ is_public: false }),
    ]
    await world.database.transaction((tx) =>
      tx.updateTable('models').set({ bundle_status: 'verified' }).where('provider_id', '=', acme.id).execute(),
    )
    const points = async () => {
      const { trust_breakdown } = await acme.client.providers.me()
      return ['model_verified', 'multiple_models'].map(
        (name) => trust_breakdown.find(({ component }) => component === name)?.points,
      )
    }
    expect(await points()).toEqual([0, 0])
    await acme.client.models.setVisibility(first, { is_public: true })
    expect(await points()).toEqual([8, 0])
    await acme.client.models.setVisibility(second, { is_public: true })
    expect(await points()).toEqual([8, 5])
  })

  it('ignores an empty field, and counts support only at the verified domain', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const pointsOf = async (component: string) =>
      (await acme.client.providers.me()).trust_breakdown.find((one) => one.component === component)?.points
    expect(await pointsOf('complete_profile')).toBe(0)
    for (const [support_email, points] of [
      ['help@northwind.example', 0],
      ['help@notacme.example', 0],
      ['help@acme.example', 5],
      ['HELP@ACME.example', 5],
    ] as const) {
      await acme.client.providers.update(acme.id, { support_email })
      expect(await pointsOf('dedicated_support'), support_email).toBe(points)
    }
    expect(await pointsOf('complete_profile')).toBe(2)
    await acme.client.providers.update(acme.id, { support_email: '', compliance_certifications: '' })
    expect(await pointsOf('complete_profile')).toBe(0)
    expect(await pointsOf('compliance_certifications')).toBe(0)
  })
})
