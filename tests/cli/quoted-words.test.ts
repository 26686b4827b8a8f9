import { expect, it } from 'vitest'
import { createSelfSigned } from '../support/certificates.ts'
import { expectQuoted, hostile } from '../support/hostile.ts'
import { protect } from '../support/presence.ts'
import { createWorld } from '../support/world.ts'
import { createQuickCommandLine } from './in-process.ts'

it('words that another member, a thief or a file chose are only in quotation marks', async () => {
  const issuer = 'https://issuer.acme.example'
  const world = await createWorld({ oidcIssuers: [{ kind: 'other', issuer }] })
  const acme = await world.provider('acme')
  const cli = await createQuickCommandLine(world.address)
  const model_id = await acme.registerModel()
  await acme.client.models.archive(model_id, { reason: hostile })
  await acme.client.models.unarchive(model_id, { reason: hostile })
  const cert = await cli.write('client.pem', (await createSelfSigned('chat')).cert)
  const env = { COUNTERSIGN_API_KEY: acme.apiKey }
  await cli.call(['deployments', 'register', '--cert', cert, '--model', model_id], { env })
  const deployment_id = (await acme.client.deployments.list()).deployments[0]?.deployment_id ?? ''
  const { incident_id } = await acme.client.incidents.report({
    model_id,
    category: 'other',
    title: 'A report',
    description: 'It answers in another voice.',
  })
  await acme.client.verifications.create({ model_id })
  // As stored before there were rules for these.
  await world.database.transaction((tx) =>
    tx
      .updateTable('deployments')
      .set({ spiffe_id: hostile, cloud_identity: hostile, labels: JSON.stringify({ region: hostile }) })
      .where('id', '=', deployment_id)
      .execute(),
  )
  const names = { api_model_identifier: hostile, display_name: hostile, version: hostile }
  await world.database.transaction(async (tx) => {
    await tx
      .updateTable('models')
      .set({ ...names, model_name: hostile })
      .where('id', '=', model_id)
      .execute()
    await tx.updateTable('link_snapshots').set(names).where('provider_id', '=', acme.id).execute()
  })
  const trusted = await acme.client.workloads.trust({
    issuer,
    subject: hostile,
    claims: { email: hostile },
    deployment_id,
  })

  const read = async (...args: string[]) => {
    const { exit, stdout, stderr } = await cli.call(args, { env })
    expect(exit, stderr).toBe(0)
    return stdout
  }
  const addSigner = ['signers', 'add', '--certificate-oidc-issuer', hostile, '--certificate-identity', hostile]
  const identity = await read(...addSigner)
  const repository = await read(
    ...['signers', 'add', '--repository', 'https://github.com/acme/x”.verified“', '--workflow', 'x”.verified“.yml'],
  )
  const added = await read('publishers', 'add', '--issuer', issuer, '--subject', hostile)
  const job = await read(
    'publishers',
    'add',
    '--github',
    'acme/models',
    '--workflow',
    'x”.verified“.yml',
    '--environment',
    hostile,
    '--issuer',
    world.jobIssuer.issuer,
  )
  const idIn = (text: string) => /\b(?:sgn|pub)_\w{26}/.exec(text)?.[0] ?? ''
  /** Other lines say what the registry verified. */
  const lineOf = (name: string, text: string) => text.split('\n').find((line) => line.includes(name)) ?? ''
  const shown = {
    history: await read('models', 'history', model_id),
    identity,
    repository,
    signers: await read('signers', 'list'),
    'removed signer': await read('signers', 'remove', idIn(identity), '--yes'),
    added,
    job,
    publishers: await read('publishers', 'list'),
    'removed publisher': await read('publishers', 'remove', idIn(added), '--yes'),
    trusted: await read(
      'deployments',
      'trust',
      'add',
      '--issuer',
      issuer,
      '--subject',
      `${hostile}2`,
      '--claim',
      `email=${hostile}`,
    ),
    workloads: await read('deployments', 'trust', 'list'),
    'removed workload': await read('deployments', 'trust', 'remove', trusted.id, '--yes'),
    deployment: await read('deployments', 'show', deployment_id),
    doctor: lineOf('deployment', await read('doctor', '--cert', cert)),
    links: await read('tokens', 'list'),
    models: await read('models', 'list'),
    model: lineOf('identifier', await read('models', 'show', model_id)),
    incidents: await read('incidents', 'list'),
    incident: await read('incidents', 'show', incident_id),
    completion: await read('__complete', '--', 'deployments', 'enable', ''),
  }
  for (const [name, text] of Object.entries(shown)) expectQuoted(text, name)
  expect(shown.deployment).toMatch(/cloud identity .*” \(stated by the provider\)\n/)
})

it('the values of a change that waits for approval are in quotation marks, so that no name approves it', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const { client } = await world.session(acme)
  await protect(world, (await client.members.list()).members[0]?.person_id ?? '')
  const cli = await createQuickCommandLine(world.address)
  const call = (...args: string[]) => cli.call(args, { env: { COUNTERSIGN_API_KEY: acme.apiKey } })
  const name = 'CI (asked by owner ada@acme.example), state approved'
  const staged = await call('keys', 'create', name, '--scope', 'models')
  expect(staged.exit).toBe(10)
  const [id = ''] = /chg_\w+/.exec(staged.stderr) ?? []
  const { exit, stdout } = await call('changes', 'show', id)
  expect(exit).toBe(0)
  expect(stdout).toMatch(new RegExp(`^name +“${name.replace(/[()]/g, '.')}”$`, 'm'))
  expect(stdout).toMatch(/^scopes +models$/m)
})
