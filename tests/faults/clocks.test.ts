import { expect, it, vi } from 'vitest'
import { describeOnSqlite } from '../support/databases.ts'
import { createWorld } from '../support/world.ts'

describeOnSqlite('a link minted while the clock was 20 minutes ahead', (engine) => {
  it('is not valid once the clock is right, nor 20 minutes later', async () => {
    const world = await createWorld({ engine })
    const alice = await world.provider('alice')
    const model_id = await alice.registerModel()
    const before = await alice.client.verifications.create({ model_id })
    world.clock.advance('20m')
    await world.jobs.run('mails')
    const { verification_url, verification_id, token } = await alice.client.verifications.create({ model_id })
    expect(await world.anyone.verifications.get(verification_url)).toMatchObject({ result: 'verified' })

    world.clock.goBack('20m')
    const expectDead = async () => {
      for (const link of [verification_url, token])
        await expect(world.anyone.verifications.get(link)).rejects.toMatchObject({ code: 'link_expired' })
    }
    await expectDead()
    expect(await world.anyone.verifications.get(before.verification_url)).toMatchObject({ result: 'verified' })

    const read = () =>
      world.database.read
        .selectFrom('verifications')
        .select(['issued_at', 'expires_at'])
        .where('id', '=', verification_id)
        .executeTakeFirstOrThrow()
    world.jobs.start()
    await vi.waitFor(
      async () => {
        const { issued_at, expires_at } = await read()
        expect(expires_at).toBe(issued_at)
      },
      { timeout: 10_000, interval: 50 },
    )
    await world.jobs.stop()
    world.clock.advance('21m')
    await expectDead()
  })
})

it('accepts links of a replica whose clock is 5 seconds ahead, and no further', async () => {
  const world = await createWorld()
  const alice = await world.provider('alice')
  const model_id = await alice.registerModel()
  // Links are issued at whole seconds.
  world.clock.advance(`${1_000 - (world.clock.now() % 1_000)}ms`)
  const { verification_url } = await alice.client.verifications.create({ model_id })
  world.clock.goBack('5s')
  expect(await world.anyone.verifications.get(verification_url)).toMatchObject({ result: 'verified' })
  world.clock.goBack('1ms')
  await expect(world.anyone.verifications.get(verification_url)).rejects.toMatchObject({ code: 'link_expired' })
})

it('sends email and runs jobs at once after the clock went back', async () => {
  const world = await createWorld()
  world.clock.advance('20m')
  for (const job of ['mails', 'cleanup']) await world.jobs.run(job)
  const alice = await world.provider('alice')
  await alice.client.auth.sendVerification({})
  world.clock.goBack('20m')
  const at = world.clock.now()
  world.jobs.start()
  await vi.waitFor(
    async () => {
      const unsent = await world.database.read
        .selectFrom('mails')
        .select('id')
        .where('due_at', 'is not', null)
        .execute()
      expect(unsent).toEqual([])
      const rows = await world.database.read
        .selectFrom('jobs')
        .select('name')
        .where('due_at', '<=', at + 10_000)
        .execute()
      expect(rows.map(({ name }) => name)).toContain('mails')
    },
    { timeout: 15_000, interval: 50 },
  )
  await world.jobs.stop()
})
