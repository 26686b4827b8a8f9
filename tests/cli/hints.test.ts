import { expect, it } from 'vitest'
import { createWorld } from '../support/world.ts'
import { createQuickCommandLine } from './in-process.ts'

const register = (name: string) => [
  ...['providers', 'register', '--no-save', '--company-name', name],
  ...['--email', `ops@${name}.example`, '--website', `https://${name}.example`],
]

it('a request whose limit lasts too long fails at once, with the wait in minutes', async () => {
  const world = await createWorld({ rateLimits: 'on' })
  const cli = await createQuickCommandLine(world.address)
  const names = ['one', 'two', 'three', 'four', 'five', 'six']
  const startedAt = performance.now()
  const ends = []
  for (const name of names) ends.push(await cli.call(register(name)))
  expect(ends.map(({ exit }) => exit)).toEqual([0, 0, 0, 0, 0, 7])
  expect(ends.at(-1)?.stderr).toMatch(/^error: Too many .*in \d+ minutes\.$/m)
  expect(performance.now() - startedAt).toBeLessThan(30_000)
})

it('requires --yes for destructive actions when not interactive, names the account, and says how to undo', async () => {
  const world = await createWorld()
  const cli = await createQuickCommandLine(world.address)
  const none = await cli.call(['providers', 'delete', '--yes'])
  expect(none).toMatchObject({ exit: 4, stderr: expect.stringContaining('providers register') })
  await cli.call(register('acme').filter((word) => word !== '--no-save'))

  const logout = await cli.call(['auth', 'logout'])
  expect(logout).toMatchObject({ exit: 2, stderr: expect.stringMatching(/only copy[\s\S]*keys create/) })
  const login = await cli.call(['auth', 'login', '--oidc', '--provider', 'prv_06dh0e3x7c9bw4vjz2n8qk5ytm'])
  expect(login).toMatchObject({
    exit: 6,
    stderr: expect.stringMatching(/only copy of a key of “acme”[\s\S]*--profile/),
  })
  expect((await cli.call(['whoami'])).exit).toBe(0)

  const deactivate = await cli.call(['providers', 'deactivate'])
  expect(deactivate).toMatchObject({ exit: 2, stderr: expect.stringContaining('“acme” (domain not verified)') })
  const done = await cli.call(['providers', 'deactivate', '--yes'])
  expect(done).toMatchObject({ exit: 0, stderr: expect.stringContaining('providers reactivate') })
  for (const command of [['whoami'], ['auth', 'status', '--check'], ['providers', 'show']])
    expect((await cli.call(command)).stdout, command.join(' ')).toContain('deactivated')
  expect((await cli.call(['providers', 'reactivate'])).exit).toBe(0)

  const unsure = await cli.call(['providers', 'delete'])
  expect(unsure).toMatchObject({ exit: 2, stderr: expect.stringContaining('“acme” (domain not verified)') })
  expect((await cli.call(['providers', 'delete', '--yes'])).exit).toBe(0)
  expect(await cli.json('auth', 'logout')).toMatchObject({ logged_out: false })
})

it('a mailbox proves no domain, a DNS proof survives a missing file, and another website asks for confirmation', async () => {
  const world = await createWorld()
  const cli = await createQuickCommandLine(world.address)
  await cli.json(...register('acme').filter((word) => word !== '--no-save'))
  await cli.json('providers', 'verify-email')
  const [mail] = await world.mails('ops@acme.example')
  expect(mail?.code).toMatch(/^\w{5}-\w{5}$/)
  await cli.json('providers', 'verify-email', '--code', mail?.code ?? '')
  expect((await cli.call(['providers', 'verify-email'])).stdout).toContain('already verified')
  expect(await world.mails('ops@acme.example')).toHaveLength(1)

  const looked = await cli.call(['providers', 'verify-domain'])
  expect(looked).toMatchObject({ exit: 3, stderr: expect.stringContaining('_countersign.') })
  const { domain_proof: proof } = JSON.parse((await cli.call(['providers', 'verify-domain', '--json'])).stdout)
  world.dns.setTxt(proof.record_name, [proof.record_value])
  expect((await cli.call(['providers', 'verify-domain'])).exit).toBe(0)
  const file = await cli.call(['providers', 'verify-domain', '--method', 'file', '--record'])
  expect(file.stdout).toMatch(/https:\/\/acme\.example\/\.well-known\/countersign\.json[\s\S]*\{"countersign":/)

  expect((await cli.call(['providers', 'update', '--website', 'https://www.acme.example'])).exit).toBe(0)
  const moved = await cli.call(['providers', 'update', '--website', 'https://northwind.example'])
  expect(moved).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('replaces acme.example as the primary domain'),
  })
  expect((await cli.call(['providers', 'update', '--website', 'https://northwind.example', '--yes'])).exit).toBe(0)
})

it('says what a restricted key may do and lacks, and that a text was bound without a key', async () => {
  const world = await createWorld()
  const cli = await createQuickCommandLine(world.address)
  const acme = await world.provider('acme')
  const model = await acme.registerModel({ api_model_identifier: 'tiny', is_public: false })
  const all = { env: { COUNTERSIGN_API_KEY: acme.apiKey } }
  const made = await cli.call(['keys', 'create', 'CI', '--scope', 'links', '-q'], all)
  const links = { env: { COUNTERSIGN_API_KEY: made.stdout.trim() } }
  expect((await cli.call(['whoami'], all)).stdout).toMatch(/scopes +everything\nexpires +never/)
  expect((await cli.call(['whoami'], links)).stdout).toContain('restricted')
  expect((await cli.call(['tokens', 'mint', '--model', 'tiny'], links)).stderr).toMatch(/hint: .*--scope read/)

  const minted = await cli.call(['tokens', 'mint', '--model', model, '--json'], links)
  const { token, verification_url } = JSON.parse(minted.stdout)
  const differs = await cli.call(['verify', verification_url, '--expect-provider', 'northwind.example'])
  expect(differs).toMatchObject({ exit: 3, stdout: expect.stringContaining('does not match what you expected') })
  expect(differs.stdout).not.toContain('no longer vouches')
  const bound = await cli.call(['tokens', 'bind', token, '--file', '-'], { stdin: 'Hello' })
  expect(bound).toMatchObject({ exit: 0, stderr: expect.stringContaining('Bound without the provider’s API key') })
})

it('says what to do about withdrawn, unknown or replaced records', async () => {
  const world = await createWorld()
  const cli = await createQuickCommandLine(world.address)
  const acme = await world.provider('acme')
  const model = await acme.registerModel({ api_model_identifier: 'tiny' })
  await acme.client.models.archive(model, {})
  const call = (...args: string[]) => cli.call(args, { env: { COUNTERSIGN_API_KEY: acme.apiKey } })
  expect((await call('tokens', 'mint', '--model', model)).stderr).toContain('models unarchive')
  expect((await call('models', 'edit', model, '--description', 'Another description')).stderr).toContain(
    'models unarchive',
  )
  const unknown = await call('models', 'register', '--new-version', '--identifier', 'nothing')
  expect(unknown).toMatchObject({ exit: 5, stderr: expect.stringContaining('You have no model nothing') })
  expect((await call('models', 'show', 'mdl_123')).stderr).toContain('26 characters')
  await call('providers', 'update', '--certification', 'SOC 2')
  const replaced = await call('providers', 'update', '--certification', 'ISO 27001')
  expect(replaced).toMatchObject({ exit: 0, stderr: '', stdout: expect.stringContaining('SOC 2 → ISO 27001') })
  expect((await call('search', 'tiny', '--limit', '0')).stderr).not.toContain('query.')
})

it('suggests commands with the profile that was given', async () => {
  const world = await createWorld()
  const cli = await createQuickCommandLine(world.address)
  const registered = await cli.call([...register('acme').filter((word) => word !== '--no-save'), '--profile', 'second'])
  expect(registered.stderr).toContain('countersign --profile second providers verify-domain')
  const status = await cli.call(['--profile', 'second', 'providers', 'verify-domain'])
  expect(status).toMatchObject({ exit: 3, stdout: expect.stringContaining('acme.example') })
  const login = await cli.call(['auth', 'login', '--profile', 'second', '--email', 'ops@acme.example'])
  expect(login.stderr).toContain('Choose another --profile NAME, or remove the key first: countersign --profile second')
})
