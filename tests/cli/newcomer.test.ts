import { expect, it } from 'vitest'
import { createWorld } from '../support/world.ts'
import { createQuickCommandLine } from './in-process.ts'
import { errorOf } from './process.ts'

interface Registered {
  provider_id: string
  api_key: string
  domain_proof: { record_name: string; record_value: string }
}

const card = [
  '--display-name',
  'Tiny Chat',
  '--endpoint',
  'https://api.acme.example/v1',
  '--description',
  'A small model for chat',
]

it('an account can be used without the web from start to end: proofs, versions, an incident, new keys, deletion', async () => {
  const world = await createWorld()
  const cli = await createQuickCommandLine(world.address)

  const provider = await cli.json<Registered>(
    ...[
      'providers',
      'register',
      '--company-name',
      'Acme AI',
      '--email',
      'ops@acme.example',
      '--website',
      'https://acme.example',
    ],
  )
  await cli.json('providers', 'verify-email')
  const [mail] = await world.mails('ops@acme.example')
  expect(await cli.json('providers', 'verify-email', '--code', mail?.code ?? '')).toMatchObject({
    email: 'ops@acme.example',
    verified: true,
  })
  world.dns.setTxt(provider.domain_proof.record_name, [provider.domain_proof.record_value])
  expect(await cli.json('providers', 'verify-domain')).toMatchObject({ result: 'verified' })
  await cli.json(
    'providers',
    'update',
    '--description',
    'Maps and questions',
    '--hq-city',
    'Oslo',
    '--support-email',
    'help@acme.example',
  )
  expect(await cli.json('providers', 'show')).toMatchObject({
    domain_verified: true,
    domain_verification_method: 'dns',
    email_verified: true,
    headquarters: 'Oslo',
    contact_email: 'help@acme.example',
  })
  expect(await cli.json('providers', 'trust')).toMatchObject({
    trust_level: 'standard',
    trust_factors: { email_verified: true, domain_verified: true },
  })

  const optional = ['--paper-url', 'https://acme.example/paper', '--context-window', '8000']
  const first = await cli.json<{ model_id: string }>('models', 'register', '--identifier', 'tiny', ...card, ...optional)
  const emptied = ['--paper-url', '', '--context-window', '']
  expect(
    await cli.json(
      'models',
      'edit',
      first.model_id,
      '--description',
      'A small model for chat, in Norwegian',
      ...emptied,
    ),
  ).toMatchObject({
    description: 'A small model for chat, in Norwegian',
    paper_url: null,
    context_window: null,
  })
  const second = await cli.json<{ model_id: string }>(
    'models',
    'register',
    '--identifier',
    'tiny',
    '--new-version',
    '--version',
    '2.0',
  )
  expect(await cli.json('models', 'history', 'tiny')).toMatchObject({
    total_versions: 2,
    versions: [{ id: second.model_id }, { id: first.model_id }],
  })
  expect(await cli.json('search', 'tiny')).toMatchObject({
    models: [{ id: second.model_id, version: '2.0' }],
    total: 1,
  })

  const { verification_url } = await cli.json<{ verification_url: string }>(
    'tokens',
    'mint',
    '--model',
    second.model_id,
  )
  expect(await cli.json('tokens', 'list', '--model', 'tiny')).toMatchObject({
    verifications: [{ model_id: second.model_id, result: 'verified', reason: null, change: null }],
  })
  const report = await cli.json<{ incident_id: string }>(
    ...['incidents', 'report', '--link', verification_url, '--category', 'harmful_content', '--title', 'It was rude'],
    ...['--description', 'It called me names.', '--email', 'visitor@northwind.example'],
  )
  expect(await cli.json('incidents', 'list')).toMatchObject({
    incidents: [{ id: report.incident_id, is_verified_report: true, status: 'reported' }],
  })
  expect(
    errorOf(await cli.call(['incidents', 'respond', report.incident_id, '--status', 'resolved', '--json'])),
  ).toMatchObject({
    exit_code: 2,
  })
  expect(
    await cli.json(
      'incidents',
      'respond',
      report.incident_id,
      '--status',
      'resolved',
      '--message',
      'We fixed it.',
      '--yes',
    ),
  ).toMatchObject({
    status: 'resolved',
  })
  expect((await world.mails('visitor@northwind.example')).at(-1)?.text).toContain('We fixed it.')

  const made = await cli.json<{ id: string; api_key: string }>('keys', 'create', 'CI', '--scope', 'full')
  const keys = await cli.call(['keys', 'list', '--json'])
  const [old] = (JSON.parse(keys.stdout) as { id: string }[]).filter(({ id }) => id !== made.id)
  await cli.json('keys', 'revoke', old?.id ?? '', '--yes')
  expect((await cli.call(['whoami', '--json'])).exit).toBe(4)
  const env = { COUNTERSIGN_API_KEY: made.api_key }
  expect((await cli.call(['whoami', '--json'], { env })).exit).toBe(0)

  expect((await cli.call(['providers', 'delete', '--json'], { env })).exit).toBe(2)
  expect((await cli.call(['providers', 'delete', '--yes', '--json'], { env })).exit).toBe(0)
  expect((await cli.call(['whoami', '--json'], { env })).exit).toBe(4)
  const gone = await cli.call(['verify', verification_url, '--json'])
  expect({ exit: gone.exit, ...JSON.parse(gone.stdout) }).toMatchObject({
    exit: 3,
    result: 'not_verified',
    reason: 'revoked',
  })
})
