import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { itInFull } from '../support/full.ts'
import { findPython } from '../support/python.ts'
import { createWorld, type World } from '../support/world.ts'

const run = promisify(execFile)
const { program, why } = await findPython()

const typesOf = (xml: string) => [...xml.matchAll(/<category term="([^"]*)"\/>/g)].map(([, type]) => type)
const linkOf = (xml: string, rel: string) => new RegExp(`<link rel="${rel}"[^>]* href="([^"]*)"`).exec(xml)?.[1]

const read = async ({ address }: World, path: string, headers = {}) => ask(`${address}/log/feed/${path}`, { headers })

describeOnSqlite('a feed of the public log', (engine) => {
  it('of a company has its public entries, newest first, and never what is private', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    await acme.registerModel({ display_name: 'Acme Chat', api_model_identifier: 'atlas' })
    await acme.registerModel({ display_name: 'Secret Chat', api_model_identifier: 'sphinx', is_public: false })
    const exposed = await acme.registerModel({ display_name: 'Was Public' })
    await world.registry.transparency.sequence()
    await acme.client.models.archive(exposed, { reason: 'Withdrawn.' })
    await world.registry.transparency.sequence()
    await world.database.transaction((tx) =>
      tx
        .updateTable('models')
        .set({ is_public: 0, display_name: 'Renamed In Secret' })
        .where('id', '=', exposed)
        .execute(),
    )

    const { status, text, headers } = await read(world, `providers/${acme.id}.atom`)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/atom+xml; charset=utf-8')
    expect(headers['cache-control']).toBe('public, max-age=60')
    expect(typesOf(text)).toEqual([
      'version.archived',
      'version.registered',
      'version.registered',
      'domain.primary',
      'domain.proven',
      'provider.named',
    ])
    expect(text).toContain('Acme Chat')
    expect(text).not.toMatch(/Secret|sphinx/)
    expect(await read(world, `providers/${acme.id}.atom`, { 'If-None-Match': String(headers.etag) })).toMatchObject({
      status: 304,
      text: '',
    })
  })

  it('of a domain has what each company stated while it had proven the domain', async () => {
    const world = await createWorld({ engine })
    expect((await read(world, 'domains/contoso.example.atom')).text).not.toContain('<entry>')
    const acme = await world.provider('acme')
    await world.registry.transparency.sequence()
    const { domain_proof } = await acme.client.domains.add({ domain: 'contoso.example' })
    world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
    await acme.client.domains.verify('contoso.example', {})
    await world.registry.transparency.sequence()
    await acme.registerModel()
    await world.registry.transparency.sequence()
    await acme.client.domains.remove('contoso.example')
    await world.registry.transparency.sequence()
    await acme.registerModel()
    await world.registry.transparency.sequence()

    const { text } = await read(world, 'domains/Contoso.example.atom')
    expect(typesOf(text)).toEqual(['domain.lost', 'version.registered', 'domain.proven'])
    expect(typesOf((await read(world, 'domains/acme.example.atom')).text)).toHaveLength(6)
  })

  it('of a domain has no entries of a company from a time when another one had proven the domain', async () => {
    const world = await createWorld({ engine })
    const { sequence } = world.registry.transparency
    const [acme, buyer] = [await world.provider('acme'), await world.provider('buyer')]
    /** Adds and proves the domain, or removes it. */
    const hold = async ({ client }: typeof acme, holds: boolean) => {
      if (holds) {
        const { domain_proof } = await client.domains.add({ domain: 'contoso.example' })
        world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
        await client.domains.verify('contoso.example', {})
      } else await client.domains.remove('contoso.example')
      await sequence()
    }
    await hold(acme, true)
    await hold(acme, false)
    await hold(buyer, true)
    await acme.registerModel({ display_name: 'Not of Contoso' })
    await buyer.registerModel({ display_name: 'Of Contoso' })
    await hold(buyer, false)
    world.clock.advance('2h')
    await hold(acme, true)
    await acme.registerModel({ display_name: 'Of Contoso Again' })
    await sequence()

    const { text } = await read(world, 'domains/contoso.example.atom')
    const [held, other] = [['domain.lost', 'domain.proven'], 'version.registered']
    expect(typesOf(text)).toEqual([other, 'domain.proven', 'domain.lost', other, 'domain.proven', ...held])
    expect(text).toContain('Of Contoso Again')
    expect(text).not.toContain('Not of Contoso')
  })

  it('of a domain has nothing that a company stated while its proof could not be confirmed, unless it was later', async () => {
    const world = await createWorld({ engine })
    const { sequence } = world.registry.transparency
    const former = await world.provider('acme')
    const state = async (display_name: string) => {
      await former.registerModel({ display_name })
      await sequence()
    }
    const { record_name, record_value } = former.proof
    const recheckWith = async (answer: 'servfail' | string[]) => {
      world.dns.clear()
      if (answer === 'servfail') world.dns.fail(record_name, answer)
      else world.dns.setTxt(record_name, answer)
      world.clock.advance('25h')
      await world.jobs.run('domains')
      await sequence()
    }
    const feed = async () => (await read(world, 'domains/acme.example.atom')).text
    await recheckWith('servfail')
    await state('During the Outage')
    expect(await feed()).not.toContain('During the Outage')
    await recheckWith([record_value])
    expect(await feed()).toContain('During the Outage')
    const confirmed = await world.database.read
      .selectFrom('log_entries')
      .select((of) => of.fn.max('position').as('position'))
      .where('type', '=', 'domain.proven')
      .executeTakeFirstOrThrow()
    const olderPage = await read(world, `domains/acme.example.atom?before=${confirmed.position}`)
    expect(olderPage.text).toContain('During the Outage')
    await recheckWith('servfail')
    await state('After It Was Sold')
    await recheckWith([])
    expect(typesOf(await feed()).slice(0, 2)).toEqual(['domain.lost', 'domain.stale'])
    expect(await feed()).not.toContain('After It Was Sold')
  })

  it.each(['nobody', 'another company'])(
    'of a domain has nothing that a company stated between a reported key and the review, with $0 proving it',
    async (between) => {
      const world = await createWorld({ engine })
      const { sequence } = world.registry.transparency
      const [acme, buyer] = [await world.provider('acme'), await world.provider('buyer')]
      const helper = await acme.client.keys.create({ name: 'Helper', scopes: ['full'] })
      const prove = async ({ domains }: typeof acme.client) => {
        const { domain_proof } = await domains.add({ domain: 'contoso.example' })
        world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
        await domains.verify('contoso.example', {})
        await sequence()
      }
      const state = async ({ registerModel }: typeof acme, display_name: string) => {
        await registerModel({ display_name })
        await sequence()
      }
      await prove(world.client(helper.api_key))
      const { reviews } = await acme.client.keys.compromise(helper.id)
      await sequence()
      if (between !== 'nobody') await prove(buyer.client)
      world.clock.advance('10d')
      await state(acme, 'After the Loss')
      if (between !== 'nobody') {
        await state(buyer, 'Of the Buyer')
        await buyer.client.domains.remove('contoso.example')
        await sequence()
      }
      world.dns.clear()
      await acme.client.keys.review(reviews.find(({ kind }) => kind === 'domain')?.id ?? '', { decision: 'confirmed' })
      await sequence()
      await state(acme, 'After the Review')

      const { text } = await read(world, 'domains/contoso.example.atom')
      const held = between === 'nobody' ? [] : ['domain.lost', 'version.registered', 'domain.proven']
      expect(typesOf(text)).toEqual(['domain.lost', 'domain.stale', ...held, 'domain.lost', 'domain.proven'])
      expect(text).not.toMatch(/After the/)
    },
  )

  itInFull(
    'of a domain has the newest holder, however many accounts proved it before',
    async () => {
      const world = await createWorld({ engine })
      const { sequence } = world.registry.transparency
      const hold = async (name: string) => {
        const { client, registerModel } = await world.provider(name)
        const { domain_proof } = await client.domains.add({ domain: 'contoso.example' })
        world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
        await client.domains.verify('contoso.example', {})
        return { domains: client.domains, registerModel }
      }
      for (let index = 0; index < 51; index++) {
        const { domains } = await hold(`former${index}`)
        await domains.remove('contoso.example')
      }
      await sequence()
      const { domains, registerModel } = await hold('newest')
      await registerModel({ display_name: 'Of the Newest' })
      await sequence()
      await domains.remove('contoso.example')
      await sequence()

      const { text } = await read(world, 'domains/contoso.example.atom')
      expect(typesOf(text)).toHaveLength(50)
      expect(typesOf(text).slice(0, 4)).toEqual(['domain.lost', 'version.registered', 'domain.proven', 'domain.lost'])
      expect(text).toContain('Of the Newest')
      const all = [text]
      for (let next = linkOf(text, 'next'); next !== undefined; next = linkOf(all.at(-1) ?? '', 'next'))
        all.push((await ask(next.replace(world.publicUrl, world.address))).text)
      expect(all.flatMap(typesOf)).toHaveLength(2 * 52 + 1)
    },
    60_000,
  )

  it('shows no name that the company’s pages do not show, and none of a suspended account', async () => {
    const world = await createWorld({ engine })
    const { client, id, registerModel } = await world.provider('acme')
    await client.providers.update(id, { company_name: 'Globex' })
    const { domain_proof } = await client.domains.add({ domain: 'contoso.example' })
    world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
    await client.domains.verify('contoso.example', {})
    const model_id = await registerModel({ api_model_identifier: 'atlas', display_name: 'Contoso.example Chat' })
    await world.registry.transparency.sequence()
    const titlesOf = async (at: string) => {
      const { text } = await ask(`${at}/log/feed/providers/${id}.atom`)
      return [...text.matchAll(/<title>([^<]*)/g)].map(([, title]) => title)
    }
    const before = await titlesOf(world.address)
    expect(before).toContain('The company calls itself “Globex”')
    expect(before).toContain(`Registered “atlas” “1.0.0”, “Contoso.example Chat” (${model_id})`)

    const { address } = await world.startReplica({ protectedNames: [{ name: 'Globex', domain: 'globex.example' }] })
    const protectedTitles = await titlesOf(address)
    expect(protectedTitles.join()).not.toContain('Globex')
    expect(protectedTitles).toContain('The company has a name that is not shown here')
    expect(protectedTitles).toContain('The company proved contoso.example with a DNS record')

    await client.domains.remove('contoso.example')
    await world.registry.transparency.sequence()
    expect(await titlesOf(world.address)).toContain(`Registered “atlas” “1.0.0” (${model_id})`)
    expect((await titlesOf(world.address)).join()).not.toContain('Contoso.example')

    await world.database.transaction((tx) =>
      tx.updateTable('providers').set({ suspended_at: world.clock.now() }).where('id', '=', id).execute(),
    )
    const suspended = await titlesOf(world.address)
    expect(suspended).toHaveLength(before.length + 1)
    expect(suspended).toContain(`Registered ${model_id}, a name that is not shown here`)
    expect(suspended.join()).not.toMatch(/Globex|atlas|Acme/)
  })

  it('quotes no subject of a platform that links withhold', async () => {
    const world = await createWorld({ engine })
    const { id, client, registerModel } = await world.provider('acme')
    const { issuer } = world.jobIssuer
    const model_id = await registerModel()
    const withheld = ['system:serviceaccount:prod:openai.com', 'system:serviceaccount:verified:chat']
    for (const subject of ['system:serviceaccount:prod:chat.acme.example', ...withheld]) {
      const { deployment_id } = await client.workloads.trust({ issuer, subject })
      await client.models.allowDeployment(model_id, { deployment_id })
    }
    await world.registry.transparency.sequence()
    const { text } = await read(world, `providers/${id}.atom`)
    const quoted = [...text.matchAll(/<title>Trusted .* as (.*), declared, not proven \(/g)].map(([, as]) => as)
    const notShown = 'a name that is not shown here'
    expect(quoted.sort()).toEqual([notShown, notShown, '“system:serviceaccount:prod:chat.acme.example”'])
  })

  it('quotes no declared signer with the domain of another or words of judgement, and says that none is proven', async () => {
    const world = await createWorld({ engine })
    const { id, client } = await world.provider('acme')
    const google = 'https://accounts.google.com'
    for (const [issuer, identity] of [
      [google, 'release@acme.example'],
      [google, 'release@openai.com'],
      ['Verified by OpenAI', 'release@acme.example'],
    ] as const)
      await client.signers.declare({ signer: { kind: 'identity', issuer, identity } })
    const repository = 'https://github.com/openai/gpt-5'
    await client.signers.declare({ signer: { kind: 'repository', issuer: `https://gitlab.com`, repository } })
    await world.registry.transparency.sequence()
    const { text } = await read(world, `providers/${id}.atom`)
    const declared = [...text.matchAll(/<title>Declared the signer (.*) \(sgn_/g)].map(([, who]) => who)
    const notShown = 'a name that is not shown here'
    expect(declared.sort()).toEqual([
      notShown,
      notShown,
      `“${repository}” of “https://gitlab.com”, not proven`,
      `“release@acme.example” of “${google}”, not proven`,
    ])
  })

  it('names a platform by its host alone if a customer chose words of judgement in the path of its issuer', async () => {
    const world = await createWorld({ engine })
    const { id, client, registerModel } = await world.provider('acme')
    const model_id = await registerModel()
    for (const team of ['acme', 'openai-officially-verified']) {
      const issuer = `https://oidc.vercel.com/${team}`
      const subject = 'owner:acme:project:chat'
      const named = { issuer, subject, claims: { project_id: 'prj_1' }, audience: 'https://vercel.com/acme' }
      const { deployment_id } = await client.workloads.trust(named)
      await client.models.allowDeployment(model_id, { deployment_id })
    }
    await world.registry.transparency.sequence()
    const { text } = await read(world, `providers/${id}.atom`)
    const trusted = [...text.matchAll(/<title>Trusted (.*) to vouch for /g)].map(([, issuer]) => issuer)
    expect(trusted.sort()).toEqual(['https://oidc.vercel.com/acme', 'oidc.vercel.com'])
  })

  it('loses the texts of an erased account, and keeps the entries', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    await acme.registerModel({ display_name: 'Acme Chat' })
    await world.registry.transparency.sequence()
    const before = await read(world, `providers/${acme.id}.atom`)
    await acme.client.providers.delete(acme.id)
    await world.registry.transparency.sequence()
    const { text, headers } = await read(world, `providers/${acme.id}.atom`)
    expect(before.text).toContain('Acme Chat')
    expect(text).not.toContain('Acme Chat')
    expect(text).toContain('a name that was erased')
    expect(typesOf(text)[0]).toBe('provider.deleted')
    expect(headers.etag).not.toBe(before.headers.etag)
  })
})

describeOnSqlite('a feed of the public log', (engine) => {
  /** More entries about a provider, as copies of its newest one. */
  const addEntries = async ({ database }: World, owner: string, count: number) =>
    database.transaction(async (tx) => {
      const row = await tx
        .selectFrom('log_entries')
        .selectAll()
        .where('owner', '=', owner)
        .orderBy('position', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow()
      const rows = Array.from({ length: count }, (_, index) => ({ ...row, id: `copy${index}`, position: 100 + index }))
      await tx.insertInto('log_entries').values(rows).execute()
    })

  it('comes in pages that link to each other', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    await world.registry.transparency.sequence()
    await addEntries(world, acme.id, 120)
    const ids: string[] = []
    let path: string | undefined = `providers/${acme.id}.atom`
    for (let page = 0; page < 3; page++) {
      const { text }: { text: string } = await read(world, path ?? '')
      expect(linkOf(text, 'self')).toBe(`${world.publicUrl}/log/feed/${path}`)
      expect(linkOf(text, 'first') === undefined).toBe(page === 0)
      ids.push(...[...text.matchAll(/<entry>\n<id>([^<]*)</g)].map(([, id = '']) => id))
      path = linkOf(text, 'next')?.replace(`${world.publicUrl}/log/feed/`, '')
    }
    expect(path).toBeUndefined()
    expect(new Set(ids).size).toBe(123)
    expect(ids[0]).toBe(`https://${new URL(world.publicUrl).host}/log/entry/219`)
  })

  it('is not found at any other address', async () => {
    const world = await createWorld({ engine })
    await world.provider('acme')
    await world.registry.transparency.sequence()
    for (const path of [
      'domains/localhost.atom',
      'domains/acme.example',
      'domains/%00.atom',
      'domains/a%25b.example.atom',
      'providers/prv_00000000000000000000000000.atom',
      'providers/acme.example.atom',
      'models/acme.example.atom',
      'domains/acme.example.atom?before=0',
      'domains/acme.example.atom?before=-1',
    ])
      expect((await read(world, path)).status, path).toBe(404)
  })

  it('is linked from the company’s page once it has proven a domain', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    await world.registry.transparency.sequence()
    const { text } = await ask(`${world.address}/providers/${acme.id}`)
    const [, href = ''] = /type="application\/atom\+xml" title="Public log" href="([^"]*)"/.exec(text) ?? []
    expect((await ask(href.replace(world.publicUrl, world.address))).status).toBe(200)
  })

  it.skipIf(why !== undefined)(
    `is read by feedparser of PyPI without an error, with any names of strangers${why ? ` (skipped: ${why})` : ''}`,
    async () => {
      const world = await createWorld({ engine })
      const acme = await world.provider('acme')
      await world.registry.transparency.sequence()
      const names = [
        ']]></title><script>alert(1)</script>&amp;"\'',
        'a\u0000b\u001b[31m\u202e\u2028\ufffe\ud800',
        `<!DOCTYPE x [<!ENTITY e "${'x'.repeat(50)}">]>&e;`,
      ]
      await addEntries(world, acme.id, names.length)
      for (const [index, value] of names.entries())
        await world.database.transaction((tx) =>
          tx
            .updateTable('log_entries')
            .set({
              type: 'provider.named',
              leaf: JSON.stringify({
                at: '2026-11-01T00:00:00.000Z',
                company_name: 'A'.repeat(43),
                provider: acme.id,
                type: 'provider.named',
                v: 1,
              }),
              revealed: JSON.stringify([{ field: 'company_name', salt: '', value }]),
            })
            .where('position', '=', 100 + index)
            .execute(),
        )
      const { text } = await read(world, `providers/${acme.id}.atom`)
      const script = `
import sys, json, feedparser
found = feedparser.parse(sys.stdin.buffer.read())
print(json.dumps({'bozo': int(found.bozo), 'version': found.version, 'id': found.feed.id, 'updated': found.feed.updated, 'author': found.feed.author,
  'entries': [{'id': e.id, 'title': e.title, 'updated': e.updated, 'content': e.content[0].value} for e in found.entries]}))`
      const parsing = run(program, ['-c', script])
      parsing.child.stdin?.end(text)
      const found = JSON.parse((await parsing).stdout)
      expect(found).toMatchObject({ bozo: 0, version: 'atom10', author: new URL(world.publicUrl).host })
      expect(found.entries).toHaveLength(6)
      expect(new Set(found.entries.map(({ id }: { id: string }) => id)).size).toBe(6)
      const titles = found.entries.map(({ title }: { title: string }) => title)
      expect(titles.join('\n')).toContain('“ab[31m”')
      expect(text).not.toMatch(/<script|<!DOCTYPE|\u202e/)
    },
  )
})
