import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { ProviderActor } from '../support/actors.ts'
import { createImpostor } from '../support/impostor.ts'
import { createWorld, type World } from '../support/world.ts'
import { createQuickCommandLine } from './in-process.ts'
import { errorOf } from './process.ts'

const password = 'a quiet heron at dawn'

it('signs in with a password for its own key, separates profiles, and switches between them', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const { email } = await acme.client.providers.me()
  await world.session(acme)
  const cli = await createQuickCommandLine(world.address)
  const logIn = (...more: string[]) => ['auth', 'login', '--email', email ?? '', ...more]

  const before = await acme.client.auth.sessions().catch(() => undefined)
  const tried = await cli.call(logIn('--password-stdin', '--dry-run', '--json'), { stdin: password })
  expect(JSON.parse(tried.stdout)).toMatchObject({ dry_run: true, method: 'POST', body: { email } })
  expect(tried.stdout).not.toContain(password)
  expect(await cli.json('auth', 'list')).toEqual({ profiles: [] })
  const wrong = await cli.call(logIn('--password-stdin', '--json'), { stdin: 'another heron' })
  expect(errorOf(wrong)).toMatchObject({ code: 'unauthorized', exit_code: 4 })
  const unasked = await cli.call(logIn('--json'))
  expect(errorOf(unasked)).toMatchObject({ exit_code: 4, hint: expect.stringContaining('--password-stdin') })

  const signedIn = await cli.call(logIn('--password-stdin', '--profile', 'work', '--json'), { stdin: `${password}\n` })
  expect(JSON.parse(signedIn.stdout)).toMatchObject({ logged_in: true, profile: 'work', provider_id: acme.id })
  const path = join(cli.configFolder, 'profiles', 'work.json')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const stored = JSON.parse(readFileSync(path, 'utf8')) as { api_key: string; key_id: string }
  expect(stored.api_key).toMatch(/^csk_/)
  expect((await acme.client.keys.list()).find(({ id }) => id === stored.key_id)).toMatchObject({
    name: expect.stringMatching(/^countersign on /),
  })
  expect(await acme.client.auth.sessions().catch(() => undefined)).toEqual(before)

  await cli.call(['auth', 'login', '--api-key-stdin', '--profile', 'home'], { stdin: acme.apiKey })
  expect(await cli.json('auth', 'switch', 'work', '--dry-run')).toMatchObject({
    dry_run: true,
    changes: { profile: 'work' },
  })
  expect(await cli.json('auth', 'list')).toMatchObject({
    profiles: [{ profile: 'home', is_active: false }, { profile: 'work' }],
  })
  expect(await cli.json('auth', 'switch', 'work')).toMatchObject({
    profile: 'work',
    provider_id: acme.id,
    key_id: stored.key_id,
  })
  expect(await cli.json('auth', 'list')).toMatchObject({
    profiles: [{ is_active: false }, { profile: 'work', is_active: true }],
  })
  expect(await cli.json('whoami')).toMatchObject({ key_id: stored.key_id })
  expect((await cli.call(['auth', 'list'])).stdout).not.toContain(stored.api_key)
  expect(await cli.json('config', 'explain', 'profile', '--profile', 'home')).toEqual({
    value: 'home',
    source: 'flag',
    shadowed: [
      { source: 'profile', value: 'work' },
      { source: 'default', value: 'default' },
    ],
  })
  expect(errorOf(await cli.call(['auth', 'switch', 'nope', '--json']))).toMatchObject({
    code: 'not_found',
    exit_code: 5,
  })
  expect(await cli.json('auth', 'logout', '--dry-run')).toMatchObject({ dry_run: true, changes: { api_key: null } })
  expect(await cli.json('whoami')).toMatchObject({ provider_id: acme.id })
  expect((await cli.call(['auth', 'list', '-q'])).stdout).toBe('home\nwork\n')
}, 60_000)

it('providers use signs in to another company of the same person, and switches between them afterwards', async () => {
  const world = await createWorld()
  const [acme, contoso] = [await world.provider('acme'), await world.provider('contoso')]
  const email = 'ada@home.example'
  const invite = async (company: typeof acme, role: 'publisher' | 'viewer') => {
    await world.client((await world.session(company)).api_key).members.invite({ email, role })
    return new URL((await world.mails(email)).at(-1)?.link ?? '').searchParams.get('token') ?? ''
  }
  const { api_key } = await world.anyone.members.accept({ token: await invite(acme, 'publisher'), password })
  await world.client(api_key).members.accept({ token: await invite(contoso, 'viewer') })
  const cli = await createQuickCommandLine(world.address)
  const passwordGiven = { stdin: password }

  const first = await cli.call(['auth', 'login', '--email', email, '--password-stdin'], passwordGiven)
  expect(first.stderr).toContain('You are also a member of contoso.example (“Contoso Labs”)')
  const strange = ['providers', 'use', 'fabrikam.example', '--email', email, '--password-stdin', '--json']
  expect(errorOf(await cli.call(strange, passwordGiven))).toMatchObject({ exit_code: 5 })
  const other = ['providers', 'use', 'contoso.example', '--email', email, '--password-stdin', '--json']
  expect(JSON.parse((await cli.call(other, passwordGiven)).stdout)).toMatchObject({
    profile: 'contoso-example',
    provider_id: contoso.id,
  })
  expect(await cli.json('whoami')).toMatchObject({ provider_id: contoso.id, scopes: ['read'] })
  expect(await cli.json('providers', 'use', 'acme.example')).toMatchObject({
    profile: 'default',
    provider_id: acme.id,
    domain: 'acme.example',
    domain_verified: true,
  })
  expect(await cli.json('whoami')).toMatchObject({
    provider_id: acme.id,
    scopes: ['read', 'links', 'models', 'deployments'],
  })
})

/** Each company invites the person, who signs in for the first one. */
const joinAll = async (world: World, email: string, companies: readonly ProviderActor[]) => {
  let api_key: string | undefined
  for (const company of companies) {
    await world.client((await world.session(company)).api_key).members.invite({ email, role: 'publisher' })
    const token = new URL((await world.mails(email)).at(-1)?.link ?? '').searchParams.get('token') ?? ''
    const joined = await world.client(api_key).members.accept({ token, ...(api_key === undefined && { password }) })
    api_key ??= joined.api_key
  }
}

it('names the company that one acts for by its proven domain, and never by a name that looks like one', async () => {
  const world = await createWorld()
  const [impostor, acme] = [await createImpostor(world, 'acme.example'), await world.provider('acme')]
  const email = 'ada@home.example'
  await joinAll(world, email, [impostor, acme])
  const cli = await createQuickCommandLine(world.address)
  const logIn = ['auth', 'login', '--email', email, '--password-stdin', '--profile', 'work']
  const signedIn = await cli.call(logIn, { stdin: password })
  expect(signedIn.stdout).toBe('Signed in as “acme.example” (domain not verified)\n')
  expect(signedIn.stderr).toContain('You are also a member of acme.example (“Acme Labs”). See')
  expect((await cli.call(['auth', 'switch', 'work'])).stdout).toBe(
    'Using profile work: “acme.example” (domain not checked)\n',
  )
  expect((await cli.call(['auth', 'list'])).stdout).toContain('  “acme.example” (domain not checked)  ')
  expect((await cli.call(['auth', 'status'])).stdout).toMatch(/^company +“acme\.example” \(domain not checked\)\n/)
  for (const command of [['auth', 'status', '--check'], ['whoami']])
    expect((await cli.call(command)).stdout).toMatch(
      /^domain +acme\.example \(not verified\)\ncompany +“acme\.example”\n/,
    )
  expect(await cli.json('auth', 'status', '--check')).toMatchObject({ domain: 'acme.example', domain_verified: false })

  const ofAcme = async () => cli.call(['auth', 'login', '--api-key-stdin', '--profile', 'acme'], { stdin: acme.apiKey })
  expect((await ofAcme()).stdout).toBe('Signed in as acme.example (“Acme Labs”)\n')
  world.dns.clear()
  await acme.client.providers.verifyDomain({})
  expect((await ofAcme()).stdout).toBe('Signed in as “Acme Labs” (domain not verified)\n')
  const env = { COUNTERSIGN_API_KEY: acme.apiKey }
  expect((await cli.call(['providers', 'deactivate', '--yes'], { env })).stdout).toBe(
    `Provider deactivated: “Acme Labs” (domain not verified) at ${world.address}\n`,
  )
  expect(await cli.call(['doctor'], { env })).toMatchObject({
    exit: 4,
    stdout: expect.stringContaining('“Acme Labs” (domain not verified) is deactivated'),
  })
}, 60_000)

it('providers use takes a proven domain before a name, and asks for an ID if several companies have the name', async () => {
  const world = await createWorld()
  const [impostor, acme] = [await createImpostor(world, 'acme.example'), await world.provider('acme')]
  const north = await world.provider('north')
  await north.client.providers.update(north.id, { company_name: 'Acme Labs' })
  const email = 'ada@home.example'
  await joinAll(world, email, [impostor, acme, north])
  const cli = await createQuickCommandLine(world.address)
  const passwordGiven = ['--email', email, '--password-stdin']
  const use = (which: string, ...more: string[]) => cli.call(['providers', 'use', which, ...more], { stdin: password })
  await cli.call(['auth', 'login', ...passwordGiven], { stdin: password })

  const used = await use('acme.example', ...passwordGiven, '--json')
  expect(JSON.parse(used.stdout)).toMatchObject({ provider_id: acme.id, domain: 'acme.example', domain_verified: true })
  const several = errorOf(await use('acme labs', ...passwordGiven, '--json'))
  expect(several).toMatchObject({ code: 'usage', exit_code: 2 })
  for (const { id } of [acme, north]) expect(several.hint).toContain(`.example (“Acme Labs”): ${id}`)
  const unknown = errorOf(await use('fabrikam', ...passwordGiven, '--json'))
  expect(unknown).toMatchObject({
    exit_code: 5,
    hint: expect.stringContaining(`acme.example (“Acme Labs”): ${acme.id}`),
  })

  // With both saved, the profiles decide the same way.
  expect((await use(impostor.id)).stdout).toBe('Using profile default: “acme.example” (domain not checked)\n')
  expect((await use('ACME.example')).stdout).toBe('Using profile acme-example: acme.example (“Acme Labs”)\n')
  expect(await cli.json('whoami')).toMatchObject({ provider_id: acme.id })
  world.dns.clear()
  await acme.client.providers.verifyDomain({})
  expect(errorOf(await use('acme.example', '--json'))).toMatchObject({ exit_code: 2 })
  expect(await cli.json('whoami')).toMatchObject({ provider_id: acme.id })
}, 60_000)

it('providers use takes no name that it cannot compare with all companies of the person', async () => {
  const world = await createWorld()
  const [globe, acme] = [await world.provider('globe'), await world.provider('acme')]
  await globe.client.providers.update(globe.id, { company_name: 'Acme Labs' })
  const email = 'ada@home.example'
  await joinAll(world, email, [globe, acme])
  const cli = await createQuickCommandLine(world.address)
  await cli.call(['auth', 'login', '--email', email, '--password-stdin'], { stdin: password })
  const error = errorOf(await cli.call(['providers', 'use', 'Acme Labs', '--json']))
  expect(error).toMatchObject({ code: 'usage', exit_code: 2 })
  expect(error.hint).toContain(`globe.example (“Acme Labs”): ${globe.id}`)
})
