import { describe, expect, it } from 'vitest'
import type { ProviderActor } from '../support/actors.ts'
import { ask, comparable } from '../support/ask.ts'
import { describeEachEngine, describeOnSqlite, type Engine } from '../support/databases.ts'
import { createWorld, type World } from '../support/world.ts'

const unknownId = 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm'
const unknownIncident = 'inc_06dh0e3x7c9bw4vjz2n8qk5ytm'

const text = {
  category: 'harmful_content',
  title: 'It told me to eat glue',
  description: 'I asked for a recipe and it said glue.',
} as const

/** Verifies the mailbox, as its owner would. */
const verifyEmail = async (world: World, { client }: ProviderActor) => {
  const { email } = await client.providers.me()
  await client.auth.sendVerification({})
  const mail = (await world.mails(email ?? '')).at(-1)
  await client.auth.verifyEmail({ verification_code: mail?.code ?? '' })
  return email ?? ''
}

/** A provider with a verified mailbox and a public model, and the emails it has received since. */
const createAcme = async (world: World) => {
  const acme = await world.provider('acme')
  const email = await verifyEmail(world, acme)
  const model_id = await acme.registerModel()
  const before = (await world.mails(email)).length
  return { ...acme, model_id, mails: async () => (await world.mails(email)).slice(before) }
}

/** Concurrently, in two replicas, one of which lost its lease to the other in between. */
const runTwice = async (world: World, job: string) => {
  const replica = await world.startReplica()
  const first = world.jobs.run(job)
  world.clock.advance('2m')
  await Promise.all([first, replica.jobs.run(job)])
}

const numbersOf = async (world: World, model_id: string) => {
  const { reports_under_investigation, unresolved_incidents, last_incident_status } =
    await world.anyone.models.communityStats(model_id)
  expect(unresolved_incidents).toBe(reports_under_investigation)
  return { open: unresolved_incidents, last: last_incident_status }
}

describeOnSqlite('a report', (engine) => {
  it('without a link reaches the owner, but counts in no public number', async () => {
    const world = await createWorld({ engine })
    const acme = await createAcme(world)
    const { model_id } = acme
    const answer = await world.anyone.incidents.report({
      ...text,
      model_id,
      reference_url: 'https://news.example/glue',
      screenshot_url: '',
      reporter_email: 'visitor@home.example',
      reporter_fingerprint: 'browser 7',
    })
    expect(answer).toEqual({
      status: 'reported',
      incident_id: expect.stringMatching(/^inc_/),
      is_verified_report: false,
      message: 'Thank you for your report! We will investigate this issue and take appropriate action.',
    })
    const shown = await acme.client.incidents.get(answer.incident_id)
    expect(shown).toEqual({
      id: answer.incident_id,
      model_id,
      model_name: 'Atlas Chat',
      ...text,
      severity: 'medium',
      status: 'reported',
      reference_url: 'https://news.example/glue',
      screenshot_url: null,
      is_verified_report: false,
      counts_publicly: false,
      reporter_email: 'visitor@home.example',
      reporter_fingerprint: expect.stringMatching(/^[\w-]{43}$/),
      provider_response: null,
      created_at: new Date(world.clock.now()).toISOString(),
      resolved_at: null,
    })
    expect(await numbersOf(world, model_id)).toEqual({ open: 0, last: null })
    const stored = JSON.stringify(await world.database.read.selectFrom('incidents').selectAll().execute())
    expect(stored).not.toContain('browser 7')
  })

  it('with a link counts at once, whether given as link, code or token, and after it expired', async () => {
    const world = await createWorld({ engine })
    const acme = await createAcme(world)
    const { model_id } = acme
    const forms = ['verification_url', 'token', 'code'] as const
    for (const [index, form] of forms.entries()) {
      const link = await acme.client.verifications.create({ model_id })
      const code = link.verification_url.split('/').at(-1) ?? ''
      if (form === 'code') world.clock.advance('2d')
      const verification_token = form === 'code' ? code.toLowerCase().replaceAll('-', '') : link[form]
      const { is_verified_report, incident_id } = await world.anyone.incidents.report({ ...text, verification_token })
      expect(is_verified_report).toBe(true)
      expect(await acme.client.incidents.get(incident_id)).toMatchObject({
        model_id,
        is_verified_report: true,
        counts_publicly: true,
      })
      expect(await numbersOf(world, model_id)).toEqual({ open: index + 1, last: 'reported' })
    }
  })

  it('is accepted once for each link and category, even concurrently', async () => {
    const world = await createWorld({ engine })
    const acme = await createAcme(world)
    const { token, verification_url } = await acme.client.verifications.create({ model_id: acme.model_id })
    const both = await Promise.allSettled(
      [token, verification_url].map((verification_token) =>
        world.anyone.incidents.report({ ...text, verification_token }),
      ),
    )
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await expect(world.anyone.incidents.report({ ...text, verification_token: token })).rejects.toMatchObject({
      status: 409,
      code: 'already_reported',
    })
    await world.anyone.incidents.report({ ...text, category: 'other', verification_token: token })
    expect((await acme.client.incidents.list()).incidents.map(({ category }) => category)).toEqual([
      'other',
      'harmful_content',
    ])
    expect(await numbersOf(world, acme.model_id)).toMatchObject({ open: 2 })
  })

  it('is the same report however often it is sent under one key', async () => {
    const world = await createWorld({ engine })
    const acme = await createAcme(world)
    const send = () =>
      world.anyone.incidents.report({ ...text, model_id: acme.model_id }, { idempotencyKey: 'report-1' })
    expect(await send()).toEqual(await send())
    expect((await acme.client.incidents.list()).incidents).toHaveLength(1)
  })

  it('that names a model and a link is accepted if they match', async () => {
    const world = await createWorld({ engine })
    const { client, model_id, registerModel } = await createAcme(world)
    const { token: verification_token } = await client.verifications.create({ model_id })
    await world.anyone.incidents.report({ ...text, model_id, verification_token })
    for (const other of [await registerModel(), await registerModel({ is_public: false }), unknownId])
      await expect(
        world.anyone.incidents.report({ ...text, category: 'other', model_id: other, verification_token }),
      ).rejects.toMatchObject({
        status: 422,
        code: 'validation_failed',
      })
    expect((await client.incidents.list()).incidents).toHaveLength(1)
  })

  it('with a link that was never issued here is rejected with the reason', async () => {
    const world = await createWorld({ engine })
    const { client, model_id } = await createAcme(world)
    const other = await createWorld({ engine, publicUrl: 'https://verify.elsewhere.example' })
    const stranger = await other.provider('northwind')
    const foreign = await stranger.client.verifications.create({ model_id: await stranger.registerModel() })
    const { token, verification_url } = await client.verifications.create({ model_id })
    const [header = '', claims = '', signature = ''] = token.split('.')
    const code = verification_url.split('/').at(-1) ?? ''
    const cases = [
      { verification_token: 'hello', code: 'link_malformed' },
      { verification_token: `${code.slice(0, -1)}${code.endsWith('0') ? '1' : '0'}`, code: 'link_mistyped' },
      { verification_token: 'W904-2CKW-GDNC-X7S1', code: 'link_unknown' },
      {
        verification_token: `${header}.${claims}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
        code: 'link_forged',
      },
      { verification_token: foreign.verification_url, code: 'link_foreign' },
      { verification_token: foreign.token, code: 'link_foreign' },
    ]
    for (const { code, verification_token } of cases)
      await expect(world.anyone.incidents.report({ ...text, verification_token }), code).rejects.toMatchObject({
        status: 400,
        code,
      })
    expect((await client.incidents.list()).incidents).toEqual([])
  })

  it('with a token of ours that is not in the record is rejected as unknown, before and after it expired', async () => {
    const world = await createWorld({ engine })
    const { client, model_id } = await createAcme(world)
    const { token: verification_token } = await client.verifications.create({ model_id })
    await world.database.transaction((tx) => tx.deleteFrom('verifications').execute())
    const unknown = { status: 400, code: 'link_unknown' }
    await expect(world.anyone.incidents.report({ ...text, verification_token })).rejects.toMatchObject(unknown)
    world.clock.advance('1h')
    await expect(world.anyone.incidents.report({ ...text, verification_token })).rejects.toMatchObject(unknown)
  })

  it('of a private model and of an unknown one get the same answer, unless a link discloses the model', async () => {
    const world = await createWorld({ engine })
    const acme = await createAcme(world)
    const hidden = await acme.registerModel({ is_public: false })
    const report = (model_id: string) =>
      ask(`${world.address}/api/v1/incidents/report`, {
        method: 'POST',
        body: { ...text, model_id },
        headers: { 'X-API-Key': acme.apiKey },
      })
    const [secret, unknown] = [await report(hidden), await report(unknownId)]
    expect(secret.status).toBe(404)
    expect(comparable(secret)).toEqual(comparable(unknown))
    const { token } = await acme.client.verifications.create({ model_id: hidden })
    await world.anyone.incidents.report({ ...text, verification_token: token })
    expect((await acme.client.incidents.list()).incidents.map(({ model_id }) => model_id)).toEqual([hidden])
  })

  it('of a withdrawn model is accepted, of a deactivated or deleted provider only with a link', async () => {
    const world = await createWorld({ engine })
    const acme = await createAcme(world)
    const { token } = await acme.client.verifications.create({ model_id: acme.model_id })
    await acme.client.models.archive(acme.model_id, { reason: 'Old' })
    await world.anyone.incidents.report({ ...text, model_id: acme.model_id })
    await world.anyone.incidents.report({ ...text, verification_token: token })
    const again = { ...text, category: 'other' as const }
    const gone = { status: 404, code: 'not_found' }
    await acme.client.providers.deactivate(acme.id, {})
    await expect(world.anyone.incidents.report({ ...again, model_id: acme.model_id })).rejects.toMatchObject(gone)
    await acme.client.providers.reactivate(acme.id, {})
    await acme.client.providers.delete(acme.id)
    await expect(world.anyone.incidents.report({ ...again, model_id: acme.model_id })).rejects.toMatchObject(gone)
    expect(await world.anyone.incidents.report({ ...again, verification_token: token })).toMatchObject({
      is_verified_report: true,
    })
  })

  it("leaves events for each answer, without the reporter's words", async () => {
    const world = await createWorld({ engine })
    const acme = await createAcme(world)
    const { incident_id } = await world.anyone.incidents.report({
      ...text,
      model_id: acme.model_id,
      reporter_email: 'visitor@home.example',
    })
    await acme.client.incidents.respond(incident_id, { status: 'investigating', response: 'We look into it' })
    await acme.client.incidents.respond(incident_id, { status: 'resolved', response: 'Fixed in 1.1' })
    const { events } = await acme.client.account.events({ subject_id: incident_id })
    expect(events.reverse()).toMatchObject([
      {
        actor: 'visitor',
        action: 'incident.reported',
        subject_type: 'incident',
        before: null,
        after: { model_id: acme.model_id, category: 'harmful_content', severity: 'medium', is_verified_report: false },
      },
      {
        actor: acme.keyId,
        action: 'incident.investigating',
        after: { status: 'investigating', response: 'We look into it' },
      },
      { actor: acme.keyId, action: 'incident.resolved', after: { status: 'resolved', response: 'Fixed in 1.1' } },
    ])
    expect(JSON.stringify(events.map(({ before, after }) => [before, after]))).not.toMatch(/glue|visitor@/)
  })
})

describe('a report', () => {
  it.each([
    { name: 'neither model nor link', body: text },
    { name: 'no title', body: { ...text, title: ' \u200b ', model_id: unknownId } },
    {
      name: 'a title of two hundred and one characters',
      body: { ...text, title: 'x'.repeat(201), model_id: unknownId },
    },
    { name: 'a description above its limit', body: { ...text, description: 'x'.repeat(5_001), model_id: unknownId } },
    { name: 'eleven links', body: { ...text, description: 'http://a.example '.repeat(11), model_id: unknownId } },
    { name: 'a link that runs a script', body: { ...text, reference_url: 'javascript:alert(1)', model_id: unknownId } },
    {
      name: 'a screenshot in the address',
      body: { ...text, screenshot_url: 'data:image/png;base64,AAAA', model_id: unknownId },
    },
    { name: 'another category', body: { ...text, category: 'rudeness', model_id: unknownId } },
    { name: 'its own verdict', body: { ...text, is_verified_report: true, model_id: unknownId } },
  ])('with $name is rejected at the field', async ({ body }) => {
    const world = await createWorld()
    const reply = await ask(`${world.address}/api/v1/incidents/report`, { method: 'POST', body })
    expect({ status: reply.status, code: reply.body.code }).toEqual({ status: 422, code: 'validation_failed' })
  })
})

const createReported = async (engine: Engine) => {
  const world = await createWorld({ engine })
  const acme = await createAcme(world)
  const { incident_id } = await world.anyone.incidents.report({
    ...text,
    model_id: acme.model_id,
    reporter_email: 'visitor@home.example',
  })
  const respond = (input: Parameters<typeof acme.client.incidents.respond>[1]) =>
    acme.client.incidents.respond(incident_id, input)
  return { world, acme, incident_id, respond }
}

describeEachEngine('the owner of an incident', (engine) => {
  it('is the only one who succeeds if two people close it at the same time', async () => {
    const { respond, acme, incident_id, world } = await createReported(engine)
    const both = await Promise.allSettled([
      respond({ status: 'dismissed' }),
      respond({ status: 'resolved', response: 'Done' }),
    ])
    const won = both.flatMap((each) => (each.status === 'fulfilled' ? [each.value.status] : []))
    expect(won).toHaveLength(1)
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'incident_closed' } })
    expect(await acme.client.incidents.get(incident_id)).toMatchObject({ status: won[0] })
    expect(await world.mails('visitor@home.example')).toHaveLength(won[0] === 'resolved' ? 1 : 0)
  })

  it('reads them newest first, page by page, by status and severity, with the counts', async () => {
    const world = await createWorld({ engine })
    const acme = await createAcme(world)
    const ids: string[] = []
    for (const [index, title] of ['one', 'two', 'three', 'four', 'five'].entries()) {
      const severity = index % 2 === 0 ? 'high' : 'low'
      ids.unshift(
        (await world.anyone.incidents.report({ ...text, title, severity, model_id: acme.model_id })).incident_id,
      )
    }
    const all: string[] = []
    for await (const { id } of acme.client.incidents.list({ limit: 2 })) all.push(id)
    expect(all).toEqual(ids)
    await acme.client.incidents.respond(ids[1] ?? '', { status: 'investigating' })
    const titlesOf = async (query: Parameters<typeof acme.client.incidents.list>[0]) => {
      const { incidents, total, total_is_lower_bound } = await acme.client.incidents.list({ limit: 2, ...query })
      return [...incidents.map(({ title }) => title), total, total_is_lower_bound]
    }
    expect(await titlesOf({})).toEqual(['five', 'four', 5, false])
    expect(await titlesOf({ status: 'investigating' })).toEqual(['four', 1, false])
    expect(await titlesOf({ status: 'reported' })).toEqual(['five', 'three', 4, false])
    expect(await titlesOf({ severity: 'high' })).toEqual(['five', 'three', 3, false])
    expect(await titlesOf({ status: 'reported', severity: 'low' })).toEqual(['two', 1, false])
    expect(await titlesOf({ status: 'resolved' })).toEqual([0, false])
  })

  it('gets exact counts up to ten thousand, and a lower bound beyond', async () => {
    const { world, acme } = await createReported(engine)
    const [first] = await world.database.read.selectFrom('incidents').selectAll().execute()
    if (!first) throw new Error('No incident')
    const add = async (from: number, to: number) => {
      for (let at = from; at < to; at += 500) {
        const rows = Array.from({ length: Math.min(500, to - at) }, (_, index) => ({
          ...first,
          id: `inc_${String(at + index).padStart(26, '0')}`,
        }))
        await world.database.transaction((tx) => tx.insertInto('incidents').values(rows).execute())
      }
    }
    await add(0, 9_999)
    expect(await acme.client.incidents.list({ limit: 1 })).toMatchObject({ total: 10_000, total_is_lower_bound: false })
    await add(9_999, 10_000)
    expect(await acme.client.incidents.list({ limit: 1, status: 'reported' })).toMatchObject({
      total: 10_000,
      total_is_lower_bound: true,
    })
  })
})

describeOnSqlite('the owner of an incident', (engine) => {
  it('makes it count by accepting it, and closes it permanently', async () => {
    const { world, acme, respond } = await createReported(engine)
    expect(await respond({ status: 'investigating', response: 'We look into it' })).toMatchObject({
      status: 'investigating',
      counts_publicly: true,
      provider_response: 'We look into it',
      resolved_at: null,
    })
    expect(await numbersOf(world, acme.model_id)).toEqual({ open: 1, last: 'investigating' })
    expect(await respond({ status: 'investigating' })).toMatchObject({ provider_response: 'We look into it' })
    world.clock.advance('1h')
    expect(await respond({ status: 'resolved', response: 'No glue any more' })).toMatchObject({
      status: 'resolved',
      provider_response: 'No glue any more',
      resolved_at: new Date(world.clock.now()).toISOString(),
    })
    expect(await numbersOf(world, acme.model_id)).toEqual({ open: 0, last: 'resolved' })
    for (const status of ['investigating', 'resolved', 'dismissed'] as const)
      await expect(respond({ status, response: 'Again' })).rejects.toMatchObject({
        status: 409,
        code: 'incident_closed',
      })
  })

  it('dismisses a report that stays invisible to others', async () => {
    const { world, acme, respond } = await createReported(engine)
    expect(await respond({ status: 'dismissed' })).toMatchObject({
      status: 'dismissed',
      counts_publicly: false,
      resolved_at: null,
    })
    expect(await numbersOf(world, acme.model_id)).toEqual({ open: 0, last: null })
    await expect(respond({ status: 'resolved', response: 'After all' })).rejects.toMatchObject({
      code: 'incident_closed',
    })
    expect(await world.mails('visitor@home.example')).toEqual([])
  })

  it('cannot remove from the public numbers what counted, even by dismissing it', async () => {
    const { world, acme, respond } = await createReported(engine)
    await respond({ status: 'investigating' })
    const { token } = await acme.client.verifications.create({ model_id: acme.model_id })
    const { incident_id } = await world.anyone.incidents.report({ ...text, verification_token: token })
    const { incident_id: unverified } = await world.anyone.incidents.report({ ...text, model_id: acme.model_id })
    expect(await numbersOf(world, acme.model_id)).toMatchObject({ open: 2 })
    expect(await respond({ status: 'dismissed' })).toMatchObject({ counts_publicly: true })
    expect(await acme.client.incidents.respond(incident_id, { status: 'dismissed' })).toMatchObject({
      is_verified_report: true,
      counts_publicly: true,
    })
    // A report without a link never counted.
    expect(await acme.client.incidents.respond(unverified, { status: 'dismissed' })).toMatchObject({
      counts_publicly: false,
    })
    expect(await numbersOf(world, acme.model_id)).toEqual({ open: 0, last: 'dismissed' })
    expect(await world.anyone.models.communityStats(acme.model_id)).toMatchObject({
      total_reports: 2,
      dismissed_reports: 2,
    })
  })

  it('cannot resolve it without a message', async () => {
    const { respond, acme, incident_id } = await createReported(engine)
    for (const response of [undefined, '', ' \n '])
      await expect(respond({ status: 'resolved', ...(response !== undefined && { response }) })).rejects.toMatchObject({
        status: 422,
        code: 'validation_failed',
      })
    expect(await acme.client.incidents.get(incident_id)).toMatchObject({ status: 'reported' })
  })

  it('is the only one who sees it', async () => {
    const { world, acme, incident_id } = await createReported(engine)
    const northwind = await world.provider('northwind')
    const readAs = (id: string) =>
      ask(`${world.address}/api/v1/incidents/${id}`, { headers: { 'X-API-Key': northwind.apiKey } })
    const [foreign, unknown] = [await readAs(incident_id), await readAs(unknownIncident)]
    expect(foreign.status).toBe(404)
    expect(comparable(foreign)).toEqual(comparable(unknown))
    await expect(northwind.client.incidents.respond(incident_id, { status: 'dismissed' })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect((await northwind.client.incidents.list()).incidents).toEqual([])
    expect(await acme.client.incidents.get(incident_id)).toMatchObject({ status: 'reported' })
    await expect(world.anyone.incidents.get(incident_id)).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('may use a key that can only answer reports', async () => {
    const { world, acme, incident_id } = await createReported(engine)
    const { api_key } = await acme.client.keys.create({ name: 'Support desk', scopes: ['incidents'] })
    expect(await world.client(api_key).incidents.respond(incident_id, { status: 'investigating' })).toMatchObject({
      status: 'investigating',
    })
    const { api_key: reader } = await acme.client.keys.create({ name: 'Reader', scopes: ['read'] })
    expect(await world.client(reader).incidents.get(incident_id)).toMatchObject({ id: incident_id })
    await expect(world.client(reader).incidents.respond(incident_id, { status: 'dismissed' })).rejects.toMatchObject({
      code: 'forbidden',
    })
  })
})

describeOnSqlite('emails about incidents', (engine) => {
  const hostile =
    'Win at https://evil.example/now <b>and</b> www.evil.example, dear customer, this goes on and on for ever'

  it('are sent at once for reports with a link and for critical ones, with nothing of the reporter in the subject', async () => {
    const world = await createWorld({ engine })
    const acme = await createAcme(world)
    const { token } = await acme.client.verifications.create({ model_id: acme.model_id })
    await world.anyone.incidents.report({ ...text, title: hostile, verification_token: token })
    const [mail, ...others] = await acme.mails()
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      subject: 'One of your models was reported',
      link: `${world.publicUrl}/dashboard?tab=incidents`,
    })
    expect(mail?.text).toContain(`your model ${acme.model_id}, with a link for it: harmful content, severity medium.`)
    expect(mail?.text).not.toMatch(/evil|for ever/)
    expect(mail?.html).not.toMatch(/evil|<b>|for ever/)
    await world.anyone.incidents.report({ ...text, severity: 'critical', model_id: acme.model_id })
    expect(await acme.mails()).toHaveLength(2)
    await world.anyone.incidents.report({ ...text, severity: 'high', model_id: acme.model_id })
    expect(await acme.mails()).toHaveLength(2)
  })

  it('about other reports are sent once a day, all in one, and never twice', async () => {
    const world = await createWorld({ engine })
    const acme = await createAcme(world)
    for (let count = 1; count <= 12; count++)
      await world.anyone.incidents.report({ ...text, title: `Number ${count}.`, model_id: acme.model_id })
    expect(await acme.mails()).toEqual([])
    await runTwice(world, 'incident-digest')
    await world.jobs.run('incident-digest')
    const [mail, ...others] = await acme.mails()
    expect(others).toEqual([])
    expect(mail?.subject).toBe('Reports about your models')
    expect(mail?.text).toMatch(/^12 reports about your models arrived/m)
    expect(mail?.text.match(/> Number \d+/g)).toHaveLength(10)
    expect(mail?.text).toContain('And 2 more.')
  })

  it('of an interrupted run are sent by the next one', async () => {
    const world = await createWorld({ engine })
    const acme = await createAcme(world)
    await world.anyone.incidents.report({ ...text, model_id: acme.model_id })
    await world.database.transaction((tx) => tx.schema.alterTable('mails').renameTo('mails_away').execute())
    await expect(world.jobs.run('incident-digest')).rejects.toThrow()
    await world.database.transaction((tx) => tx.schema.alterTable('mails_away').renameTo('mails').execute())
    await world.jobs.run('incident-digest')
    await world.jobs.run('incident-digest')
    expect(await acme.mails()).toHaveLength(1)
  })

  it('are not sent about what the owner has already answered', async () => {
    const world = await createWorld({ engine })
    const acme = await createAcme(world)
    const { incident_id } = await world.anyone.incidents.report({ ...text, model_id: acme.model_id })
    await acme.client.incidents.respond(incident_id, { status: 'investigating' })
    await world.jobs.run('incident-digest')
    expect(await acme.mails()).toEqual([])
  })

  it('wait for a deactivated provider until it is active again', async () => {
    const world = await createWorld({ engine })
    const acme = await createAcme(world)
    await world.anyone.incidents.report({ ...text, model_id: acme.model_id })
    await acme.client.providers.deactivate(acme.id, {})
    const before = (await acme.mails()).length
    await world.jobs.run('incident-digest')
    expect(await acme.mails()).toHaveLength(before)
    await acme.client.providers.reactivate(acme.id, {})
    await world.jobs.run('incident-digest')
    await world.jobs.run('incident-digest')
    expect((await acme.mails()).slice(before).map(({ subject }) => subject)).toEqual(['Reports about your models'])
  })

  it('reach neither an unverified address nor an owner who opted out', async () => {
    const world = await createWorld({ engine })
    const [quiet, unshown] = [await createAcme(world), await world.provider('northwind')]
    await quiet.client.account.setNotifications({ incident_reported: false })
    for (const model_id of [quiet.model_id, await unshown.registerModel()])
      for (const severity of ['critical', 'low'] as const)
        await world.anyone.incidents.report({ ...text, severity, model_id })
    const before = (await world.mails()).length
    await world.jobs.run('incident-digest')
    await quiet.client.account.setNotifications({ incident_reported: true })
    await world.jobs.run('incident-digest')
    expect(await world.mails()).toHaveLength(before)
    expect(await quiet.mails()).toEqual([])
  })

  it('sent at once are few if strangers could cause many; the rest waits for the digest', async () => {
    const world = await createWorld({ engine })
    const acme = await createAcme(world)
    for (let count = 1; count <= 5; count++)
      await world.anyone.incidents.report({
        ...text,
        severity: 'critical',
        title: `Number ${count}`,
        model_id: acme.model_id,
      })
    expect(await acme.mails()).toHaveLength(2)
    for (let count = 1; count <= 10; count++) {
      const { token } = await acme.client.verifications.create({ model_id: acme.model_id })
      await world.anyone.incidents.report({ ...text, verification_token: token })
    }
    expect(await acme.mails()).toHaveLength(10)
    await world.jobs.run('incident-digest')
    expect((await acme.mails()).at(-1)?.text).toMatch(/^5 reports about your models/m)
    world.clock.advance('2h')
    await world.anyone.incidents.report({ ...text, severity: 'critical', model_id: acme.model_id })
    expect(await acme.mails()).toHaveLength(12)
  })

  it('tell the reporter about the resolution, with the answer as a quotation and the verified domain, never as a link', async () => {
    const world = await createWorld({ engine })
    const acme = await createAcme(world)
    const report = () =>
      world.anyone.incidents.report({ ...text, model_id: acme.model_id, reporter_email: 'Visitor@Home.example' })
    const { incident_id } = await report()
    await acme.client.incidents.respond(incident_id, { status: 'investigating', response: 'We look into it' })
    expect(await world.mails('visitor@home.example')).toEqual([])
    await acme.client.incidents.respond(incident_id, { status: 'resolved', response: hostile })
    const [mail, ...others] = await world.mails('visitor@home.example')
    expect(others).toEqual([])
    expect(mail?.subject).toBe('A provider answered your report')
    expect(mail?.text).toContain(
      'It has proven control of this domain:\n\n    acme[.]example\n\nIt answered:\n\n> Win at',
    )
    expect(mail?.text).not.toMatch(/evil|for ever|glue|acme\.example/)
    expect(mail?.html).not.toMatch(/evil|<b>|for ever|glue|acme\.example/)
    for (let count = 1; count <= 4; count++) {
      const again = await report()
      await acme.client.incidents.respond(again.incident_id, { status: 'resolved', response: 'Done' })
    }
    expect(await world.mails('visitor@home.example')).toHaveLength(3)
  })
})

describeOnSqlite('the weekly report', (engine) => {
  it('is sent every seven days to owners who want it, with numbers only', async () => {
    const world = await createWorld({ engine })
    const acme = await createAcme(world)
    await acme.client.account.setNotifications({ weekly_reports: true })
    await world.jobs.run('weekly-report')
    expect(await acme.mails()).toEqual([])

    await acme.client.verifications.create({ model_id: acme.model_id })
    world.clock.advance('6d')
    const { token } = await acme.client.verifications.create({ model_id: acme.model_id })
    await world.anyone.verifications.opened(token, {})
    await acme.client.verifications.create({ model_id: acme.model_id })
    await world.anyone.incidents.report({ ...text, model_id: acme.model_id })
    await world.jobs.run('weekly-report')
    expect(await acme.mails()).toEqual([])
    world.clock.advance('1d')
    await runTwice(world, 'weekly-report')
    await world.jobs.run('weekly-report')
    const [mail, ...others] = await acme.mails()
    expect(others).toEqual([])
    expect(mail?.subject).toBe('Your week at the registry')
    expect(mail?.text).toContain('2 verification links were made for your models, 1 was opened')
    expect(mail?.text).toContain('1 report about your models arrived')
    expect(mail?.text).toContain('1 report is waiting for your answer.')
    expect(mail?.text).not.toContain('glue')

    world.clock.advance('7d')
    await acme.client.account.setNotifications({ weekly_reports: false })
    await world.jobs.run('weekly-report')
    expect(await acme.mails()).toHaveLength(1)
  })
})
