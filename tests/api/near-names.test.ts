import { expect, it } from 'vitest'
import { nearnessOf } from '../../server/src/transparency/near.ts'
import type { ProviderActor } from '../support/actors.ts'
import { describeEachEngine, describeOnSqlite } from '../support/databases.ts'
import { insertOwner } from '../support/people.ts'
import { createWorld, type World } from '../support/world.ts'

const scan = async (world: World) => {
  await world.registry.transparency.sequence()
  await world.jobs.run('near-names')
}

/** The provider gets an owner, who reads these emails: none about what is in the log by now, of which the hour is over. */
const startEmails = async (world: World, { id, client }: ProviderActor) => {
  await world.database.transaction((tx) => insertOwner(tx, { provider_id: id, at: world.clock.now() }))
  await scan(world)
  await world.jobs.run('log-notices')
  world.clock.advance('2h')
  const { email } = await client.providers.me()
  const read = () => world.mails(email ?? '')
  const before = (await read()).length
  return async () => (await read()).slice(before)
}

describeEachEngine('names near yours', (engine) => {
  it('are listed with the company, the reason and the entry, while the company has them', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('northwind')
    await scan(world)
    expect((await acme.client.log.near()).names).toEqual([])

    const lookalike = await world.provider('northvvind')
    const other = await world.provider('contoso')
    await other.registerModel({ api_model_identifier: 'northwind-chat', display_name: 'Chat' })
    await other.registerModel({ api_model_identifier: 'northwind-chat-2', display_name: 'Chat 2' })
    await other.registerModel({ api_model_identifier: 'northwind-private', is_public: false })
    await scan(world)
    await scan(world)

    const { names } = await acme.client.log.near()
    expect(names.map(({ text, near, yours, field }) => [field, text, near, yours])).toEqual([
      ['identifier', 'northwind-chat', 'added_words', 'northwind.example'],
      ['domain', 'northvvind.example', 'lookalike', 'northwind.example'],
      ['company_name', 'Northvvind Labs', 'lookalike', 'Northwind Labs'],
    ])
    expect(names.map(({ provider_id }) => provider_id)).toEqual([other.id, lookalike.id, lookalike.id])
    const paged = []
    for await (const each of acme.client.log.near({ limit: 1 })) paged.push(each)
    expect(paged).toEqual(names)
    expect((await other.client.log.near()).names).toEqual([])

    await other.client.providers.delete(other.id)
    expect((await acme.client.log.near({ limit: 1 })).names.map(({ field }) => field)).toEqual(['domain'])
  })

  it('are emailed once, even with several replicas, and never as a link', async () => {
    const world = await createWorld({ engine })
    const replica = await world.startReplica()
    const acme = await world.provider('northwind')
    const newMails = await startEmails(world, acme)
    await world.provider('northwind-login')
    await world.registry.transparency.sequence()
    await Promise.all([world.jobs.run('near-names'), replica.jobs.run('near-names')])
    await Promise.all([world.jobs.run('log-notices'), replica.jobs.run('log-notices')])

    const mails = await newMails()
    expect(mails.map(({ subject }) => subject)).toEqual(['Names near yours are in the public log'])
    expect(mails[0]?.text).toContain('northwind-login[.]example')
    expect(mails[0]?.text).toContain('northwind[.]example')
    for (const name of ['northwind-login.example', 'northwind.example']) expect(mails[0]?.text).not.toContain(name)
  })

  it('are listed on short pages behind many that their companies have lost', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('northwind')
    await scan(world)
    const other = await world.provider('northvvind')
    await scan(world)
    const find = await world.database.read
      .selectFrom('log_near')
      .selectAll()
      .where('field', '=', 'domain')
      .executeTakeFirstOrThrow()
    const lost = Array.from({ length: 550 }, (_, each) => ({
      ...find,
      what: `${each}.example`,
      position: 1_000 + each,
    }))
    await world.database.transaction((tx) => tx.insertInto('log_near').values(lost).execute())
    const page = await acme.client.log.near()
    expect(page).toEqual({ names: [], next_cursor: expect.any(String) })
    const names = await acme.client.log.near({ limit: 1 }).toArray()
    expect(names.map(({ text }) => text)).toEqual(['northvvind.example', 'Northvvind Labs'])
    expect(names.map(({ provider_id }) => provider_id)).toEqual([other.id, other.id])
  })

  it('are found while your proof is lost for a minute, near your domain as near your name', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('northwind')
    const newMails = await startEmails(world, acme)
    const listed = async () => (await acme.client.log.near()).names.map(({ text, yours }) => [text, yours])
    world.dns.clear()
    await acme.client.providers.verifyDomain({})
    await scan(world)
    const other = await world.provider('northvvind')
    await other.registerModel({ display_name: 'Chat of Northwind Labs' })
    await scan(world)
    world.clock.advance('1m')
    acme.publishProof()
    await acme.client.providers.verifyDomain({})
    await scan(world)
    const found = [
      ['Chat of Northwind Labs', expect.any(String)],
      ['northvvind.example', 'northwind.example'],
      ['Northvvind Labs', 'Northwind Labs'],
    ]
    expect(await listed()).toEqual(found)
    await world.jobs.run('log-notices')
    const mail = (await newMails()).find(({ subject }) => /near yours/.test(subject))
    expect(mail?.text).toContain('northvvind[.]example')
    expect(mail?.text).toContain('this name of your account')
  })

  it('are found by the name of a model with its version, once', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('proseware')
    await acme.client.providers.update(acme.id, { company_name: 'Globex Initiative' })
    await scan(world)
    const other = await world.provider('mallory')
    const call = (api_model_identifier: string, display_name: string, version: string) =>
      other.registerModel({ api_model_identifier, display_name, version })
    const id = await call('one', 'Globex', 'Initiative 2')
    await call('two', 'Chat', 'by Globex Initiative')
    await call('three', 'Globex Initiative', '3')
    await call('four', 'Globex Initiative', '4')
    await call('five', 'Globex', '5')
    await scan(world)
    const listed = async () => (await acme.client.log.near()).names.map(({ field, text, near }) => [field, text, near])
    const names = [
      ['display_name', 'Globex Initiative', 'same'],
      ['identifier', 'two by Globex Initiative', 'added_words'],
      ['display_name', 'Chat by Globex Initiative', 'added_words'],
    ]
    expect(await listed()).toEqual([...names, ['display_name', 'Globex Initiative 2', 'typo']])
    await other.client.models.quickEdit(id, { display_name: 'Atlas' })
    expect(await listed()).toEqual(names)
  })
})

describeOnSqlite('names near yours', (engine) => {
  it('are emailed at most four times an hour, apart from the emails about your own domain', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('northwind')
    const other = await world.provider('mallory')
    const newMails = await startEmails(world, acme)
    const subjects = async () => (await newMails()).map(({ subject }) => subject)
    for (const word of ['One', 'Two', 'Three', 'Four', 'Five']) {
      await other.registerModel({ display_name: `Northwind Labs ${word}`, api_model_identifier: word })
      await scan(world)
      await world.jobs.run('log-notices')
      world.clock.advance('1m')
    }
    const near = Array.from({ length: 4 }, () => 'A name near yours is in the public log')
    expect(await subjects()).toEqual(near)

    world.dns.clear()
    const rival = await world.provider('rival', { isVerified: false, website: 'https://northwind.example' })
    rival.publishProof()
    await rival.client.providers.verifyDomain({})
    expect(await subjects()).toEqual([...near, 'Another account claims your domain'])
    expect((await newMails()).at(-1)?.text).toContain('domain.stale')
  })

  it('follow a change of your name, and end with your account', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    await acme.client.providers.update(acme.id, { company_name: 'Tailspin' })
    await scan(world)
    await acme.client.providers.update(acme.id, { company_name: 'Proseware' })
    await scan(world)
    const other = await world.provider('contoso')
    await other.registerModel({ display_name: 'Tailspin Chat', api_model_identifier: 'one' })
    await other.registerModel({ display_name: 'Proseware Chat', api_model_identifier: 'two' })
    await scan(world)
    const listedAs = async (company_name: string) => {
      await acme.client.providers.update(acme.id, { company_name })
      await scan(world)
      return (await acme.client.log.near()).names.map(({ text, yours }) => [text, yours])
    }
    expect(await listedAs('Proseware')).toEqual([['Proseware Chat', 'Proseware']])
    expect(await listedAs('ProseWare')).toEqual([['Proseware Chat', 'ProseWare']])
    expect(await listedAs('Fabrikam')).toEqual([])
    await acme.client.providers.delete(acme.id)
    const left = async (table: 'log_near' | 'log_near_keys') =>
      (await world.database.read.selectFrom(table).select('provider_id').where('provider_id', '=', acme.id).execute())
        .length
    expect(await left('log_near')).toBe(0)
    expect(await left('log_near_keys')).toBe(0)
  })

  it('are each reported once, however mild the first one was, and only a few that are as near', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const other = await world.provider('mallory')
    await scan(world)
    const call = async (company_name: string) => {
      await other.client.providers.update(other.id, { company_name })
      await scan(world)
    }
    const listed = async () => (await acme.client.log.near()).names.map(({ text, near }) => [near, text])
    const noticed = async () =>
      (await world.database.read.selectFrom('log_notices').select('entry_id').where('type', '=', 'name.near').execute())
        .length
    await call('Plugins for Acme Labs Users')
    await call('Acme Labs')
    expect(await listed()).toEqual([['same', 'Acme Labs']])
    await call('Plugins for Acme Labs Users')
    expect(await listed()).toEqual([['added_words', 'Plugins for Acme Labs Users']])
    expect(await noticed()).toBe(2)
    await other.registerModel({ display_name: 'Works with Acme Labs' })
    await other.registerModel({ display_name: 'Acme Labs', version: '2' })
    await other.registerModel({ display_name: 'Acme Labs', version: '3' })
    await scan(world)
    expect(await listed()).toEqual([
      ['same', 'Acme Labs'],
      ['added_words', 'Works with Acme Labs'],
      ['added_words', 'Plugins for Acme Labs Users'],
    ])
    expect(await noticed()).toBe(4)
    for (const word of ['One', 'Two', 'Three', 'Four', 'Five', 'Six']) await call(`Acme Labs ${word}`)
    expect((await listed())[0]).toEqual(['added_words', 'Acme Labs Six'])
    expect(await noticed()).toBe(10)
    for (const word of ['One', 'Two', 'Three', 'Four', 'Five'])
      await other.registerModel({ display_name: `Acme Labs ${word}`, api_model_identifier: word })
    await scan(world)
    expect((await listed()).map(([, text]) => text)).toEqual([
      ...['Four', 'Three', 'Two', 'One'].map((word) => `Acme Labs ${word}`),
      'Acme Labs Six',
      'Acme Labs',
      'Works with Acme Labs',
    ])
    expect(await noticed()).toBe(14)
  })

  it('are not listed or emailed near a domain or a name that is no longer yours', async () => {
    const world = await createWorld({ engine })
    const loser = await world.provider('northwind')
    await world.provider('northwindd')
    const newMails = await startEmails(world, loser)
    expect((await loser.client.log.near()).names).toHaveLength(2)
    // Found, but not emailed yet.
    await world.provider('northwynd')
    await scan(world)
    world.dns.clear()
    await loser.client.providers.verifyDomain({})
    await loser.client.providers.update(loser.id, { company_name: 'Proseware' })
    await world.provider('buyer', { website: 'https://northwind.example' })
    expect((await loser.client.log.near()).names).toEqual([])
    await scan(world)
    await world.jobs.run('log-notices')
    expect((await loser.client.log.near()).names).toEqual([])
    const mails = await newMails()
    expect(mails.filter(({ subject }) => /near yours/.test(subject))).toEqual([])
  })

  it('are not listed or emailed once their company has lost them, and are if it takes them again', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('northwind')
    const other = await world.provider('mallory')
    const newMails = await startEmails(world, acme)
    const mails = async () => (await newMails()).filter(({ subject }) => /near yours/.test(subject))
    const listed = async () => (await acme.client.log.near()).names.map(({ field, text }) => [field, text])
    const take = async () => {
      const { domain_proof } = await other.client.domains.add({ domain: 'northvvind.example' })
      world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
      await other.client.domains.verify('northvvind.example', {})
      await other.client.providers.update(other.id, { company_name: 'Northwind Labs' })
      await scan(world)
    }
    await take()
    const id = await other.registerModel({ display_name: 'Northwind Chat' })
    await scan(world)
    expect(await listed()).toEqual([
      ['display_name', 'Northwind Chat'],
      ['company_name', 'Northwind Labs'],
      ['domain', 'northvvind.example'],
    ])
    await other.client.domains.remove('northvvind.example')
    await other.client.providers.update(other.id, { company_name: 'Mallory Labs' })
    await other.client.models.quickEdit(id, { display_name: 'Chat' })
    expect(await listed()).toEqual([])
    await scan(world)
    world.clock.advance('1h')
    await world.jobs.run('log-notices')
    expect(await mails()).toEqual([])
    const counted = await world.database.read
      .selectFrom('log_notices')
      .select('mail_id')
      .where('type', '=', 'name.near')
    expect((await counted.execute()).map(({ mail_id }) => mail_id)).not.toContainEqual(expect.any(String))

    await take()
    world.clock.advance('1h')
    await world.jobs.run('log-notices')
    expect((await mails()).map(({ text }) => text.includes('northvvind[.]example'))).toEqual([true])
    expect((await mails())[0]?.text).not.toContain('proven')
    expect(await listed()).toEqual([
      ['company_name', 'Northwind Labs'],
      ['domain', 'northvvind.example'],
    ])
  })

  it('are counted in the subject of the email without those that are gone by then', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('northwind')
    const other = await world.provider('mallory')
    const newMails = await startEmails(world, acme)
    await other.client.providers.update(other.id, { company_name: 'Northwind Labs' })
    await other.registerModel({ display_name: 'Northwind Chat' })
    await scan(world)
    await other.client.providers.update(other.id, { company_name: 'Mallory Labs' })
    world.clock.advance('20m')
    await world.jobs.run('log-notices')
    expect((await newMails()).map(({ subject }) => subject)).toEqual(['A name near yours is in the public log'])
  })

  it('are listed without an email if the entry is older than a day, as after an upgrade', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('northwind')
    await scan(world)
    await world.provider('northwindd')
    await world.registry.transparency.sequence()
    world.clock.advance('25h')
    await scan(world)
    expect((await acme.client.log.near()).names).toHaveLength(2)
    const notices = await world.database.read.selectFrom('log_notices').select('type').execute()
    expect(notices.map(({ type }) => type)).not.toContain('name.near')
  })

  it('are near your name and not your lost domain once another company proves it', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('northwind')
    await acme.client.providers.update(acme.id, { company_name: 'Northwind' })
    await scan(world)
    await world.provider('northwindd')
    await scan(world)
    const listed = async () => (await acme.client.log.near()).names.map(({ text, yours }) => [text, yours])
    const before = await listed()
    expect(before).toContainEqual(['northwindd.example', 'northwind.example'])
    world.dns.clear()
    await acme.client.providers.verifyDomain({})
    await scan(world)
    expect(await listed()).toEqual(before)
    await world.provider('buyer', { website: 'https://northwind.example' })
    await scan(world)
    const after = await listed()
    expect(after).toContainEqual(['northwindd.example', 'Northwind'])
    expect(after.map(([, yours]) => yours)).not.toContain('northwind.example')
  })
})

it.each([
  { field: 'domain', text: 'northwind.hosting.example', own: 'acme.hosting.example', near: undefined },
  { field: 'domain', text: 'chat.acme.hosting.example', own: 'acme.hosting.example', near: 'same' },
  { field: 'domain', text: 'acme.net', own: 'acme.example', near: 'other_ending' },
  { field: 'company_name', text: 'Northwind Support', own: 'northwind.example', near: 'added_words' },
  { field: 'identifier', text: 'eastwind', own: 'northwind.example', near: undefined },
] as const)('$text is near $own: $near', ({ field, text, own, near }) => {
  expect(nearnessOf({ field, text }, { kind: 'domain', own })).toBe(near)
})
