import { expect, it } from 'vitest'
import { describeOnSqlite } from '../support/databases.ts'
import { createWorld } from '../support/world.ts'

describeOnSqlite('a provider that is not registered', (engine) => {
  it('registers models but mints no links until its company name, email and website are set', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    for (const missing of ['company_name', 'email', 'website'] as const) {
      const [before] = await world.database.read
        .selectFrom('providers')
        .select(missing)
        .where('id', '=', acme.id)
        .execute()
      const set = (columns: object) =>
        world.database.transaction((tx) => tx.updateTable('providers').set(columns).where('id', '=', acme.id).execute())
      await set({ [missing]: null })
      expect((await acme.client.providers.me()).verification_level).toBe('unregistered')
      await expect(acme.client.verifications.create({ model_id })).rejects.toMatchObject({
        status: 403,
        code: 'provider_unregistered',
      })
      expect(await acme.registerModel()).toMatch(/^mdl_/)
      await set(before ?? {})
    }
    expect((await acme.client.verifications.create({ model_id })).verification_id).toMatch(/^vrf_/)
    expect(await world.database.read.selectFrom('verifications').select('id').execute()).toHaveLength(1)
  })
})

describeOnSqlite('an authorization', (engine) => {
  it('counts for one deployment and one model: the others of the same provider get no links and keep none', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const [atlas, borealis] = [await acme.registerModel(), await acme.registerModel()]
    const [own, other] = [await acme.registerDeployment([atlas, borealis]), await acme.registerDeployment([borealis])]
    const mint = (model_id: string, { spki_fingerprint }: { spki_fingerprint: string }) =>
      acme.client.verifications.create({ model_id }, { headers: { 'X-Client-Cert-Fingerprint': spki_fingerprint } })
    const refused = { status: 403, code: 'deployment_not_authorized' }
    await expect(mint(atlas, other)).rejects.toMatchObject(refused)

    const [ofAtlas, ofBorealis] = [await mint(atlas, own), await mint(borealis, own)]
    await acme.client.models.revokeDeployment(atlas, own.deployment_id)
    await expect(mint(atlas, own)).rejects.toMatchObject(refused)
    await expect(world.anyone.verifications.get(ofAtlas.token)).rejects.toMatchObject({
      change: 'authorization_removed',
    })
    expect(await world.anyone.verifications.get(ofBorealis.token)).toMatchObject({ result: 'verified' })
  })
})

describeOnSqlite('a proof that no job rechecks', (engine) => {
  it('is stale after two days and lost after five, for links and for minting', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const statusAfter = async (time: `${number}h`) => {
      world.clock.advance(time)
      const { token, warnings } = await acme.client.verifications.create({ model_id })
      const { result, provider } = await world.anyone.verifications.get(token)
      return { result, status: provider?.domain_status, score: provider?.trust_score, isWarned: warnings.length > 0 }
    }
    expect(await statusAfter('47h')).toEqual({ result: 'verified', status: 'proven', score: 15, isWarned: false })
    world.clock.advance('55m')
    const { token } = await acme.client.verifications.create({ model_id })
    world.clock.advance('10m')
    expect(await world.anyone.verifications.get(token)).toMatchObject({ provider: { domain_status: 'stale' } })
    expect(await statusAfter('1h')).toEqual({ result: 'not_verified', status: 'unproven', score: 0, isWarned: true })
    expect((await acme.client.domains.list()).domains).toMatchObject([{ status: 'stale' }])
    expect(await statusAfter('72h')).toEqual({ result: 'not_verified', status: 'unproven', score: 0, isWarned: true })
    expect((await acme.client.domains.list()).domains).toMatchObject([{ status: 'unproven' }])
    expect((await acme.client.account.verifications()).verifications.map(({ result }) => result)).not.toContain(
      'verified',
    )
    await acme.client.providers.verifyDomain({})
    expect(await statusAfter('1h')).toMatchObject({ result: 'verified' })
  })

  it('is shown on no page, badge or oEmbed document after two days', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const shown = async () => {
      const { domain_verified, domain_status, website, verification_level } = await world.anyone.providers.get(acme.id)
      const { provider_domain_verified } = await world.anyone.models.get(model_id)
      const [listed] = (await world.anyone.providers.list({})).providers
      const paths = [
        `/badge/providers/${acme.id}.svg`,
        `/badge/models/${model_id}.svg`,
        `/oembed?url=${world.publicUrl}/providers/${acme.id}`,
      ]
      const texts = await Promise.all(paths.map(async (path) => (await fetch(world.address + path)).text()))
      return {
        domain_status,
        website,
        verification_level,
        proven: [
          domain_verified,
          provider_domain_verified,
          listed?.domain_verified,
          ...texts.map((text) => text.includes('acme.example')),
        ],
      }
    }
    const of = (isProven: boolean) => Array.from({ length: 6 }, () => isProven)
    expect(await shown()).toMatchObject({ domain_status: 'proven', proven: of(true) })
    world.clock.advance('49h')
    expect(await shown()).toEqual({
      domain_status: 'stale',
      website: null,
      verification_level: 'unverified',
      proven: of(false),
    })
    world.clock.advance('72h')
    expect(await shown()).toMatchObject({ domain_status: 'unproven', proven: of(false) })
  })
})

describeOnSqlite('the origin that a link names', (engine) => {
  const startMinting = async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const mint = (origin: string) => acme.client.verifications.create({ model_id, origin })
    const refused = { status: 422, code: 'origin_not_yours', problem: { errors: [{ pointer: '#/origin' }] } }
    return { world, acme, model_id, mint, refused }
  }

  it('rejects an origin outside the provider’s domains, and mints nothing', async () => {
    const { world, mint, refused } = await startMinting()
    await world.provider('rival')
    for (const origin of [
      'https://chat.rival.example',
      'https://rival.example',
      'https://notacme.example',
      'https://acme.example.evil.example',
      'https://evil.example',
      'https://192.0.2.7',
      'https://.acme.example',
      'https://a..acme.example',
      'https://.acme.example:8443',
    ])
      await expect(mint(origin), origin).rejects.toMatchObject(refused)
    expect(await world.database.read.selectFrom('verifications').select('id').execute()).toEqual([])
  })

  it('may be at or below a proven domain, on any port', async () => {
    const { world, mint } = await startMinting()
    for (const origin of ['https://acme.example', 'https://chat.acme.example', 'https://a.b.acme.example:8443']) {
      const { token } = await mint(origin)
      expect(await world.anyone.verifications.get(token)).toMatchObject({ result: 'verified', origin })
    }
  })

  it('may not be at a domain that the provider only claims', async () => {
    const { world } = await startMinting()
    const late = await world.provider('late', { isVerified: false })
    const model_id = await late.registerModel()
    await expect(
      late.client.verifications.create({ model_id, origin: 'https://chat.late.example' }),
    ).rejects.toMatchObject({
      code: 'origin_not_yours',
    })
  })

  it('may be at a customer’s domain whose owner names the provider, while they do', async () => {
    const { world, acme, mint, refused } = await startMinting()
    const origin = 'https://help.customer.example'
    await expect(mint(origin)).rejects.toMatchObject(refused)
    world.dns.setTxt('_countersign.customer.example', [
      'countersign-origin=prv_another',
      `countersign-origin=${acme.id}`,
    ])
    world.clock.advance('2m')
    expect((await mint(origin)).verification_id).toMatch(/^vrf_/)
    world.dns.clear()
    world.clock.advance('2m')
    await expect(mint(origin)).rejects.toMatchObject(refused)
  })

  it('is shown only while its domain is proven', async () => {
    const { world, acme, mint } = await startMinting()
    const { domain_proof } = await acme.client.domains.add({ domain: 'mirror.example' })
    world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
    await acme.client.domains.verify('mirror.example', {})
    const links = [await mint('https://chat.mirror.example'), await mint('https://chat.acme.example')]
    const shown = async () => {
      const { verifications: listed } = await acme.client.account.verifications({ sort: 'created' })
      return Promise.all(
        links.map(async ({ token }, index) => {
          const { result, origin, is_origin_lost, checks } = await world.anyone.verifications.get(token)
          expect(listed[index]).toMatchObject({ result, origin })
          return {
            result,
            origin,
            is_origin_lost,
            isNoted: /no longer proven/.test(checks.find(({ check }) => check === 'chat')?.detail ?? ''),
          }
        }),
      )
    }
    const own = { result: 'verified', origin: 'https://chat.acme.example', isNoted: false }
    expect(await shown()).toEqual([{ ...own, origin: 'https://chat.mirror.example' }, own])
    world.dns.setTxt(domain_proof.record_name, [])
    await acme.client.domains.verify('mirror.example', {})
    expect(await shown()).toEqual([{ ...own, origin: null, is_origin_lost: true, isNoted: true }, own])
    await acme.client.domains.remove('mirror.example')
    expect(await shown()).toEqual([{ ...own, origin: null, is_origin_lost: true, isNoted: true }, own])
  })

  it('is not signed again with an answer once its domain is lost, nor is a provider’s domain that is not proven now', async () => {
    const { world, acme, model_id, mint } = await startMinting()
    const { domain_proof } = await acme.client.domains.add({ domain: 'mirror.example' })
    world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
    await acme.client.domains.verify('mirror.example', {})
    const tokens: string[] = []
    for (let links = 0; links < 4; links += 1) tokens.push((await mint('https://chat.mirror.example')).token)
    const bindNext = async () => {
      const { bound_token } = await acme.client.verifications.bind(tokens.pop() ?? '', { response_text: 'I am Acme.' })
      const { claims, checks } = await world.anyone.verifications.inspect(bound_token)
      expect(claims).toEqual(JSON.parse(Buffer.from(bound_token.split('.')[1] ?? '', 'base64url').toString()))
      const { detail = '' } = checks.find(({ check }) => check === 'chat') ?? {}
      const isNoted = detail.includes('no longer proven')
      return { domain: claims?.provider_domain ?? null, origin: claims?.origin ?? null, isNoted }
    }
    expect(await bindNext()).toEqual({ domain: acme.domain, origin: 'https://chat.mirror.example', isNoted: false })
    await acme.client.domains.remove('mirror.example')
    expect(await bindNext()).toEqual({ domain: acme.domain, origin: null, isNoted: true })
    world.dns.setTxt(acme.proof.record_name, [])
    await acme.client.domains.verify('acme.example', {})
    expect(await bindNext()).toEqual({ domain: null, origin: null, isNoted: true })
    await acme.client.models.archive(model_id, {})
    await expect(bindNext()).rejects.toMatchObject({ code: 'link_archived', problem: { change: 'model_archived' } })
  })

  it('does not carry a domain that was lost while DNS was asked about it', async () => {
    const { world, acme, mint } = await startMinting()
    world.dns.setTxt('_countersign.customer.example', [`countersign-origin=${acme.id}`])
    world.dns.first.waitFor('_countersign.customer.example', async () => {
      world.dns.setTxt(acme.proof.record_name, [])
      await acme.client.domains.verify('acme.example', {})
    })
    const { token } = await mint('https://customer.example')
    expect(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())).not.toHaveProperty(
      'provider_domain',
    )
  })

  it('may be a loopback address on a development registry only', async () => {
    const { mint } = await startMinting()
    for (const origin of ['http://localhost:5173', 'https://127.0.0.1:8443'])
      expect((await mint(origin)).token).not.toBe('')
    const production = await createWorld({ engine, publicUrl: 'https://registry.example' })
    const acme = await production.provider('acme', { isVerified: false })
    const model_id = await acme.registerModel()
    for (const origin of ['http://localhost:5173', 'https://127.0.0.1:8443'])
      await expect(acme.client.verifications.create({ model_id, origin })).rejects.toMatchObject({
        code: 'origin_not_yours',
      })
  })
})
