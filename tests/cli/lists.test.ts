import { expect, it } from 'vitest'
import { Interruption } from '../../cli/src/failure.ts'
import { run } from '../../cli/src/main.ts'
import { createTestWorld } from '../../cli/src/test-world.ts'
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
