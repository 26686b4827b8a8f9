import { expect, it } from 'vitest'
import { startEndpointServer } from '../support/endpoint-server.ts'
import { commit } from '../support/hub-server.ts'
import { startWebServer } from '../support/web-server.ts'
import { createWorld } from '../support/world.ts'
import { createQuickCommandLine } from './in-process.ts'
import { errorOf } from './process.ts'

/** A PNG of one pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

const start = async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const cli = await createQuickCommandLine(world.address)
  const call = (...args: string[]) => cli.call(args, { env: { COUNTERSIGN_API_KEY: acme.apiKey } })
  const json = async (...args: string[]) => {
    const { exit, stdout, stderr } = await call(...args, '--json')
    expect({ exit, stderr }, stdout).toEqual({ exit: 0, stderr: '' })
    return JSON.parse(stdout) as Record<string, unknown>
  }
  return { world, acme, cli, call, json }
}

it('a version is made private and public, monitored, and gets its card, each as the registry records it', async () => {
  const { world, acme, call, json } = await start()
  const id = await acme.registerModel({ api_model_identifier: 'tiny' })
  const read = () => acme.client.models.get(id)

  expect(await json('models', 'visibility', 'tiny', 'private')).toMatchObject({ id, is_public: false })
  await expect(world.anyone.models.get(id)).rejects.toMatchObject({ code: 'not_found' })
  expect(await json('models', 'visibility', id, 'public')).toMatchObject({ is_public: true })
  expect(await world.anyone.models.get(id)).toMatchObject({ is_public: true })
  expect(await call('models', 'visibility', id, 'secret')).toMatchObject({ exit: 2 })

  await acme.client.models.archive(id, {})
  expect(await json('models', 'unarchive', id, '--reason', 'A mistake')).toMatchObject({ id, is_archived: false })
  expect(await read()).toMatchObject({ is_archived: false })
  const again = await call('models', 'unarchive', id, '--json')
  expect({ exit: again.exit, code: errorOf(again).code }).toEqual({ exit: 6, code: 'not_archived' })

  expect(await json('models', 'health', 'tiny', '--on', '--interval', '300')).toMatchObject({
    health_check_enabled: true,
    interval_seconds: 300,
  })
  expect(await json('models', 'health', id)).toMatchObject({ health_check_enabled: true })
  expect(await json('models', 'health', 'tiny', '--off')).toMatchObject({ health_check_enabled: false })
  expect(await call('models', 'health', 'tiny', '--interval', '300')).toMatchObject({ exit: 2 })

  world.hub.publish('acme/tiny', { sha: commit('b'), cardData: { language: ['nb'] } })
  expect(await json('models', 'sync', 'tiny', '--huggingface-model-id', 'acme/tiny')).toMatchObject({
    huggingface_model_id: 'acme/tiny',
    revision: commit('b'),
  })
  expect(await read()).toMatchObject({ huggingface_model_id: 'acme/tiny' })
  expect((await call('models', 'sync', 'tiny', '--huggingface-model-id', 'acme/none')).exit).toBe(2)
}, 60_000)

it('says of monitoring what a check of an address shows, and no more', async () => {
  const endpoint = await startEndpointServer(200)
  const world = await createWorld({ egressAllow: [endpoint.hostAndPort] })
  const acme = await world.provider('acme', { isVerified: false })
  const id = await acme.registerModel({ endpoint: `${endpoint.url}/v1` })
  const cli = await createQuickCommandLine(world.address)
  const env = { COUNTERSIGN_API_KEY: acme.apiKey }
  await cli.call(['models', 'health', id, '--on'], { env })
  const shown = async () => {
    await world.jobs.run('health')
    return (await cli.call(['models', 'health', id], { env })).stdout
  }
  const answered = await shown()
  expect(answered).toContain('answered, with a status below 500')
  expect(answered).toContain('Only whether something answers at this address was checked')
  expect(answered).not.toMatch(/healthy|uptime|verified/i)
  expect(await cli.call(['models', 'health', id, '--quiet'], { env })).toMatchObject({ stdout: 'healthy\n' })

  endpoint.answer(503)
  world.clock.advance('10m')
  expect(await shown()).toContain('not answered, or with a status of 500 or more')
}, 60_000)

it('writes an address in ASCII that another company could have, and says who stated it', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const id = await acme.registerModel({ endpoint: 'https://api.\u043epen\u0430i.com/✓verified' })
  const cli = await createQuickCommandLine(world.address)
  for (const command of ['health', 'show'])
    expect((await cli.call(['models', command, id])).stdout).toMatch(
      / {2}https:\/\/api\.xn--peni-73d4f\.com\/%E2%9C%93verified \(stated by the provider\)\n/,
    )
}, 60_000)

it('lists, unlists, deactivates and reactivates a provider, and sets and removes its logo', async () => {
  const { world, acme, cli, call, json } = await start()
  const read = () => world.anyone.providers.get(acme.id)

  expect(await json('providers', 'visibility', 'unlisted')).toMatchObject({ is_listed: false })
  expect((await world.anyone.providers.list()).providers).toEqual([])
  expect(await json('providers', 'visibility', 'listed')).not.toHaveProperty('api_key')
  expect((await world.anyone.providers.list()).providers).toHaveLength(1)

  const { logo_url } = await json('providers', 'logo', await cli.write('logo.png', picture))
  expect(await read()).toMatchObject({ logo_url })
  await json('providers', 'logo', '--remove')
  expect(await read()).toMatchObject({ logo_url: null })
  expect((await call('providers', 'logo', await cli.write('logo.txt', 'no image'))).exit).toBe(2)
  expect((await call('providers', 'logo')).exit).toBe(2)

  // Not interactive, so it cannot ask.
  expect((await call('providers', 'deactivate')).exit).toBe(2)
  expect(await read()).toMatchObject({ id: acme.id })
  const gone = await call('providers', 'deactivate', '--yes', '--json')
  expect(gone).toMatchObject({ exit: 0 })
  expect(gone.stdout).not.toContain(acme.apiKey)
  await expect(read()).rejects.toMatchObject({ code: 'not_found' })
  expect((await call('models', 'list')).exit).toBe(4)
  expect((await call('providers', 'reactivate', '--json')).exit).toBe(0)
  expect(await read()).toMatchObject({ id: acme.id })
}, 60_000)

it('counts opened links per day, for all models or one', async () => {
  const { world, acme, call, json } = await start()
  const id = await acme.registerModel({ api_model_identifier: 'tiny' })
  expect((await call('tokens', 'stats')).stdout).toBe('No link was opened in the last 30 days\n')
  const { token } = await acme.client.verifications.create({ model_id: id })
  await world.anyone.verifications.opened(token)
  const day = new Date(world.clock.now()).toISOString().slice(0, 10)
  expect(await call('tokens', 'stats', '--model', 'tiny')).toMatchObject({
    stderr: '',
    stdout: expect.stringMatching(new RegExp(`${day} +1\\ntotal +1\\n`)),
  })
  const counted = await json('tokens', 'stats', '--days', '90')
  expect(counted).toMatchObject({ in_period: 1, models: [{ model_id: id, verifications: 1 }] })
  expect(counted.days).toHaveLength(90)
  expect(await call('tokens', 'stats', '--days', '31')).toMatchObject({ exit: 2 })
}, 60_000)

it('lists what needs attention, most urgent first, with the command that fixes it', async () => {
  const { acme, call, json, world } = await start()
  expect(await call('status')).toEqual({
    exit: 0,
    stdout: '1 email address is not verified: acme@acme.example\n  countersign providers verify-email\n',
    stderr: '',
  })

  const model_id = await acme.registerModel({ api_model_identifier: 'tiny' })
  const { deployment_id } = await acme.registerDeployment([model_id])
  const { verification_url } = await acme.client.verifications.create({ model_id })
  const about = {
    category: 'harmful_content',
    title: 'It explains how to break locks',
    description: 'All of them.',
  } as const
  await world.anyone.incidents.report({ ...about, severity: 'critical', verification_token: verification_url })
  const { stdout } = await call('status')
  expect(stdout.match(/^\S.*/gm)).toEqual([
    '1 critical report is open: 1 with a link for the model',
    '1 email address is not verified: acme@acme.example',
    expect.stringMatching(/^1 deployment has never proven its key: “.+”/),
  ])
  expect(stdout).toContain('\n  countersign tokens mint --cert <file> --key <file>\n')
  expect((await json('status')).items).toEqual((await acme.client.account.attention()).items)
  expect((await call('status', '-q')).stdout).toContain(`${deployment_id}\n`)

  await acme.client.deployments.delete(deployment_id)
  const [report] = (await acme.client.incidents.list()).incidents
  await acme.client.incidents.respond(report?.id ?? '', { status: 'dismissed' })
  await acme.client.auth.sendVerification({})
  const mail = (await world.mails('acme@acme.example')).findLast(({ code }) => code)
  await acme.client.auth.verifyEmail({ verification_code: mail?.code ?? '' })
  expect(await call('status')).toEqual({ exit: 0, stdout: 'Nothing needs your attention\n', stderr: '' })
})

it('shows how much of the quotas is used, and how to enlarge them', async () => {
  const world = await createWorld({ linksPerDay: { proven: 2_000, unproven: 10 } })
  const acme = await world.provider('acme', { isVerified: false })
  const model_id = await acme.registerModel()
  for (let links = 0; links < 8; links++) await acme.client.verifications.create({ model_id })
  const cli = await createQuickCommandLine(world.address)
  const env = { COUNTERSIGN_API_KEY: acme.apiKey }
  const { exit, stdout } = await cli.call(['usage'], { env })
  expect({ exit, lines: stdout.split('\n') }).toEqual({
    exit: 0,
    lines: [
      'Links today     ███████████████████░░░░░ 8 of 10 (80%)',
      expect.stringMatching(/^ {16}The count resets on \d+ \w{3} \d{4}, 00:00 UTC$/),
      '                With a proven domain: 2,000 a day',
      '                countersign providers verify-domain',
      'Last 30 days    8 links',
      '',
      'API keys        1 of 100',
      'Domains         1 of 20',
      'Publishers      0 of 50',
      'Model versions  1 of 200',
      'Versions today  1 of 50',
      'Deployments     0',
      '',
    ],
  })
  expect((await cli.call(['status'], { env })).stdout).toMatch(
    /1 daily link quota is nearly used up: 8 of 10 \(.+\)\n {2}countersign usage/,
  )
})

it('interpolates only IDs of a registry into suggested commands', async () => {
  const subjects = [{ id: 'x; rm -rf ~\ncountersign keys revoke', name: 'Atlas\u001b[2J', at: null }]
  const registry = await startWebServer()
  const answer = { open_incidents: 0, items: [{ kind: 'endpoint_failing', count: 1, verified: 0, subjects }] }
  registry.serve('/api/v1/providers/me/attention', 200, JSON.stringify(answer), { 'Content-Type': 'application/json' })
  const { acme } = await start()
  const cli = await createQuickCommandLine(registry.url)
  expect(await cli.call(['status'], { env: { COUNTERSIGN_API_KEY: acme.apiKey } })).toEqual({
    exit: 0,
    stdout: '1 endpoint does not answer: “Atlas”\n  countersign models health <id>\n',
    stderr: '',
  })
})
