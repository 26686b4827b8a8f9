import { spawnSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { githubJob } from '../support/ci-issuer.ts'
import { copyExample } from '../support/examples.ts'
import { blocksOf } from '../support/pages.ts'
import { createWorld } from '../support/world.ts'

it('register-in-ci: a job with no stored secret registers a model, a second run changes nothing, new files are the next version', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const { issuer, vouch } = world.jobIssuer
  await acme.client.publishers.add({ kind: 'github', issuer, repository: 'acme/models', workflow: 'release.yml' })
  const example = await copyExample('register-in-ci', world.address)
  await mkdir(join(example.folder, 'model'))
  await writeFile(join(example.folder, 'model/weights'), 'the weights')

  const [block = ''] = await example.readSteps({ 'https://registry.example': world.address })
  const job = (version = '1.0.0') =>
    example.run(block.replace('1.0.0', version), {
      COUNTERSIGN_PROVIDER_ID: acme.id,
      COUNTERSIGN_ID_TOKEN: vouch(world.publicUrl, githubJob()),
    })
  const versions = () => acme.client.providers.models(acme.id, { include_archived: 'true' }).toArray()
  const written = async () => (await acme.client.account.events({ subject_type: 'model' })).events.length

  expect(await example.run('VERSION= MODEL=./model sh register.sh')).toEqual({
    exit: 2,
    output:
      'Missing: IDENTIFIER DISPLAY_NAME ENDPOINT DESCRIPTION VERSION COUNTERSIGN_PROVIDER_ID or COUNTERSIGN_API_KEY\n',
  })
  expect(await job()).toMatchObject({ exit: 0, output: expect.stringMatching(/^Registered: mdl_/m) })
  const before = await written()
  expect(await job('1.0.1')).toMatchObject({ exit: 0, output: expect.stringMatching(/^Already registered: mdl_/m) })
  expect(await versions()).toMatchObject([{ version: '1.0.0' }])
  expect(await written()).toBe(before)

  await writeFile(join(example.folder, 'model/weights'), 'other weights')
  expect((await job()).exit).toBe(6)
  expect((await job('2.0.0')).exit).toBe(0)
  expect((await versions()).map(({ version }) => version).sort()).toEqual(['1.0.0', '2.0.0'])

  const [gitlab = ''] = await blocksOf('examples/register-in-ci/README.md', 'yaml')
  const [, settings = '', commands = ''] = /^ {2}variables:\n([\s\S]*?)^ {2}script:\n([\s\S]*)/m.exec(gitlab) ?? []
  const own = {
    'https://registry.example': world.address,
    prv_06dh0e3x7c9bw4vjz2n8qk5ytm: acme.id,
    $CI_COMMIT_TAG: '2.0.0',
  }
  const variables = Array.from(settings.matchAll(/^ {4}(\w+): (.*)$/gm), ([, name = '', value = '']) => {
    return [name, Object.entries(own).reduce((text, [placeholder, ours]) => text.replace(placeholder, ours), value)]
  })
  const script = commands.replace(/^ *- npm install .*\n/m, '').replaceAll(/^ *- /gm, '')
  const again = await example.run(script, {
    ...Object.fromEntries(variables),
    COUNTERSIGN_ID_TOKEN: vouch(world.publicUrl, githubJob()),
  })
  expect(again).toMatchObject({ exit: 0, output: expect.stringMatching(/^Already registered: mdl_/m) })
  expect(await readFile(join(example.configFolder, 'profiles/ci.json'), 'utf8')).not.toContain('csk_')
}, 120_000)

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

it.skipIf(!hasOpenssl)(
  'sign-directory: a folder is signed, registered and checked; with one more byte the check fails',
  async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const example = await copyExample('sign-directory', world.address)
    await mkdir(join(example.folder, 'model'))
    await writeFile(join(example.folder, 'model/weights'), 'the weights')
    await writeFile(join(example.folder, 'model/config.json'), '{}')

    expect(await example.run('sh check.sh')).toEqual({ exit: 2, output: 'Missing: MODEL PUBLIC_KEY MODEL_ID\n' })
    const values = { 'https://registry.example': world.address }
    const [sign = ''] = await example.readSteps(values)
    const env = { COUNTERSIGN_API_KEY: acme.apiKey }
    expect(await example.run(sign, env)).toMatchObject({
      exit: 0,
      output: expect.stringMatching(/Verified[\s\S]+In the registry: mdl_/),
    })
    const [model] = await acme.client.providers.models(acme.id, {}).toArray()
    expect(model).toMatchObject({ api_model_identifier: 'acme-chat', bundle_status: 'verified' })

    expect((await example.run(sign.replace(/^openssl .*\n/gm, ''), env)).exit).toBe(0)
    expect(await acme.client.providers.models(acme.id, { include_archived: 'true' }).toArray()).toHaveLength(1)

    const [, check = ''] = await example.readSteps({ ...values, mdl_06dh0e3x7c9bw4vjz2n8qk5ytm: model?.id ?? '' })
    expect(await example.run(check)).toMatchObject({ exit: 0 })
    await writeFile(join(example.folder, 'model/config.json'), '{ }')
    expect(await example.run(check)).toMatchObject({ exit: 3, output: expect.stringContaining('config.json') })
  },
  120_000,
)

it('triage-incidents: rules answer what they cover, and leave the rest to people', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const model_id = await acme.registerModel()
  const { verification_url } = await acme.client.verifications.create({ model_id })
  const spam = { model_id, category: 'other', title: 'Cheap watches', description: 'Buy them here.' } as const
  const bank = {
    category: 'impersonation',
    title: 'Says it is a bank',
    description: 'It asked for my password.',
  } as const
  const report = async (body: Parameters<typeof world.anyone.incidents.report>[0]) =>
    (await world.anyone.incidents.report(body)).incident_id
  const [first, second] = [await report(spam), await report(spam)]
  const worst = await report({ ...bank, verification_token: verification_url, severity: 'critical' })

  const { api_key } = await acme.client.keys.create({ name: 'triage', scopes: ['read', 'incidents'] })
  const example = await copyExample('triage-incidents', world.address)
  const [block = ''] = await example.readSteps({ 'https://registry.example': world.address })
  const run = () => example.run(block, { COUNTERSIGN_API_KEY: api_key })
  expect(await run()).toMatchObject({ exit: 0, output: expect.stringMatching(/^Answered: 2\nLeft for people: 1 /m) })
  const states = () =>
    Promise.all([first, second, worst].map(async (id) => (await acme.client.incidents.get(id)).status))
  expect(await states()).toEqual(['reported', 'dismissed', 'investigating'])
  expect(await run()).toMatchObject({ exit: 0, output: expect.stringMatching(/^Answered: 0\nLeft for people: 1 /m) })
  expect(await states()).toEqual(['reported', 'dismissed', 'investigating'])

  const [decision = ''] = await blocksOf('examples/triage-incidents/README.md', 'json')
  await writeFile(join(example.folder, 'decisions.jsonl'), decision.replace('inc_06dh0e3x7c9bw4vjz2n8qk5ytm', first))
  const answered = await example.run('countersign incidents respond - --yes < decisions.jsonl', {
    COUNTERSIGN_API_KEY: api_key,
  })
  expect(answered).toMatchObject({ exit: 0 })
  expect(await states()).toEqual(['dismissed', 'dismissed', 'investigating'])
}, 120_000)
