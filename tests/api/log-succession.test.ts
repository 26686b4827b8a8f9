import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseNote, parsePolicy, parseVkey, verifyCheckpoint } from '@countersign/sdk/log'
import { withSuccessors } from '@countersign/sdk/log/facts'
import { expect, it, onTestFinished } from 'vitest'
import { DescribedLog } from '../../cli/src/commands/log/described-log.ts'
import { describeEachEngine, describeOnSqlite } from '../support/databases.ts'
import { createLogReader } from '../support/log-reader.ts'
import { operateLog } from '../support/operate-log.ts'
import { createWorld, type World } from '../support/world.ts'

const describeLog = async ({ address }: World) =>
  DescribedLog.parse(await (await fetch(`${address}/.well-known/countersign-log`)).json())

const policyOf = (vkey = '') => parsePolicy(`log ${vkey}\nquorum none\n`)

const showCheckpoint = async ({ address }: World) => (await fetch(`${address}/log/checkpoint`)).text()

const rotate = async (world: World) => {
  world.clock.advance('1s')
  const [vkey = ''] = /\S+\+[0-9a-f]{8}\+\S+/.exec(await operateLog(world, 'rotate')) ?? []
  return vkey
}

describeEachEngine('a successor of the log’s key', (engine) => {
  it('signs after it was logged, beside the old key for 30 days, and then alone', async () => {
    const world = await createWorld({ engine })
    const { transparency } = world.registry
    await transparency.sequence()
    const { vkeys } = await describeLog(world)
    const [first = ''] = vkeys
    const reader = await createLogReader(world.address, policyOf(first))
    const seen = await reader.checkpoint()

    const second = await rotate(world)
    expect(await describeLog(world)).toMatchObject({ vkeys: [first], successors: [] })
    await expect(operateLog(world, 'rotate')).rejects.toThrow('waiting to be logged')
    await transparency.sequence()
    expect((await reader.entries()).at(-1)).toMatchObject({ type: 'log_key.successor', vkey: second })
    expect(await reader.findFault(seen)).toBeUndefined()
    for (const vkey of [first, second])
      expect(await verifyCheckpoint(await showCheckpoint(world), policyOf(vkey))).toMatchObject({ size: seen.size + 1 })
    expect((await describeLog(world)).vkeys).toEqual([first, second])

    world.clock.advance('31d')
    await world.provider('acme')
    await transparency.sequence()
    const { vkeys: now, successors } = await describeLog(world)
    expect(now).toEqual([second])
    const latest = await showCheckpoint(world)
    expect(parseNote(latest).signatures).toHaveLength(1)
    await expect(verifyCheckpoint(latest, policyOf(first))).rejects.toThrow('did not sign')
    const learned = await withSuccessors(policyOf(first), successors)
    expect(await (await createLogReader(world.address, learned)).findFault(seen)).toBeUndefined()

    const third = await rotate(world)
    await transparency.sequence()
    expect((await withSuccessors(policyOf(first), (await describeLog(world)).successors)).logs).toMatchObject(
      [first, second, third].map((vkey) => ({ key: { keyId: parseVkey(vkey).keyId } })),
    )
    // The chain starts at the key that was pinned: others prove nothing.
    expect((await withSuccessors(policyOf(third), successors)).logs).toHaveLength(1)
  })

  it('signs no tree without its own entry, with two replicas at work', async () => {
    const world = await createWorld({ engine })
    const replicas = [world.registry, (await world.startReplica()).registry]
    const acme = await world.provider('acme')
    await world.registry.transparency.sequence()
    const { keyId } = parseVkey(await rotate(world))
    for (let round = 0; round < 3; round++) {
      await acme.registerModel()
      await Promise.all(replicas.map(({ transparency }) => transparency.sequence()))
      world.clock.advance('4s')
    }
    const reader = await createLogReader(world.address)
    const announced = (await reader.entries()).findIndex(({ type }) => type === 'log_key.successor')
    const rows = await world.database.read.selectFrom('log_checkpoints').selectAll().orderBy('size').execute()
    const bySuccessor = rows.filter(({ note }) => parseNote(note).signatures.some((line) => line.keyId === keyId))
    expect(bySuccessor.length).toBeGreaterThan(0)
    expect(bySuccessor.every(({ size }) => Number(size) > announced)).toBe(true)
    expect(await reader.findFault()).toBeUndefined()
  })
})

describeOnSqlite('a successor that a backup does not have', () => {
  it('is reported when the log is recovered from an export', async () => {
    const world = await createWorld()
    const { transparency } = world.registry
    const folder = await mkdtemp(join(tmpdir(), 'countersign-log-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await transparency.sequence()
    const { size } = await (await createLogReader(world.address)).checkpoint()
    const second = await rotate(world)
    await transparency.sequence()
    await operateLog(world, 'export', folder)
    expect(await operateLog(world, 'show')).toMatch(/signs until[\s\S]*signs since/)
    await world.database.transaction(async (tx) => {
      const { hashes } = await tx
        .selectFrom('log_tiles')
        .select('hashes')
        .where('level', '=', 0)
        .executeTakeFirstOrThrow()
      await tx
        .updateTable('log_tiles')
        .set({ hashes: hashes.subarray(0, size * 32) })
        .execute()
      await tx.deleteFrom('log_entries').where('position', '>=', size).execute()
      await tx.deleteFrom('log_checkpoints').where('size', '>', size).execute()
      await tx.deleteFrom('log_keys').where('signs_until', 'is', null).execute()
      await tx.updateTable('log_keys').set({ signs_until: null }).execute()
      await tx.updateTable('log_state').set({ size, halted: 'restored' }).execute()
    })
    expect(await operateLog(world, 'recover', folder)).toContain(`does not have: ${second}`)
  })
})
