import { expect, it } from 'vitest'
import { reportsCommand } from '../../server/src/incidents/command.ts'
import { samplesCommand } from '../../server/src/samples/command.ts'
import type { ProviderActor } from '../support/actors.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { createOperator } from '../support/operator.ts'
import { createWorld, type World } from '../support/world.ts'

const report = async (world: World, acme: ProviderActor, model_id: string) => {
  const { token } = await acme.client.verifications.create({ model_id })
  const { incident_id } = await world.anyone.incidents.report({
    verification_token: token,
    category: 'harmful_content',
    title: 'It was rude',
    description: 'It called me names.',
  })
  return incident_id
}

const acmeWithTwoLinks = async (world: World) => {
  const acme = await world.provider('acme')
  const model_id = await acme.registerModel({ api_model_identifier: 'atlas' })
  const first = await acme.client.verifications.create({ model_id })
  const second = await acme.client.verifications.create({ model_id })
  return { acme, model_id, first, second }
}

const numbersOf = async (world: World, id: string) => {
  const { total_reports, dismissed_reports, unresolved_incidents, last_incident_status } =
    await world.anyone.models.communityStats(id)
  return { total: total_reports, dismissed: dismissed_reports, open: unresolved_incidents, last: last_incident_status }
}

describeOnSqlite('a report that counts in public', (engine) => {
  it('also counts for an identifier in capitals', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    await report(world, acme, await acme.registerModel({ api_model_identifier: 'atlas' }))
    const capital = await acme.registerModel({ api_model_identifier: 'Atlas' })
    expect(await numbersOf(world, capital)).toEqual({ total: 1, dismissed: 0, open: 1, last: 'reported' })
    await report(world, acme, capital)
    expect((await numbersOf(world, capital)).total).toBe(2)
  })

  it('survives the dismissal by the accused, a new version, and a new account under the same domain', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel({ api_model_identifier: 'atlas' })
    const incident_id = await report(world, acme, model_id)
    expect(await numbersOf(world, model_id)).toEqual({ total: 1, dismissed: 0, open: 1, last: 'reported' })
    await acme.client.incidents.respond(incident_id, { status: 'dismissed' })
    const dismissed = { total: 1, dismissed: 1, open: 0, last: 'dismissed' }
    expect(await numbersOf(world, model_id)).toEqual(dismissed)

    const next = await acme.registerModel({ api_model_identifier: 'atlas', version: '2.0.0', force_new_version: true })
    expect(await numbersOf(world, next)).toEqual(dismissed)
    const other = await acme.registerModel({ api_model_identifier: 'brook' })
    expect(await numbersOf(world, other)).toEqual({ total: 0, dismissed: 0, open: 0, last: null })

    await acme.client.providers.delete(acme.id)
    const again = await world.provider('acme')
    const reborn = await again.registerModel({ api_model_identifier: 'atlas' })
    expect(await numbersOf(world, reborn)).toEqual(dismissed)
    const twice = await report(world, again, reborn)
    expect(await numbersOf(world, reborn)).toMatchObject({ total: 2, open: 1 })
    expect((await again.client.incidents.list()).incidents.map(({ id }) => id)).toEqual([twice])
    world.dns.fail(again.proof.record_name, 'servfail')
    world.clock.advance('25h')
    await world.jobs.run('domains')
    expect((await again.client.providers.me()).domain_status).toBe('stale')
    expect(await numbersOf(world, reborn)).toMatchObject({ total: 2, open: 1 })
  })

  it('stays with the domain its link was minted under, after the proof is lost, another is primary, and the account is deleted', async () => {
    const world = await createWorld({ engine })
    const { acme, model_id, first, second } = await acmeWithTwoLinks(world)
    const report = ({ token: verification_token }: { token: string }) =>
      world.anyone.incidents.report({
        verification_token,
        category: 'harmful_content',
        title: 'It was rude',
        description: 'It swore.',
      })
    const { domain_proof } = await acme.client.domains.add({ domain: 'mirror.example' })
    world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
    await acme.client.domains.verify('mirror.example', {})
    await acme.client.domains.makePrimary('mirror.example', {})
    await report(first)
    world.dns.setTxt(acme.proof.record_name, [])
    await acme.client.domains.verify('acme.example', {})
    // Minted without a proof, it stays with the last proven domain.
    world.dns.setTxt(domain_proof.record_name, [])
    await acme.client.domains.verify('mirror.example', {})
    const third = await acme.client.verifications.create({ model_id })
    await report(second)
    await report(third)
    const rows = await world.database.read.selectFrom('incidents').select('domain').orderBy('id').execute()
    expect(rows.map(({ domain }) => domain)).toEqual(['acme.example', 'acme.example', 'mirror.example'])
    await acme.client.providers.delete(acme.id)
    const again = await world.provider('acme')
    const reborn = await again.registerModel({ api_model_identifier: 'atlas' })
    expect(await numbersOf(world, reborn)).toMatchObject({ total: 2, open: 2 })
  })

  it('is accepted with a genuine link while the provider is deactivated, and rejected without one', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel({ api_model_identifier: 'atlas' })
    const { token } = await acme.client.verifications.create({ model_id })
    await acme.client.providers.deactivate(acme.id, {})
    const report = { category: 'harmful_content', title: 'It was rude', description: 'It swore.' } as const
    expect(await world.anyone.incidents.report({ ...report, verification_token: token })).toMatchObject({
      is_verified_report: true,
    })
    await expect(world.anyone.incidents.report({ ...report, model_id })).rejects.toMatchObject({ status: 404 })
    await acme.client.providers.reactivate(acme.id)
    expect(await numbersOf(world, model_id)).toMatchObject({ total: 1 })
  })

  it('does not affect a domain that the provider only claimed', async () => {
    const world = await createWorld({ engine })
    const impostor = await world.provider('acme', { isVerified: false })
    await report(world, impostor, await impostor.registerModel({ api_model_identifier: 'atlas' }))
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel({ api_model_identifier: 'atlas' })
    expect(await numbersOf(world, model_id)).toMatchObject({ total: 0 })
  })

  it('is withdrawn only by the operator, who can restore it; both are in the trail', async () => {
    const world = await createWorld({ engine })
    const run = createOperator(world)
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel({ api_model_identifier: 'atlas' })
    const id = await report(world, acme, model_id)
    world.clock.advance('1s')
    expect(await run(reportsCommand, 'list')).toContain(`${id}  `)
    expect(await run(reportsCommand, 'list', 'ACME.example')).toMatch(
      /reported {2}counts\n {2}.*: acme\.example atlas\n {2}"It was rude"$/,
    )
    expect(await run(reportsCommand, 'list', 'northwind.example')).toBe('')
    expect(await run(reportsCommand, 'show', id)).toContain('description: "It called me names."')

    expect(await run(reportsCommand, 'withdraw', id, 'Filed', 'by', 'a', 'rival')).toContain('no longer counts')
    expect(await numbersOf(world, model_id)).toEqual({ total: 0, dismissed: 0, open: 0, last: null })
    expect(await acme.client.incidents.get(id)).toMatchObject({ counts_publicly: false })
    expect(await run(reportsCommand, 'show', id)).toContain('Filed by a rival')
    expect(await run(reportsCommand, 'withdraw', id)).toContain('refused: ')
    world.clock.advance('1s')
    expect(await run(reportsCommand, 'restore', id)).toContain('is restored')
    expect(await run(reportsCommand, 'restore', id)).toContain('refused: ')
    expect(await numbersOf(world, model_id)).toMatchObject({ total: 1, open: 1 })

    const { events } = await acme.client.account.events({ subject_id: id })
    expect(events.slice(0, 2)).toMatchObject([
      { action: 'incident.restored', actor: 'operator' },
      {
        action: 'incident.withdrawn',
        actor: 'operator',
        after: { counts_publicly: false, reason: 'Filed by a rival' },
      },
    ])
    for (const words of [[], ['show'], ['list', 'a', 'b'], ['nonsense', id], ['show', id, 'x']])
      expect(await run(reportsCommand, ...words)).toBe('usage')
    expect(await run(reportsCommand, 'withdraw', 'inc_06dh0e3x7c9bw4vjz2n8qk5ytm')).toContain('refused: ')
  })
})

describeOnSqlite('a report about an earlier account', (engine) => {
  it('stays when another domain becomes primary, until the proof of its own is lost', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    await report(world, acme, await acme.registerModel({ api_model_identifier: 'atlas' }))
    await acme.client.providers.delete(acme.id)
    const again = await world.provider('acme')
    const model_id = await again.registerModel({ api_model_identifier: 'atlas' })
    const { domain_proof } = await again.client.domains.add({ domain: 'mirror.example' })
    world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
    await again.client.domains.verify('mirror.example', {})
    await again.client.domains.makePrimary('mirror.example', {})
    expect(await numbersOf(world, model_id)).toEqual({ total: 1, dismissed: 0, open: 1, last: 'reported' })
    world.dns.setTxt(again.proof.record_name, [])
    await again.client.domains.verify('acme.example', {})
    expect(await numbersOf(world, model_id)).toMatchObject({ total: 0 })
  })

  it('is accepted with a link after that account was deleted, and keeps no address of its reporter', async () => {
    const world = await createWorld({ engine })
    const { acme, model_id, first, second } = await acmeWithTwoLinks(world)
    await acme.client.providers.delete(acme.id)
    await world.jobs.run('erasure')
    const again = await world.provider('acme')
    const reborn = await again.registerModel({ api_model_identifier: 'atlas' })
    const report = {
      category: 'harmful_content',
      title: 'It was rude',
      description: 'It swore.',
      reporter_email: 'visitor@reporter.example',
      reporter_fingerprint: 'visitor',
    } as const
    for (const verification_token of [first.token, second.verification_url])
      expect(await world.anyone.incidents.report({ ...report, verification_token })).toMatchObject({
        is_verified_report: true,
      })
    expect(await numbersOf(world, reborn)).toEqual({ total: 2, dismissed: 0, open: 2, last: 'reported' })
    const reporters = await world.database.read
      .selectFrom('incidents')
      .select(['reporter_email', 'reporter_fingerprint'])
      .execute()
    for (const reporter of reporters) expect(reporter).toEqual({ reporter_email: null, reporter_fingerprint: null })
    await expect(world.anyone.verifications.get(first.token)).rejects.toMatchObject({ status: 404, code: 'link_gone' })
    await expect(world.anyone.incidents.report({ ...report, model_id })).rejects.toMatchObject({ status: 404 })

    const snapshots = () => world.database.read.selectFrom('link_snapshots').select('provider_id').execute()
    await again.client.verifications.create({ model_id: reborn })
    world.clock.advance('32d')
    await world.jobs.run('cleanup')
    await expect(world.anyone.incidents.report({ ...report, verification_token: first.token })).rejects.toMatchObject({
      code: 'link_unknown',
    })
    expect(await snapshots()).toEqual([{ provider_id: again.id }])
  })
})

describeOnSqlite('the sample of the landing page', (engine) => {
  it('is the model that the operator chose, or demonstration data, but never the newest entry', async () => {
    const world = await createWorld({ engine })
    const run = createOperator(world)
    const acme = await world.provider('acme')
    const [first, second] = [await acme.registerModel(), await acme.registerModel()]
    const hidden = await acme.registerModel({ is_public: false })
    const samples = async () => (await world.anyone.models.list({ is_sample: 'true' })).models.map(({ id }) => id)
    expect(await samples()).toEqual([])
    world.clock.advance('1s')
    expect(await run(samplesCommand, 'add', first)).toContain(first)
    expect(await run(samplesCommand, 'add', first)).toContain('refused: ')
    expect(await run(samplesCommand, 'add', hidden)).toContain('refused: ')
    expect(await samples()).toEqual([first])
    expect(await run(samplesCommand, 'list')).toBe(`${first}  acme.example  "Atlas Chat 1.0.0"`)
    await world.database.transaction((tx) =>
      tx.updateTable('models').set({ is_demo: 1 }).where('id', '=', second).execute(),
    )
    expect((await samples()).sort()).toEqual([first, second].sort())
    world.clock.advance('1s')
    expect(await run(samplesCommand, 'remove', first)).toContain(first)
    expect(await run(samplesCommand, 'remove', first)).toContain('refused: ')
    expect(await samples()).toEqual([second])
    const { events } = await acme.client.account.events({ subject_id: first })
    expect(events.slice(0, 2).map(({ action, actor }) => `${action} ${actor}`)).toEqual([
      'model.sample_removed operator',
      'model.sample_added operator',
    ])
    for (const words of [[], ['add'], ['list', 'x'], ['add', first, 'x']])
      expect(await run(samplesCommand, ...words)).toBe('usage')
  })

  it('ends with a change to what the operator saw, and needs a domain that is proven now', async () => {
    const world = await createWorld({ engine })
    const run = createOperator(world)
    const acme = await world.provider('acme')
    const stranger = await world.provider('stranger', { isVerified: false })
    const [id, unproven] = [await acme.registerModel(), await stranger.registerModel()]
    const samples = async () => (await world.anyone.models.list({ is_sample: 'true' })).models.map((model) => model.id)
    expect(await run(samplesCommand, 'add', unproven)).toContain('refused: ')
    const [withdrawn, superseded] = [
      await acme.registerModel({ api_model_identifier: 'withdrawn' }),
      await acme.registerModel({ api_model_identifier: 'superseded' }),
    ]
    await acme.client.models.archive(withdrawn, {})
    await acme.registerModel({ api_model_identifier: 'superseded', version: '2', force_new_version: true })
    const lamna = await world.provider('lamna')
    const unlisted = await lamna.registerModel()
    await lamna.client.providers.setVisibility(lamna.id, { is_listed: false })
    expect(await run(samplesCommand, 'add', withdrawn)).toMatch(/^refused: .* was withdrawn/)
    expect(await run(samplesCommand, 'add', superseded)).toMatch(/^refused: .* newer public version/)
    expect(await run(samplesCommand, 'add', unlisted)).toMatch(/^refused: .* not listed/)
    for (const [name, change] of Object.entries({
      version: () => acme.client.models.quickEdit(id, { version: '5 of 5 checks passed' }),
      name: () => acme.client.models.quickEdit(id, { display_name: 'Chat of another company' }),
      digest: () => acme.client.models.quickEdit(id, { model_digest: 'b'.repeat(64) }),
      company: () => acme.client.providers.update(acme.id, { company_name: 'Another company' }),
      website: () => acme.client.providers.update(acme.id, { website: 'https://another.example' }),
    })) {
      expect(await run(samplesCommand, 'add', id)).toContain(id)
      await acme.client.models.quickEdit(id, { description: `Before: ${name}` })
      expect(await samples(), name).toEqual([id])
      world.clock.advance('1s')
      await change()
      expect(await samples(), name).toEqual([])
      expect(await run(samplesCommand, 'list'), name).toBe('')
      const { events } = await acme.client.account.events({ subject_id: id, limit: 1 })
      expect(events[0]?.action, name).toBe('model.sample_removed')
      expect(events[0]?.actor, name).not.toBe('operator')
    }
    const beta = await world.provider('beta')
    const other = await beta.registerModel()
    expect(await run(samplesCommand, 'add', other)).toContain(other)
    world.clock.advance('49h')
    expect(await samples()).toEqual([])
    expect(await run(samplesCommand, 'list')).toMatch(/beta\.example \(not proven now\)/)
  })
})

it('counts networks of one IPv6 customer as one reporter', async () => {
  const world = await createWorld({
    rateLimits: 'on',
    trustedProxies: [{ address: '127.0.0.1', prefix: 32, family: 'ipv4' }],
  })
  const acme = await world.provider('acme')
  const model_id = await acme.registerModel()
  const send = async (address: string) => {
    const response = await fetch(`${world.address}/api/v1/incidents/report`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
      body: JSON.stringify({ model_id, category: 'other', title: 'Rude', description: 'It was rude.' }),
    })
    return response.status
  }
  const answers: number[] = []
  for (let network = 1; network <= 5; network++) answers.push(await send(`2001:db8:1:${network}::1`))
  expect(answers.filter((status) => status === 201)).toHaveLength(3)
  expect(answers.at(-1)).toBe(429)
  expect(await send('2001:db8:2:1::1')).toBe(201)
})
