import { generateKeyPairSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { shapes } from '../../cli/src/shapes/index.ts'
import { createSelfSigned } from '../support/certificates.ts'
import { insertChange } from '../support/changes.ts'
import { commit } from '../support/hub-server.ts'
import { insertMember } from '../support/people.ts'
import { createWorld } from '../support/world.ts'
import { createQuickCommandLine } from './in-process.ts'

interface Entry {
  path: string[]
  options: { long: string | null; default: string | null; environment: string[] }[]
  examples: string[]
  exit_codes: number[]
  output: z.core.JSONSchema.BaseSchema | null
  dry_run_output: z.core.JSONSchema.BaseSchema | null
}

interface Tree {
  error: z.core.JSONSchema.BaseSchema
  commands: Entry[]
}

/** A PNG of one pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
const password = 'a quiet heron at dawn'

it('every command prints what its schema says, with --json and with --dry-run, and exits with a documented code', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const session = await world.session(acme)
  const { email } = await acme.client.providers.me()
  const { call, write } = await createQuickCommandLine(world.address)
  const { commands, error } = JSON.parse((await call(['commands', '--json'])).stdout) as Tree
  const entries = new Map(commands.map((entry) => [entry.path.join(' '), entry]))
  const seen = new Set<string>()

  const env = { COUNTERSIGN_API_KEY: acme.apiKey }
  const check = (text: string, schema: z.core.JSONSchema.BaseSchema | null | undefined, what: string) => {
    const value: unknown = JSON.parse(text)
    const { error: problem } = z.fromJSONSchema(schema ?? false).safeParse(value)
    expect(problem?.issues ?? [], what).toEqual([])
    return value as Record<string, string>
  }
  const pathOf = (argv: readonly string[]) =>
    [3, 2, 1].map((length) => argv.slice(0, length).join(' ')).find((path) => entries.has(path)) ?? ''

  /** Runs a command, first as a dry run if it has one, and checks its output against its schema. */
  const step = async (
    argv: readonly string[],
    more: { env?: Record<string, string>; stdin?: string; canDry?: boolean } = {},
  ) => {
    const path = pathOf(argv)
    const entry = entries.get(path)
    seen.add(path)
    if (entry?.dry_run_output && more.canDry !== false) {
      const dry = await call([...argv, '--dry-run', '--json'], { env: more.env ?? env, stdin: more.stdin })
      expect(dry, `${path} --dry-run`).toMatchObject({ exit: 0, stderr: '' })
      check(dry.stdout, entry.dry_run_output, `${path} --dry-run`)
    }
    const { exit, stdout, stderr } = await call([...argv, '--json'], { env: more.env ?? env, stdin: more.stdin })
    expect(stderr, path).toBe('')
    expect(entry?.exit_codes, path).toContain(exit)
    const value = check(stdout, entry?.output, path)
    // The output has no field that its schema lacks.
    expect(shapes[path]?.answer?.safeParse(value).error?.issues ?? [], path).toEqual([])
    return value
  }

  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const own = await createSelfSigned('chat')
  await write('key.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }))
  await write('key.pub', publicKey.export({ type: 'spki', format: 'pem' }))
  await write('client.pem', own.cert)
  await write('tiny.gguf', 'weights')
  await write('logo.png', picture)
  await write('answer.txt', 'Turn left.')

  const card = [
    '--display-name',
    'Tiny',
    '--endpoint',
    'https://api.acme.example/v1',
    '--description',
    'A small model for chat',
  ]
  await step(['models', 'digest', 'tiny.gguf'])
  await step(['bundles', 'sign', 'tiny.gguf', '--key', 'key.pem'])
  await step(['bundles', 'verify', 'tiny.gguf', '--bundle', 'tiny.gguf.sig', '--key', 'key.pub'])
  await step(['verify-bundle', 'tiny.gguf', '--bundle', 'tiny.gguf.sig', '--key', 'key.pub'])
  const signer = await step(['signers', 'add', '--key', 'key.pub'])
  await step(['signers', 'prove', signer.id ?? '', '--key', 'key.pem'])
  const { model_id: model = '' } = await step([
    'models',
    'register',
    'tiny.gguf',
    '--identifier',
    'tiny',
    '--bundle',
    'tiny.gguf.sig',
    ...card,
  ])
  await step(['models', 'register', 'tiny.gguf', '--identifier', 'tiny', '--if-not-exists', ...card])
  await step(['models', 'list'])
  await step(['models', 'show', model])
  await step(['models', 'check', 'tiny.gguf', '--model', model])
  await step(['models', 'check', 'answer.txt', '--model', model])
  await step(['models', 'edit', model, '--description', 'A small model for chat, in Norwegian'])
  await step(['models', 'history', model])
  await step(['models', 'visibility', model, 'public'])
  await step(['models', 'health', model, '--on'])
  await step(['models', 'health', model], { canDry: false })
  world.hub.publish('acme/tiny', { sha: commit('b'), cardData: { language: ['nb'] } })
  await step(['models', 'sync', model, '--huggingface-model-id', 'acme/tiny'])
  await step(['bundles', 'upload', model, 'tiny.gguf.sig'])
  await step(['bundles', 'status', model])
  await step(['models', 'verify-bundle', model])
  await step(['models', 'verify-bundle', model, '--wait'])
  await step(['signers', 'list'])
  await step(['signers', 'remove', signer.id ?? '', '--yes'])

  await world.registry.transparency.sequence()
  await step(['log', 'checkpoint'])
  await step(['log', 'monitor', '--domain', 'acme.example', '--state', 'monitor'])
  await write('checkpoint', await fetch(`${world.address}/log/checkpoint`).then((response) => response.text()))
  await step(['log', 'verify', 'checkpoint'])
  await step(['log', 'proof', model])
  await step(['log', 'list'])
  const proven = (await acme.client.log.entries()).entries.find(({ index }) => index !== null)
  await step(['log', 'dispute', String(proven?.index)])

  const { deployment_id: deployment = '' } = await step(['deployments', 'register', '--cert', 'client.pem'])
  await step(['deployments', 'register', '--cert', 'client.pem', '--if-not-exists'])
  await step(['deployments', 'authorize', deployment, '--model', model])
  await step(['deployments', 'keygen', 'chat'])
  const issued = ['--issuer', 'https://accounts.google.com', '--subject', '104892101023384723846']
  const workload = await step(['deployments', 'trust', 'add', ...issued, '--model', model])
  await step(['deployments', 'trust', 'list'])
  await step(['deployments', 'trust', 'remove', workload.id ?? '', '--yes'])
  await step(['deployments', 'list'])
  await step(['deployments', 'show', deployment])
  const { token = '', verification_url: link = '' } = await step(['tokens', 'mint', '--model', model])
  await step(['tokens', 'bind', token, '--file', 'answer.txt'])
  await step(['tokens', 'list'])
  await step(['tokens', 'stats'])
  await step(['verify', link])
  await step(['verify', token])
  await step(['verify', link, '--save', 'verdict.json'])
  await step(['log', 'audit', 'verdict.json'])
  await step(['verify', 'W904-2CKW-GDNC-X7S0'])
  await write('jwks.json', JSON.stringify(await world.anyone.signing.jwks()))
  await step(['verify', token, '--offline', '--jwks', 'jwks.json'])
  await step(['doctor', '--cert', 'client.pem', '--model', model])

  const about = [
    '--category',
    'impersonation',
    '--title',
    'Says it is a bank',
    '--description',
    'It asked for my password.',
  ]
  const { incident_id: incident = '' } = await step(['incidents', 'report', '--link', link, ...about])
  await step(['incidents', 'list'])
  await step(['incidents', 'show', incident])
  await step(['incidents', 'respond', incident, '--status', 'investigating'])
  await step(['incidents', 'respond', '-', '--status', 'dismissed', '--yes'], { stdin: incident })
  await step(['status'])
  await step(['usage'])
  await step(['search', 'tiny'])
  await step(['open', 'acme.example', '--print'])
  await step(['events', 'list'])
  await step(['events', 'export'])
  await step(['deployments', 'disable', deployment, '--yes'])
  await step(['deployments', 'enable', deployment])
  await step(['deployments', 'revoke', deployment, '--model', model, '--yes'])
  await step(['deployments', 'delete', deployment, '--yes'])
  await step(['models', 'archive', model, '--yes'])
  await step(['models', 'unarchive', model])
  await step(['fingerprint', 'client.pem'])

  const publisher = await step([
    'publishers',
    'add',
    '--github',
    'acme/models',
    '--workflow',
    'release.yml',
    '--issuer',
    world.jobIssuer.issuer,
  ])
  await step(['publishers', 'list'])
  await step(['publishers', 'remove', publisher.id ?? '', '--yes'])
  const guest = 'guest@home.example'
  await step(['members', 'invite', guest, '--role', 'viewer'])
  await step(['members', 'list'])
  await step(['members', 'withdraw', guest])
  const person_id = `per_${acme.id.slice(4)}`
  await world.database.transaction((tx) =>
    insertMember(tx, { provider_id: acme.id, person_id, email: guest, role: 'viewer', at: world.clock.now() }),
  )
  await step(['members', 'role', guest, 'responder'])
  await step(['members', 'remove', guest, '--yes'])
  const changeId = `chg_${acme.id.slice(4)}`
  await insertChange(world, acme, { id: changeId, name: 'more' })
  await step(['changes', 'list'])
  await step(['changes', 'show', changeId])
  await step(['changes', 'reject', changeId])
  // No ID of the registry ends in these digits.
  const otherId = `chg_${person_id.slice(4).replace(/.$/, '1')}`
  await insertChange(world, acme, { id: otherId, name: 'more' })
  await step(['changes', 'approve', otherId], { env: { COUNTERSIGN_API_KEY: session.api_key } })
  const delayedId = `chg_${person_id.slice(4).replace(/.$/, '2')}`
  await insertChange(world, acme, { id: delayedId, name: 'more', state: 'delayed' })
  await step(['changes', 'cancel', delayedId])
  await step(['activity', 'list', '--by', acme.keyId])
  const spare = await acme.registerDeployment()
  const [registered] = (await acme.client.account.events({ subject_id: spare.deployment_id })).events
  await step(['activity', 'undo', acme.keyId, '--act', registered?.id ?? '', '--yes'])
  const key = await step(['keys', 'create', 'CI', '--scope', 'links'])
  await step(['keys', 'list'])
  const leaked = await acme.client.keys.create({ name: 'Leaked', scopes: ['full'] })
  await world.client(leaked.api_key).deployments.register({ spki_fingerprint: 'ab'.repeat(32) })
  const { reviews } = await acme.client.keys.compromise(leaked.id)
  await step(['keys', 'review'], { canDry: false })
  await step(['keys', 'review', reviews[0]?.id ?? '', '--confirm'])
  await step(['keys', 'revoke', key.id ?? '', '--yes'])

  await step(['providers', 'show'])
  await step(['providers', 'trust'])
  await step(['providers', 'verify-domain'])
  await step(['providers', 'verify-domain', '--record'], { canDry: false })
  await step(['domains', 'add', 'northwind.example'])
  await step(['domains', 'list'])
  await step(['domains', 'verify', 'northwind.example'])
  await step(['domains', 'verify', 'northwind.example', '--record'], { canDry: false })
  await step(['domains', 'primary', 'acme.example', '--yes'])
  await step(['domains', 'remove', 'northwind.example', '--yes'])
  await step(['providers', 'verify-email'])
  await step(['providers', 'update', '--hq-city', 'Oslo'])
  await step(['providers', 'visibility', 'listed'])
  await step(['providers', 'logo', 'logo.png'])
  await step(['providers', 'logo', '--remove'])

  await step(['auth', 'login', '--email', email ?? '', '--password-stdin'], { env: {}, stdin: password })
  await step(['auth', 'login', '--api-key-stdin'], { env: {}, stdin: acme.apiKey })
  await step(['auth', 'status'], { env: {} })
  await step(['auth', 'status', '--check'], { env: {} })
  await step(['auth', 'list'], { env: {} })
  await step(['auth', 'switch', 'default'], { env: {} })
  await step(['providers', 'use', 'default'], { env: {} })
  await step(['whoami'], { env: {} })
  await step(['auth', 'logout'], { env: {} })
  await step(['config', 'set', 'timeout', '20'])
  await step(['config', 'get'])
  await step(['config', 'get', 'timeout'])
  await step(['config', 'explain', 'timeout'])
  await step(['config', 'list'])
  await step(['config', 'unset', 'timeout'])
  await step(['version'])
  await step(['api', 'GET', 'providers/me'])
  await step(['completion', 'fish'])
  await step(['commands'])
  await step(['help', 'exit-codes'])
  await step(['help', 'environment'])
  await step(
    [
      'providers',
      'register',
      '--company-name',
      'Northwind',
      '--email',
      'ops@northwind.example',
      '--website',
      'https://northwind.example',
    ],
    {
      env: {},
    },
  )
  await step(['providers', 'deactivate', '--yes'])
  await step(['providers', 'reactivate'])
  await step(['providers', 'delete', '--yes'])

  const refused = await call(['whoami', '--json'], { env })
  expect(refused).toMatchObject({ exit: 4, stdout: '' })
  check(refused.stderr, error, 'the error')
  // `mcp` speaks its own protocol, `triage` needs a terminal, and log-witness.test.ts runs the witness.
  const notCalled = [...entries.keys()].filter((path) => !seen.has(path)).sort()
  expect(notCalled, 'commands that this test does not call: add a step').toEqual([
    'incidents triage',
    'log witness',
    'mcp',
  ])
  expect(Object.keys(shapes).sort(), 'the commands in cli/src/shapes/index.ts').toEqual([...entries.keys()].sort())
  for (const [path, { examples }] of entries) expect(examples.length, path).toBeGreaterThan(0)
  expect(entries.get('models list')?.options.find(({ long }) => long === '--api-url')).toMatchObject({
    default: 'http://localhost:4100',
    environment: ['COUNTERSIGN_API_URL'],
  })
}, 60_000)
