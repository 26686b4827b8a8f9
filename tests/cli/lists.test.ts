import { expect, it } from 'vitest'
import { Interruption } from '../../cli/src/failure.ts'
import { widthOf } from '../../cli/src/io/width.ts'
import { run } from '../../cli/src/run.ts'
import { createTestWorld } from '../../cli/src/test-world.ts'
import { mintOverTls } from '../support/proven-link.ts'
import { createWorld } from '../support/world.ts'
import { createQuickCommandLine } from './in-process.ts'

it('--limit shows the first items of a list, and says whether there are more', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const model_ids = [await acme.registerModel({ api_model_identifier: 'a1' }), await acme.registerModel()]
  for (const digit of ['a', 'b']) await acme.registerDeployment([], digit.repeat(64))
  for (const model_id of model_ids)
    await world.anyone.incidents.report({ model_id, category: 'other', title: 'No', description: 'It is wrong.' })
  const cli = await createQuickCommandLine(world.address)
  for (const list of ['models', 'deployments', 'incidents']) {
    const shown = async (...args: string[]) => {
      const { stdout } = await cli.call([list, 'list', '--json', ...args], {
        env: { COUNTERSIGN_API_KEY: acme.apiKey },
      })
      return JSON.parse(stdout) as Record<string, unknown[]> & { next_cursor: string | null }
    }
    const [first, all] = [await shown('--limit', '1'), await shown()]
    expect(first[list], list).toEqual(all[list]?.slice(0, 1))
    expect(first.next_cursor).not.toBeNull()
    expect(all[list]).toHaveLength(2)
    expect(all.next_cursor).toBeNull()
    expect(await cli.call([list, 'list', '--limit', '0'])).toMatchObject({ exit: 2 })
  }
})

it('--sort puts every list in the order asked for, before --limit cuts it', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const named = ['Birch', 'Cedar', 'Alder']
  for (const display_name of named) {
    const model_id = await acme.registerModel({ display_name, api_model_identifier: display_name.toLowerCase() })
    await acme.client.verifications.create({ model_id })
    const severity = display_name === 'Cedar' ? 'critical' : 'low'
    const report = { model_id, category: 'other', title: display_name, description: 'It is wrong.', severity } as const
    await world.anyone.incidents.report(report)
    world.clock.advance('1m')
  }
  for (const digit of ['a', 'b', 'c']) {
    await acme.registerDeployment([], digit.repeat(64))
    world.clock.advance('1m')
  }
  const cli = await createQuickCommandLine(world.address)
  const shown = async (list: string, field: string, ...args: string[]) => {
    const { stdout } = await cli.call([list, 'list', '--json', ...args], {
      env: { COUNTERSIGN_API_KEY: acme.apiKey },
    })
    const [items = []] = Object.values(JSON.parse(stdout) as Record<string, Record<string, unknown>[]>)
    return items.map((item) => item[field])
  }
  expect(await shown('models', 'display_name', '--sort', 'name')).toEqual(['Alder', 'Birch', 'Cedar'])
  expect(await shown('models', 'display_name', '--sort', '-name', '--limit', '1')).toEqual(['Cedar'])
  expect(await shown('models', 'display_name', '--sort', 'created')).toEqual(named)
  expect(await shown('incidents', 'title', '--sort', 'created')).toEqual(named)
  expect(await shown('incidents', 'title', '--sort', '-severity', '--limit', '1')).toEqual(['Cedar'])
  expect(await shown('tokens', 'model_name', '--sort', 'created', '--limit', '2')).toEqual(['Birch', 'Cedar'])
  const oldest = await shown('deployments', 'deployment_id', '--sort', 'created')
  expect(await shown('deployments', 'deployment_id', '--sort', '-created')).toEqual(oldest.toReversed())
  const events = await shown('events', 'id', '--sort', 'created')
  expect(await shown('events', 'id')).toEqual(events.toReversed())
  const wrong = await cli.call(['models', 'list', '--sort', 'size'])
  expect(wrong).toMatchObject({ exit: 2, stderr: expect.stringContaining('-name') })
})

it('tokens list calls a link verified only if its server is proven, within 80 columns', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const model_id = await acme.registerModel()
  const { minted } = await mintOverTls(world, acme, { model_id })
  world.clock.advance('1s')
  const { verification_url } = await acme.client.verifications.create({ model_id })
  const cli = await createQuickCommandLine(world.address)
  const call = (...args: string[]) =>
    cli.call(args, { env: { COUNTERSIGN_API_KEY: acme.apiKey, COUNTERSIGN_COLUMNS: '80' } })
  const { stdout } = await call('tokens', 'list')
  expect(stdout.match(/verified|Company confirmed, AI not confirmed/gi)).toEqual([
    'Company confirmed, AI not confirmed',
    'verified',
  ])
  for (const line of stdout.split('\n')) expect(widthOf(line), line).toBeLessThanOrEqual(80)
  for (const [link, head] of [
    [verification_url, 'Company confirmed, AI not confirmed\n'],
    [minted.verification_url, 'Verified\n'],
  ] as const)
    expect((await call('verify', link)).stdout.slice(0, head.length)).toBe(head)
  expect(JSON.parse((await call('tokens', 'list', '--json')).stdout).verifications).toMatchObject([
    { result: 'verified', strength: 'provider' },
    { result: 'verified', strength: 'deployment' },
  ])
})

it('--if-match saves a change only while the record is the one that was shown', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const model = await acme.registerModel({ api_model_identifier: 'atlas' })
  const { incident_id } = await world.anyone.incidents.report({
    model_id: model,
    category: 'other',
    title: 'No',
    description: 'It is wrong.',
  })
  const cli = await createQuickCommandLine(world.address)
  const call = (...args: string[]) => cli.call(args, { env: { COUNTERSIGN_API_KEY: acme.apiKey } })
  for (const { show, change } of [
    { show: ['models', 'show', 'atlas'], change: ['models', 'edit', 'atlas', '--description', 'Knows maps well.'] },
    { show: ['providers', 'show'], change: ['providers', 'update', '--hq-city', 'Oslo'] },
    {
      show: ['incidents', 'show', incident_id],
      change: ['incidents', 'respond', incident_id, '--status', 'investigating'],
    },
  ]) {
    const name = change.slice(0, 2).join(' ')
    const { etag } = JSON.parse((await call(...show, '--json')).stdout) as { etag: string }
    expect((await call(...show)).stdout, name).toContain(etag)
    expect(await call(...change, '--if-match', etag), name).toMatchObject({ exit: 0 })
    const late = await call(...change, '--if-match', `"${etag}"`)
    expect(late, name).toMatchObject({ exit: 6, stderr: expect.stringContaining('changed elsewhere') })
    expect(late.stderr, name).toContain(`countersign ${show.slice(0, 2).join(' ')}`)
    expect(await call(...change, '--if-match', 'an etag'), name).toMatchObject({ exit: 2 })
  }
})

it('events export writes all events of a period, oldest first, as lines of JSON or as CSV', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  for (const version of ['1', '2', '3']) await acme.registerModel({ version, force_new_version: true })
  const { events } = await acme.client.account.events({ limit: 100 })
  const cli = await createQuickCommandLine(world.address)
  const exported = async (...args: string[]) =>
    (await cli.call(['events', 'export', ...args], { env: { COUNTERSIGN_API_KEY: acme.apiKey } })).stdout
  const lines = (await exported()).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual(events.toReversed())
  const [head, ...rows] = (await exported('--format', 'csv')).trimEnd().split('\n')
  expect(head).toBe('id,at,actor,actor_name,action,subject_type,subject_id,subject_name,before,after')
  expect(rows.map((row) => row.slice(0, row.indexOf(',')))).toEqual(events.map(({ id }) => id).toReversed())
  expect(await exported('--until', '2000-01-01')).toBe('')
})

it('events list --follow prints events as lines of JSON until it is interrupted', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  await acme.registerModel()
  const controller = new AbortController()
  const lines: { action: string }[] = []
  const own = createTestWorld({
    env: {
      COUNTERSIGN_CONFIG_DIR: '/nonexistent',
      COUNTERSIGN_API_URL: world.address,
      COUNTERSIGN_API_KEY: acme.apiKey,
    },
    fetch,
    signal: controller.signal,
  })
  own.stdout.write = (text) => {
    lines.push(JSON.parse(text))
    if (lines.at(-1)?.action === 'model.registered') controller.abort(new Interruption('SIGINT'))
  }
  const args = ['events', 'list', '--follow', '--since', '2000-01-01', '--json']
  expect(await run(args, own)).toBe(130)
  expect(lines.map(({ action }) => action)).toEqual(
    (await acme.client.account.events()).events.map(({ action }) => action).toReversed(),
  )
})
