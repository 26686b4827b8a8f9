import { leafHash, parseProof } from '@countersign/sdk/log'
import { entryTypes } from '@countersign/sdk/log/entries'
import { expect, it } from 'vitest'
import { createNewId } from '../../server/src/ids.ts'
import { reportsCommand } from '../../server/src/incidents/command.ts'
import type { Mail } from '../../server/src/mail/service.ts'
import { noticeWords } from '../../server/src/transparency/entry-words.ts'
import { createNotices } from '../../server/src/transparency/notices.ts'
import { isNoticed } from '../../server/src/transparency/rules.ts'
import { describeEachEngine, describeOnSqlite } from '../support/databases.ts'
import { createOperator } from '../support/operator.ts'
import { insertMember, insertOwner } from '../support/people.ts'
import { createWorld } from '../support/world.ts'

describeOnSqlite('what the log says about a provider', (engine) => {
  it('is listed for its owner, newest first, including entries that wait to be logged', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    await world.provider('northwind')
    const model = await acme.registerModel({ display_name: 'Acme Chat', is_public: false })
    const repository = {
      kind: 'repository',
      issuer: 'https://ci.example',
      repository: 'https://git.example/acme',
    } as const
    await acme.client.signers.declare({ signer: repository, api_model_identifier: 'acme-chat' })
    await world.registry.transparency.sequence()
    await acme.client.models.archive(model, { reason: 'Withdrawn.' })

    const { entries, next_cursor } = await acme.client.log.entries()
    expect(next_cursor).toBeNull()
    expect(entries.map(({ type, state, index }) => [type, state, index !== null])).toEqual([
      ['version.archived', 'being_logged', false],
      ['signer.declared', 'logged', true],
      ['version.registered', 'logged_privately', true],
      ['domain.primary', 'logged', true],
      ['domain.proven', 'logged', true],
      ['provider.named', 'logged', true],
    ])
    const [archived, declared, registered, , proven] = entries
    expect(archived?.says).toMatch(/^Archived “Acme Chat .*” \(mdl_/)
    expect(declared?.says).toMatch(
      /^Declared the signer “https:\/\/git\.example\/acme” of “https:\/\/ci\.example” for “acme-chat”, not proven \(sgn_/,
    )
    expect(registered?.says).toContain('“Acme Chat”')
    expect(registered?.names).toContainEqual({ field: 'display_name', value: 'Acme Chat' })
    expect(proven?.says).toContain('proved acme.example with a DNS record')

    const paged = []
    for await (const entry of acme.client.log.entries({ limit: 2 })) paged.push(entry)
    expect(paged).toEqual(entries)
    world.clock.advance('61s')
    expect((await acme.client.log.entries({ limit: 1 })).entries[0]?.state).toBe('not_logged')
  })

  it('has a proof for each entry, with the entry that its leaf hash stands for', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    await acme.registerModel({ is_public: false })
    await world.registry.transparency.sequence()
    for (const { index, leaf_hash } of (await acme.client.log.entries()).entries) {
      const proof = parseProof(await (await fetch(`${world.address}/log/proof/${index}`)).text())
      expect(proof.index).toBe(index)
      expect(Buffer.from(leafHash(proof.extra ?? new Uint8Array())).toString('base64')).toBe(leaf_hash)
    }
    expect((await fetch(`${world.address}/log/proof/99`)).status).toBe(404)
    expect((await fetch(`${world.address}/log/proof/01`)).status).toBe(404)
  })
})

describeOnSqlite('an entry that the owner disputes', (engine) => {
  it('is one urgent report, however often it is disputed, and every owner gets one email', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const other = await world.provider('northwind')
    await world.registry.transparency.sequence()
    const { entries } = await acme.client.log.entries()
    const proven = entries.find(({ type }) => type === 'domain.proven')
    const index = String(proven?.index)
    const { email } = await acme.client.providers.me()
    const at = world.clock.now()
    await world.database.transaction(async (tx) => {
      await insertOwner(tx, { provider_id: acme.id, at })
      const second = { person_id: 'per_second', email: 'ada@acme.example', role: 'owner' as const }
      await insertMember(tx, { provider_id: acme.id, ...second, at })
    })
    const before = (await world.mails(email ?? '')).length

    const answers = await Promise.all([acme.client.log.dispute(index), acme.client.log.dispute(index)])
    expect(answers[0]).toEqual(answers[1])
    expect(await acme.client.log.dispute(index)).toEqual(answers[0])
    expect(answers[0]).toMatchObject({ index: Number(index), leaf_hash: proven?.leaf_hash, is_open: true })
    const mails = (await world.mails(email ?? '')).slice(before)
    expect(mails.map(({ subject }) => subject)).toEqual(['An entry of the public log was disputed'])
    expect(mails[0]?.text).toContain(proven?.leaf_hash)
    expect(await world.mails('ada@acme.example')).toHaveLength(1)
    const { events } = await acme.client.account.events({ action: 'incident.entry_disputed' })
    expect(events).toHaveLength(1)
    const { report_id } = answers[0]
    expect((await acme.client.log.entries()).entries.find((entry) => entry.index === proven?.index)).toMatchObject({
      report_id,
    })

    await expect(other.client.log.dispute(index)).rejects.toMatchObject({ code: 'not_found' })
    await expect(acme.client.log.dispute('0')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('comes first in the operator’s list, until the operator closes it', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    await world.anyone.incidents.report({
      category: 'other',
      title: 'It was rude',
      description: 'Very.',
      model_id: await acme.registerModel(),
    })
    await world.registry.transparency.sequence()
    const proven = (await acme.client.log.entries()).entries.find(({ type }) => type === 'domain.proven')
    const { report_id } = await acme.client.log.dispute(String(proven?.index))
    const run = createOperator(world)
    const [head, ...lines] = (await run(reportsCommand, 'list')).split('\n')
    expect(head).toMatch(new RegExp(`^${report_id}.*URGENT`))
    expect(lines[0]).toContain(`entry ${proven?.index}, domain.proven`)
    expect(lines[1]).toContain(proven?.leaf_hash)
    expect(await run(reportsCommand, 'list', 'acme.example')).toContain(report_id)
    expect(await run(reportsCommand, 'list', 'northwind.example')).toBe('')
    expect(await run(reportsCommand, 'show', report_id)).toContain(proven?.leaf_hash)
    await run(reportsCommand, 'withdraw', report_id, 'it', 'was', 'their', 'agency')
    expect(await run(reportsCommand, 'list')).not.toContain(report_id)
    expect(await run(reportsCommand, 'show', report_id)).toContain('it was their agency')
    expect(await acme.client.log.dispute(String(proven?.index))).toMatchObject({ report_id, is_open: false })
  })
})

it('emails about every entry on a domain, a signer or a server say what it means', () => {
  const noticed = entryTypes.filter(isNoticed)
  expect(noticed).toEqual(entryTypes.filter((type) => /^(domain|signer|deployment|platform)\./.test(type)))
  expect(new Set(noticed.map(noticeWords)).size).toBe(noticed.length)
  expect(noticed.map(noticeWords)).not.toContain(noticeWords('provider.named'))
})

describeEachEngine('the owners', (engine) => {
  it('get one email for each act, even with three replicas, and a digest after four in an hour', async () => {
    const world = await createWorld({ engine })
    const replicas = [await world.startReplica(), await world.startReplica()]
    const acme = await world.provider('acme')
    const model = await acme.registerModel()
    const { email } = await acme.client.providers.me()
    await world.database.transaction((tx) => insertOwner(tx, { provider_id: acme.id, at: world.clock.now() }))
    await acme.client.account.setNotifications({ security_alerts: false })
    await world.jobs.run('log-notices')
    const before = (await world.mails(email ?? '')).length
    const mailed = async () => (await world.mails(email ?? '')).slice(before)
    const runAll = async () => {
      await world.jobs.run('log-notices')
      for (const { jobs } of replicas) await jobs.run('log-notices')
    }
    world.clock.advance('2h')

    const { deployment_id } = await acme.registerDeployment([model])
    const sent: Mail[] = []
    const mail = { alert: async () => {}, queue: async (_: unknown, each: Mail) => void sent.push(each) }
    const racing = createNotices({ ...world, mail, now: world.clock.now, newId: createNewId(world.clock.now) })
    await Promise.all([1, 2, 3].map(() => racing.sendDue(new AbortController().signal)))
    expect(sent).toHaveLength(1)
    const text = JSON.stringify(sent[0]?.lines)
    for (const part of ['deployment.authorized', deployment_id, 'This was not me']) expect(text).toContain(part)
    await runAll()
    expect(await mailed()).toEqual([])

    for (let act = 0; act < 3; act++) {
      world.clock.advance('1m')
      await acme.registerDeployment([model])
      await runAll()
    }
    expect(await mailed()).toHaveLength(3)
    for (let act = 0; act < 3; act++) {
      world.clock.advance('1m')
      await acme.registerDeployment([model])
      await runAll()
    }
    expect(await mailed()).toHaveLength(3)
    world.clock.advance('1h')
    await runAll()
    await runAll()
    const all = await mailed()
    expect(all).toHaveLength(4)
    expect(all[3]?.text.match(/deployment\.authorized/g)).toHaveLength(3)
  })
})

describeOnSqlite('the owners', (engine) => {
  it('get one email about a domain, with what the log says', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const { email } = await acme.client.providers.me()
    await world.database.transaction((tx) => insertOwner(tx, { provider_id: acme.id, at: world.clock.now() }))
    await world.jobs.run('log-notices')
    const { domain_proof } = await acme.client.domains.add({ domain: 'contoso.example' })
    const before = (await world.mails(email ?? '')).length
    world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
    world.clock.advance('2h')
    await acme.client.domains.verify('contoso.example', {})
    await world.jobs.run('log-notices')
    const mails = (await world.mails(email ?? '')).slice(before)
    expect(mails.map(({ subject }) => subject)).toEqual(['Your domain is verified'])
    expect(mails[0]?.text).toContain('domain.proven')
  })

  it('get an alert about their domain, however many emails about entries they got in the hour', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model = await acme.registerModel()
    const { email } = await acme.client.providers.me()
    await world.database.transaction((tx) => insertOwner(tx, { provider_id: acme.id, at: world.clock.now() }))
    await world.jobs.run('log-notices')
    world.clock.advance('2h')
    const before = (await world.mails(email ?? '')).length
    for (let act = 0; act < 4; act++) {
      await acme.registerDeployment([model])
      await world.jobs.run('log-notices')
      world.clock.advance('1m')
    }
    world.dns.clear()
    const rival = await world.provider('rival', { isVerified: false, website: 'https://acme.example' })
    rival.publishProof()
    await rival.client.providers.verifyDomain({})
    const mails = (await world.mails(email ?? '')).slice(before)
    expect(mails).toHaveLength(5)
    expect(mails[4]?.subject).toBe('Another account claims your domain')
    world.clock.advance('1h')
    await world.jobs.run('log-notices')
    expect((await world.mails(email ?? '')).at(-1)?.text).toContain('domain.stale')
  })

  it('read the host alone of a platform whose customer chose words of judgement in the path of its issuer', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const { email } = await acme.client.providers.me()
    await world.database.transaction((tx) => insertOwner(tx, { provider_id: acme.id, at: world.clock.now() }))
    await world.jobs.run('log-notices')
    world.clock.advance('2h')
    for (const team of ['acme', 'openai-officially-verified']) {
      const issuer = `https://oidc.vercel.com/${team}`
      const named = { issuer, subject: 'owner:acme:project:chat', claims: { project_id: 'prj_1' } }
      const { deployment_id } = await acme.client.workloads.trust({ ...named, audience: 'https://vercel.com/acme' })
      await acme.client.models.allowDeployment(model_id, { deployment_id })
    }
    await world.jobs.run('log-notices')
    const text = (await world.mails(email ?? '')).map((mail) => mail.text).join('\n')
    expect(text).toContain('  https://oidc[.]vercel[.]com/acme\n')
    expect(text).toContain('  oidc[.]vercel[.]com\n')
    expect(text).not.toMatch(/officially|oidc\.vercel/)
    const { entries } = await acme.client.log.entries()
    const trusted = entries.flatMap(({ says }) => /^Trusted (\S+) to vouch for /.exec(says)?.[1] ?? [])
    expect(new Set(trusted)).toEqual(new Set(['oidc.vercel.com', 'https://oidc.vercel.com/acme']))
  })
})
