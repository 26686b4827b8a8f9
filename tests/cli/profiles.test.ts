import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createWorld } from '../support/world.ts'
import { createQuickCommandLine } from './in-process.ts'
import { errorOf } from './process.ts'

it('signs in with a password for its own key, separates profiles, and switches between them', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const { email } = await acme.client.providers.me()
  await world.session(acme)
  const cli = await createQuickCommandLine(world.address)
  const password = 'a quiet heron at dawn'
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
  const password = 'a quiet heron at dawn'
  const invite = async (company: typeof acme, role: 'publisher' | 'viewer') => {
    await world.client((await world.session(company)).api_key).members.invite({ email, role })
    return new URL((await world.mails(email)).at(-1)?.link ?? '').searchParams.get('token') ?? ''
  }
  const { api_key } = await world.anyone.members.accept({ token: await invite(acme, 'publisher'), password })
  await world.client(api_key).members.accept({ token: await invite(contoso, 'viewer') })
  const cli = await createQuickCommandLine(world.address)
  const passwordGiven = { stdin: password }

  const first = await cli.call(['auth', 'login', '--email', email, '--password-stdin'], passwordGiven)
  expect(first.stderr).toContain('You are also a member of Contoso Labs')
  const strange = ['providers', 'use', 'fabrikam.example', '--email', email, '--password-stdin', '--json']
  expect(errorOf(await cli.call(strange, passwordGiven))).toMatchObject({ exit_code: 5 })
  const other = ['providers', 'use', 'contoso.example', '--email', email, '--password-stdin', '--json']
  expect(JSON.parse((await cli.call(other, passwordGiven)).stdout)).toMatchObject({
    profile: 'contoso-example',
    provider_id: contoso.id,
  })
  expect(await cli.json('whoami')).toMatchObject({ provider_id: contoso.id, scopes: ['read'] })
  expect(await cli.json('providers', 'use', 'acme labs')).toMatchObject({ profile: 'default', provider_id: acme.id })
  expect(await cli.json('whoami')).toMatchObject({
    provider_id: acme.id,
    scopes: ['read', 'links', 'models', 'deployments'],
  })
})
