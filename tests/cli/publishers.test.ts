import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contract } from '@countersign/sdk/contract'
import { expect, it } from 'vitest'
import { githubJob } from '../support/ci-issuer.ts'
import { createWorldWithIssuer } from '../support/world-with-issuer.ts'
import { createQuickCommandLine } from './in-process.ts'
import { errorOf } from './process.ts'

/** A provider at their own terminal, and a CI job with its own home. */
const createScene = async () => {
  const { ci, world } = await createWorldWithIssuer('github')
  const acme = await world.provider('acme')
  const [cli, runner] = [await createQuickCommandLine(world.address), await createQuickCommandLine(world.address)]
  /** Tokens use the real clock, which cannot be moved. */
  const catchUp = () => world.clock.advance(`${Math.max(0, Date.now() - world.clock.now())}ms`)
  const own = (...args: string[]) => cli.call(args, { env: { COUNTERSIGN_API_KEY: acme.apiKey } })
  const inJob = (args: string[], claims = githubJob()) => {
    catchUp()
    return runner.call(args, { env: ci.environment(claims) })
  }
  return { ci, world, acme, cli, runner, own, inJob, catchUp }
}

it('a pipeline with no stored secret registers a version; a second run changes nothing', async () => {
  const { ci, world, acme, runner, own, inJob } = await createScene()
  const added = await own(
    'publishers',
    'add',
    '--github',
    'acme/models',
    '--workflow',
    'release.yml',
    '--issuer',
    ci.issuer,
  )
  expect(added).toMatchObject({ exit: 0, stderr: expect.stringContaining(`auth login --oidc --provider ${acme.id}`) })
  expect(added.stdout).toMatch(/repository id +fixed on first use/)

  const login = await inJob(['auth', 'login', '--oidc', '--provider', acme.id])
  expect(login).toMatchObject({ exit: 0, stdout: expect.stringContaining(acme.id) })
  const stored = await readFile(join(runner.configFolder, 'profiles', 'default.json'), 'utf8')
  const { api_key } = JSON.parse(stored)
  expect(login.stdout + login.stderr).not.toContain(api_key)

  const file = await runner.write('model.safetensors', 'weights')
  const register = [
    ...[
      'models',
      'register',
      file,
      '--identifier',
      'acme-chat',
      '--display-name',
      'Acme Chat',
      '--if-not-exists',
      '--json',
    ],
    ...['--endpoint', 'https://api.acme.example/v1/chat', '--description', 'Answers questions about our products'],
  ]
  const [first, second] = [await inJob(register), await inJob(register)]
  expect(JSON.parse(first.stdout)).toMatchObject({ created: true })
  expect(JSON.parse(second.stdout)).toMatchObject({ created: false, model_id: JSON.parse(first.stdout).model_id })
  expect(await acme.client.providers.models(acme.id).toArray()).toHaveLength(1)
  expect((await inJob(['models', 'list'])).exit).toBe(0)
  expect(errorOf(await inJob(['keys', 'create', 'Mine', '--json']))).toMatchObject({ code: 'forbidden', exit_code: 4 })

  const status = JSON.parse((await inJob(['auth', 'status', '--check', '--json'])).stdout)
  expect(status).toMatchObject({ logged_in: true, provider_id: acme.id, is_expired: false, checked: true })
  expect(Date.parse(status.expires_at) - Date.now()).toBeGreaterThan(800_000)
  expect((await inJob(['auth', 'status'])).stdout).toMatch(/scopes +publishing models and bundles/)
  const whoami = (await inJob(['whoami'])).stdout
  expect(whoami).toMatch(/scopes +publishing models and bundles/)
  expect(whoami).toMatch(new RegExp(`publisher +${status.publisher_id}`))
  const { publishers } = contract.publishers.list.response.parse(
    JSON.parse((await own('publishers', 'list', '--json')).stdout),
  )
  expect(publishers).toMatchObject([{ id: status.publisher_id, repository_id: '740112233' }])

  expect((await own('publishers', 'remove', status.publisher_id, '--yes')).exit).toBe(0)
  const ended = await inJob(['models', 'list'])
  expect(ended).toMatchObject({
    exit: 4,
    stderr: expect.stringMatching(/token of this job.*publisher was removed[\s\S]*auth login --oidc/),
  })
  expect((await own('publishers', 'list')).stdout).toContain('countersign publishers add')
  expect((await world.database.read.selectFrom('models').select('id').execute()).length).toBe(1)
})

it('says what a job lacks, which claim differs, and that a token has expired', async () => {
  const { ci, world, acme, cli, runner, own, inJob, catchUp } = await createScene()
  const login = ['auth', 'login', '--oidc', '--provider', acme.id]
  expect(await runner.call(login)).toMatchObject({
    exit: 4,
    stderr: expect.stringMatching(/id-token: write[\s\S]*COUNTERSIGN_ID_TOKEN/),
  })
  expect(await inJob(['auth', 'login', '--oidc'])).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('--provider'),
  })
  expect(await inJob(['auth', 'login', '--provider', acme.id])).toMatchObject({ exit: 2 })
  const wrongRunner = { ...ci.environment(), ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'canary-bearer' }
  const refused = await runner.call(login, { env: wrongRunner })
  expect(refused).toMatchObject({ exit: 8, stderr: expect.not.stringContaining('canary-bearer') })

  expect(errorOf(await inJob([...login, '--json']))).toMatchObject({ code: 'publisher_mismatch', exit_code: 4 })
  await own(
    'publishers',
    'add',
    '--github',
    'acme/models',
    '--workflow',
    'release.yml',
    '--issuer',
    ci.issuer,
    '--environment',
    'release',
  )
  const outside = await inJob(login)
  expect(outside).toMatchObject({ exit: 4, stderr: expect.stringContaining('environment') })
  expect((await own('publishers', 'list')).stdout).toContain(', environment')
  await world.startReplica({ oidcIssuers: [] })
  expect((await own('publishers', 'list')).stdout).toMatch(/“release” +issuer not accepted/)
  await world.startReplica()
  const token = await ci.token((await acme.client.publishers.list()).audience, githubJob({ environment: 'release' }))
  catchUp()
  const given = await runner.call([...login, '--json'], {
    env: { COUNTERSIGN_ID_TOKEN: token, COUNTERSIGN_PROVIDER_ID: acme.id },
  })
  const { access_token } = JSON.parse(given.stdout)
  expect(access_token).toMatch(/^csk_/)

  const path = join(runner.configFolder, 'profiles', 'default.json')
  const profile = JSON.parse(await readFile(path, 'utf8'))
  await runner.write(
    path.slice(runner.folder.length + 1),
    JSON.stringify({ ...profile, expires_at: '2026-01-01T00:00:00.000Z' }),
  )
  expect(await runner.call(['models', 'list'])).toMatchObject({
    exit: 4,
    stderr: expect.stringContaining('auth login --oidc'),
  })
  expect((await runner.call(['auth', 'status'])).stdout).toContain('(expired)')
  // A key created afterwards does not inherit the expiry of the job's token.
  expect((await runner.call(['auth', 'login', '--api-key-stdin'], { stdin: acme.apiKey })).exit).toBe(0)
  expect((await runner.call(['models', 'list'])).exit).toBe(0)
  expect(JSON.parse(await readFile(path, 'utf8'))).not.toHaveProperty('publisher_id')
  expect((await cli.call(['publishers', 'remove', 'mdl_1'])).exit).toBe(2)
})

it.each([
  { name: 'nothing to trust', args: [], message: '--github' },
  { name: 'two issuers', args: ['--github', 'acme/models', '--gitlab', 'acme/models'], message: 'one of' },
  { name: 'no workflow', args: ['--github', 'acme/models'], message: '--workflow' },
  {
    name: 'an invalid repository',
    args: ['--github', 'models', '--workflow', 'release.yml'],
    message: '--github: Must be owner',
  },
  { name: 'a subject without an issuer', args: ['--subject', 'job'], message: '--issuer' },
  { name: 'an invalid number', args: ['--gitlab', 'acme/models', '--owner-id', 'x'], message: '--owner-id' },
])('adding a publisher with $name is a usage error', async ({ args, message }) => {
  const cli = await createQuickCommandLine('http://127.0.0.1:9')
  expect(await cli.call(['publishers', 'add', ...args])).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining(message),
  })
})

it('prints the request before sending it', async () => {
  const cli = await createQuickCommandLine('http://127.0.0.1:9')
  const args = [
    'publishers',
    'add',
    '--github',
    'https://github.com/acme/models.git',
    '--workflow',
    '.github/workflows/release.yml',
  ]
  expect(await cli.json(...args, '--dry-run')).toMatchObject({
    body: { kind: 'github', repository: 'acme/models', workflow: 'release.yml' },
  })
})
