import { expect, it } from 'vitest'
import { ask, comparable } from '../support/ask.ts'
import { describeEachEngine, describeOnSqlite } from '../support/databases.ts'
import { createWorld } from '../support/world.ts'

const details = (name: string) => ({
  company_name: `${name} Inc`,
  email: `hello@${name}.example`,
  website: `https://${name}.example`,
})
const unknownId = 'prv_06dh0e3x7c9bw4vjz2n8qk5ytm'

describeOnSqlite('registering a provider', (engine) => {
  it('creates a new, unverified provider each time, even with the same name and address, and changes no other', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const before = await world.anyone.providers.get(acme.id)
    const [one, two] = [
      await world.anyone.providers.register(details('acme')),
      await world.anyone.providers.register(details('acme')),
    ]
    expect(new Set([acme.id, one.provider_id, two.provider_id]).size).toBe(3)
    expect(new Set([acme.apiKey, one.api_key, two.api_key]).size).toBe(3)
    for (const { provider_id } of [one, two]) {
      expect(await world.anyone.providers.get(provider_id)).toMatchObject({
        domain: 'acme.example',
        domain_verified: false,
        verification_level: 'unverified',
        trust_level: 'unverified',
      })
    }
    expect(await world.anyone.providers.get(acme.id)).toEqual(before)
  })

  it('returns a working key, once, and stores only its hash', async () => {
    const world = await createWorld({ engine })
    const { provider_id, api_key, key_id } = await world.anyone.providers.register(details('acme'))
    expect(await world.client(api_key).providers.me()).toMatchObject({
      id: provider_id,
      api_key,
      key_id,
      email: 'hello@acme.example',
      is_listed: true,
    })
    const stored = JSON.stringify(await world.database.read.selectFrom('api_keys').selectAll().execute())
    expect(stored).not.toContain(api_key.slice(14))
    const events = await world.database.read
      .selectFrom('events')
      .select(['action', 'actor'])
      .where('provider_id', '=', provider_id)
      .execute()
    expect(events.map(({ action }) => action).sort()).toEqual(['key.created', 'provider.registered'])
    expect(events.every(({ actor }) => actor === key_id)).toBe(true)
  })

  it('accepts either name of a field, and returns both', async () => {
    const world = await createWorld({ engine })
    const { provider_id, api_key } = await world.anyone.providers.register({
      company_name: 'Acme Inc',
      email: 'hello@acme.example',
      website_url: 'acme.example',
      is_public: false,
      company_description: 'Maps',
    })
    const same = await world.client(api_key).providers.me()
    expect(same).toMatchObject({
      website: 'https://acme.example',
      website_url: 'https://acme.example',
      description: 'Maps',
      company_description: 'Maps',
      is_listed: false,
      is_public: false,
    })
    // Strangers see the website once its domain is proven.
    expect(await world.anyone.providers.get(provider_id)).toMatchObject({ website: null, website_url: null })
  })

  it('rejects two different values under the two names of one field', async () => {
    const world = await createWorld({ engine })
    const pairs = {
      website_url: { website_url: 'https://other.example' },
      company_description: { description: 'One', company_description: 'Two' },
      is_public: { is_listed: true, is_public: false },
    }
    for (const [field, extra] of Object.entries(pairs)) {
      const refusal = await world.anyone.providers.register({ ...details('acme'), ...extra }).catch((error) => error)
      expect(refusal).toMatchObject({ code: 'validation_failed', status: 422 })
      expect(refusal.issues).toMatchObject([{ loc: ['body', field], pointer: `#/${field}` }])
    }
    expect((await world.anyone.providers.list({})).providers).toEqual([])
  })

  it('is rejected for a caller who already has a provider, and with an invalid key', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    await expect(acme.client.providers.register(details('acme'))).rejects.toMatchObject({
      code: 'already_registered',
      problem: { provider_id: acme.id },
    })
    await expect(world.client('csk_nonsense').providers.register(details('acme'))).rejects.toMatchObject({
      code: 'unauthorized',
    })
  })
})

const domains = [
  { website: 'https://acme.github.io.', domain: 'acme.github.io' },
  { website: 'https://www.acme.co.uk/about', domain: 'acme.co.uk' },
  { website: 'HTTPS://WWW.ACME.EXAMPLE', domain: 'acme.example' },
  { website: 'www.acme.test', domain: 'acme.test' },
  { website: 'https://bücher.example', domain: 'xn--bcher-kva.example' },
  { website: 'https://acme。example', domain: 'acme.example' },
]

it('reads the registrable domain in one spelling', async () => {
  const world = await createWorld()
  for (const { website, domain } of domains) {
    const { domain_proof } = await world.anyone.providers.register({ ...details('acme'), website })
    expect(domain_proof, website).toMatchObject({ domain, record_name: `_countersign.${domain}`, record_type: 'TXT' })
  }
})

const refusedWebsites = [
  { name: 'a suffix shared by many', website: 'https://github.io' },
  { name: 'another one', website: 'https://vercel.app/acme' },
  { name: 'a country’s suffix', website: 'https://co.uk' },
  { name: 'a mail service', website: 'https://gmail.com' },
  { name: 'a mail service’s subdomain', website: 'https://www.mail.proton.me' },
  { name: 'an IPv4 address', website: 'https://192.0.2.1' },
  { name: 'an IPv4 address as a number', website: 'https://3221225985' },
  { name: 'an IPv6 address', website: 'https://[2001:db8::1]' },
  { name: 'a name of this machine', website: 'http://localhost' },
  { name: 'a name that is in no public DNS', website: 'https://acme.internal' },
  { name: 'a single label', website: 'https://acme' },
  { name: 'a script', website: 'javascript:alert(1)' },
  { name: 'a script that looks like an address', website: 'javascript://acme.example/%0aalert(1)' },
  { name: 'data', website: 'data:text/html,hello' },
  { name: 'a file', website: 'file:///etc/passwd' },
  { name: 'a user name', website: 'https://user@acme.example' },
  { name: 'credentials', website: 'https://user:secret@acme.example' },
  { name: 'another host behind a backslash', website: 'https://acme.example\\@northwind.example' },
  { name: 'a line break', website: 'https://ac\nme.example' },
  { name: 'nothing', website: '   ' },
  { name: 'words', website: 'our website' },
  { name: '3000 characters', website: `https://acme.example/${'a'.repeat(3_000)}` },
]

it('rejects websites without a domain of their own, at the field, and creates nothing', async () => {
  const world = await createWorld()
  for (const { name, website } of refusedWebsites) {
    const refusal = await world.anyone.providers.register({ ...details('acme'), website }).catch((error) => error)
    expect(refusal, name).toMatchObject({ code: 'validation_failed' })
    expect(refusal.issues[0], name).toMatchObject({ loc: ['body', 'website'], pointer: '#/website' })
    expect(refusal.message).not.toContain('secret')
  }
  expect(await world.database.read.selectFrom('providers').select('id').execute()).toEqual([])
})

it('rejects the name of the registry for every registration, sign-up and rename', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const company_name = 'The Countersign Registry, Inc.'
  const given = { ...details('globe'), company_name }
  const tries = [
    () => world.anyone.providers.register(given),
    () => world.anyone.auth.register({ ...given, password: 'a quiet heron at dawn' }),
    () => acme.client.providers.setProfile(acme.id, { company_name }),
  ]
  for (const refused of tries)
    await expect(refused()).rejects.toMatchObject({
      code: 'validation_failed',
      issues: [{ loc: ['body', 'company_name'] }],
    })
})

const wrongFields = [
  { change: { company_name: undefined }, field: 'company_name', message: 'Company name is required' },
  { change: { company_name: ' \u200b ' }, field: 'company_name', message: 'Company name is required' },
  { change: { email: undefined }, field: 'email', message: 'Email is required' },
  { change: { email: 'nobody' }, field: 'email', message: 'Invalid email address' },
  { change: { email: 'a@b@acme.example' }, field: 'email', message: 'Invalid email address' },
  { change: { website: undefined }, field: 'website', message: 'Website is required' },
  { change: { website: null }, field: 'website', message: 'Website is required' },
  { change: { trust_score: 100 }, field: 'trust_score', message: 'Unknown field "trust_score"' },
  { change: { domain_verified: true }, field: 'domain_verified', message: 'Unknown field "domain_verified"' },
]

it('names what is wrong in the words of the specification', async () => {
  const world = await createWorld()
  for (const { change, field, message } of wrongFields) {
    const { status, body } = await ask(`${world.address}/api/v1/providers/register`, {
      method: 'POST',
      body: { ...details('acme'), ...change },
    })
    expect({ status, code: body.code, errors: body.errors }).toEqual({
      status: 422,
      code: 'validation_failed',
      errors: [{ loc: ['body', field], msg: message, pointer: `#/${field}` }],
    })
  }
})

it('names every field that is wrong, not only the first', async () => {
  const world = await createWorld()
  const { body } = await ask(`${world.address}/api/v1/providers/register`, {
    method: 'POST',
    body: { company_name: 5, email: 'x', website: 'y y', description: 'd'.repeat(201) },
  })
  expect((body.errors as { pointer: string }[]).map(({ pointer }) => pointer).sort()).toEqual([
    '#/company_name',
    '#/description',
    '#/email',
    '#/website',
  ])
})

it('removes control and invisible characters from names', async () => {
  const world = await createWorld()
  const { provider_id } = await world.anyone.providers.register({
    ...details('acme'),
    company_name: ' Ac\u202eme\u200b\u0007 Inc ',
  })
  expect((await world.anyone.providers.get(provider_id)).company_name).toBe('Acme Inc')
})

describeEachEngine('the public list of providers', (engine) => {
  it('shows listed providers only; an unlisted one is reached by its link', async () => {
    const world = await createWorld({ engine })
    const shown = await world.provider('acme', { isVerified: false })
    const hidden = await world.provider('northwind', { isVerified: false, isListed: false })
    expect((await world.anyone.providers.list({})).providers.map(({ id }) => id)).toEqual([shown.id])
    expect((await world.anyone.providers.list({ search: 'northwind' })).providers).toEqual([])
    expect((await world.anyone.providers.get(hidden.id)).company_name).toBe('Northwind Labs')
  })

  it('filters, sorts and searches, and treats % and _ literally', async () => {
    const world = await createWorld({ engine })
    const names = ['Alpha 100#', 'beta_one', 'Betaxone', 'Gamma!']
    for (const company_name of names) await world.anyone.providers.register({ ...details('acme'), company_name })
    const zulu = await world.provider('zulu')
    const list = async (query: Parameters<typeof world.anyone.providers.list>[0]) =>
      (await world.anyone.providers.list(query)).providers.map(({ company_name }) => company_name)
    expect(await list({})).toEqual([...names, 'Zulu Labs'])
    expect(await list({ sort: '-name' })).toEqual([...names, 'Zulu Labs'].reverse())
    expect(await list({ search: '100%' })).toEqual(['Alpha 100#'])
    expect(await list({ search: '%' })).toEqual([])
    expect(await list({ search: 'BETA_ONE' })).toEqual(['beta_one'])
    expect(await list({ search: 'gamma\\' })).toEqual(['Gamma!'])
    expect(await list({ search: 'BETA' })).toEqual(['beta_one', 'Betaxone'])
    expect(await list({ search: zulu.domain })).toEqual(['Zulu Labs'])
    expect(await list({ search: "'; drop table providers; --" })).toEqual([])
    expect(await list({ verification: 'verified' })).toEqual(['Zulu Labs'])
    expect(await list({ verification: 'unverified' })).toEqual(names)
    expect((await list({ sort: 'verification' }))[0]).toBe('Zulu Labs')
    expect((await list({ sort: '-verification' })).at(-1)).toBe('Zulu Labs')
    expect(await list({ sort: 'popularity', verification: 'verified' })).toEqual(['Zulu Labs'])
    expect((await list({ sort: 'popularity', verification: 'unverified' })).toSorted()).toEqual(names.toSorted())
    expect(await list({ sort: 'popularity', limit: 1 })).toEqual(['Zulu Labs'])
    expect(await list({ skip: 1, limit: 2 })).toEqual(['beta_one', 'Betaxone'])
    expect(await list({ location: 'Oslo' })).toEqual([])
  })

  it('finds by location, and sorts it as by name', async () => {
    const world = await createWorld({ engine })
    const places = [
      { name: 'alpha', hq_city: 'Oslo', hq_country: 'Norway' },
      { name: 'beta', hq_city: 'Bergen', hq_country: 'Norway' },
      { name: 'gamma', hq_city: 'Lyon', hq_country: 'France' },
    ]
    for (const { name, ...place } of places) {
      const { id, client } = await world.provider(name, { isVerified: false })
      await client.providers.setProfile(id, place)
    }
    const list = async (query: Parameters<typeof world.anyone.providers.list>[0]) =>
      (await world.anyone.providers.list(query)).providers.map(({ headquarters }) => headquarters)
    expect(await list({ location: 'norway', sort: 'location' })).toEqual(['Oslo, Norway', 'Bergen, Norway'])
    expect(await list({ location: 'Oslo, Norway' })).toEqual(['Oslo, Norway'])
    expect(await list({ location: 'norway', search: 'beta' })).toEqual(['Bergen, Norway'])
    expect(await list({ location: 'beta' })).toEqual([])
    expect(await list({ sort: 'location' })).toEqual(await list({ sort: 'name' }))
    expect(await list({ sort: '-location' })).toEqual(await list({ sort: '-name' }))
  })

  it('returns every provider once, page by page, in every order, while others register', async () => {
    const world = await createWorld({ engine })
    const register = async (count: number) => {
      const made: string[] = []
      for (let index = 0; index < count; index++)
        made.push(
          (
            await world.anyone.providers.register({
              ...details('acme'),
              company_name: ['Same', 'Other', 'Ähnlich'][index % 3] ?? '',
            })
          ).provider_id,
        )
      return made
    }
    const first = await register(8)
    for (const sort of ['name', '-name', 'location', 'verification', '-verification'] as const) {
      const seen: string[] = []
      for await (const { id } of world.anyone.providers.list({ limit: 3, sort })) {
        seen.push(id)
        if (seen.length % 3 === 0 && seen.length < 15) await register(1)
      }
      expect(new Set(seen).size, sort).toBe(seen.length)
      expect(
        first.every((id) => seen.includes(id)),
        sort,
      ).toBe(true)
    }
  })

  const cursorOf = (...position: unknown[]) => Buffer.from(JSON.stringify(position)).toString('base64url')

  it('rejects a foreign cursor, and names an invalid query parameter', async () => {
    const world = await createWorld({ engine })
    const queries = [
      'cursor=hello',
      `cursor=${cursorOf({})}`,
      `cursor=${cursorOf(5, unknownId)}`,
      `cursor=${cursorOf('a\0', unknownId)}`,
      `cursor=${'a'.repeat(501)}`,
      'cursor=a&cursor=b',
      'limit=0',
      'limit=x',
      'limit=1.5',
      'skip=-1',
      'skip=1001',
      'sort=id',
      'verification=maybe',
      'unknown=1',
      'search=a&search=b',
      `search=${'a'.repeat(201)}`,
    ]
    for (const query of queries) {
      const { status, body } = await ask(`${world.address}/api/v1/providers/public?${query}`)
      expect({ query, status, code: body.code, errors: body.errors }).toMatchObject({
        query,
        status: 422,
        code: 'validation_failed',
        errors: [{ loc: ['query', query.split('=')[0]] }],
      })
    }
  })
})

describeOnSqlite('a provider that does not exist', (engine) => {
  it('answers like an unknown ID once it is deactivated or deleted, and its key stops', async () => {
    const world = await createWorld({ engine })
    for (const [change, code] of [
      [{ deactivated_at: 1 }, 'provider_deactivated'],
      [{ deleted_at: 1 }, 'unauthorized'],
    ] as const) {
      const acme = await world.provider('acme', { isVerified: false })
      await world.database.transaction((tx) =>
        tx.updateTable('providers').set(change).where('id', '=', acme.id).execute(),
      )
      const url = (id: string) => `${world.address}/api/v1/providers/${id}/public`
      const [gone, unknown, malformed] = [await ask(url(acme.id)), await ask(url(unknownId)), await ask(url('prv_x'))]
      expect(comparable(gone)).toEqual(comparable(unknown))
      expect(comparable(malformed)).toEqual(comparable(unknown))
      expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } })
      await expect(acme.client.providers.getPrivate(acme.id)).rejects.toMatchObject({ code })
    }
  })
})

describeOnSqlite('the private record of a provider', (engine) => {
  it('needs its own key; a foreign and an unknown ID get the same error', async () => {
    const world = await createWorld({ engine })
    const [acme, northwind] = [await world.provider('acme'), await world.provider('northwind')]
    expect(await acme.client.providers.getPrivate(acme.id)).toMatchObject({ id: acme.id, api_key: acme.apiKey })
    for (const path of ['private', 'models']) {
      const url = (id: string) => `${world.address}/api/v1/providers/${id}/${path}`
      const headers = { 'X-API-Key': acme.apiKey }
      const [foreign, unknown] = [await ask(url(northwind.id), { headers }), await ask(url(unknownId), { headers })]
      expect(foreign).toMatchObject({ status: 403, body: { code: 'forbidden' } })
      expect(comparable(foreign)).toEqual(comparable(unknown))
      expect(foreign.text).not.toMatch(/northwind/i)
      for (const { body } of [foreign, unknown]) {
        expect(body.detail).toContain(acme.id)
        expect(body.detail).not.toMatch(/belongs to another/)
      }
    }
  })

  it('is hidden from everyone else', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const shown = JSON.stringify([await world.anyone.providers.get(acme.id), await world.anyone.providers.list({})])
    for (const secret of [acme.apiKey, acme.keyId, acme.proof.record_value, 'acme@acme.example'])
      expect(shown).not.toContain(secret)
  })
})
