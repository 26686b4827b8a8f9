import { expect, it } from 'vitest'
import type { Database } from '../../server/src/db/engine.ts'
import type { Tx } from '../../server/src/db/schema.ts'
import { describeEachEngine, type Engine } from '../support/databases.ts'
import { forgeries } from '../support/forge-log.ts'
import { createLogReader } from '../support/log-reader.ts'
import { createWorld, type World } from '../support/world.ts'

const countPending = async ({ database }: Pick<World, 'database'>) =>
  (await database.read.selectFrom('log_pending').select('id').execute()).length

type Work = <T>(work: (tx: Tx) => Promise<T>) => (tx: Tx) => Promise<T>

/** What happens inside the transactions that do not wait for the disk, and before the disk is waited for. */
interface Ends {
  around: Work
  beforeSync: () => void
}

const createEndingWorld = async (engine: Engine) => {
  const never: Ends = { around: (work) => work, beforeSync: () => {} }
  const ends: Ends = { ...never }
  const wrapDatabase = (database: Database): Database => ({
    ...database,
    quickTransaction: (work) => database.quickTransaction(ends.around(work)),
    sync: async () => {
      ends.beforeSync()
      await database.sync()
    },
  })
  const world = await createWorld({ engine, wrapDatabase })
  return { world, end: (how: Partial<Ends>) => Object.assign(ends, never, how) }
}

describeEachEngine('the log', (engine) => {
  it('has each entry once, in a tree that clients can check, and grows without changing', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const { transparency } = world.registry
    await transparency.sequence()
    const reader = await createLogReader(world.address)
    const first = await reader.checkpoint()
    expect(first.origin).toBe(`${new URL(world.publicUrl).host}/log`)
    expect(await reader.findFault()).toBeUndefined()
    expect((await reader.entries()).map(({ type }) => type)).toEqual([
      'registry_key.added',
      'registry_key.added',
      'provider.named',
      'domain.proven',
      'domain.primary',
      'log.opened',
    ])

    await acme.registerModel()
    await transparency.sequence()
    await transparency.sequence()
    expect((await reader.entries()).slice(first.size).map(({ type }) => type)).toEqual(['version.registered'])
    expect(await reader.findFault(first)).toBeUndefined()
    expect(await countPending(world)).toBe(0)
  })

  it('stays one tree with three replicas that write at the same time', async () => {
    const world = await createWorld({ engine })
    const replicas = [world.registry, (await world.startReplica()).registry, (await world.startReplica()).registry]
    const acme = await world.provider('acme')
    const reader = await createLogReader(world.address)
    for (let round = 0; round < 4; round++) {
      await acme.registerModel()
      await Promise.all(replicas.map(({ transparency }) => transparency.sequence()))
      // The lease of the writer ends, so that another one takes over.
      world.clock.advance('4s')
    }
    const { size } = await reader.checkpoint()
    expect(await countPending(world)).toBe(0)
    expect(size).toBe(10)
    expect(await reader.findFault()).toBeUndefined()
  })

  it('is unchanged if writing ends at any statement, and complete after the next attempt', async () => {
    const { world, end } = await createEndingWorld(engine)
    const acme = await world.provider('acme')
    await world.registry.transparency.sequence()
    const reader = await createLogReader(world.address)
    let statements = 0
    for (let last = 1; last <= statements + 1; last++) {
      await acme.registerModel()
      const before = await reader.checkpoint()
      statements = 0
      const count = () => {
        if (++statements >= last) throw new Error('killed')
      }
      // A killed process leaves behind only what it had committed.
      end({
        beforeSync: count,
        around: (work) => async (tx) => {
          const ending = new Proxy(tx, {
            get: (target, name) => {
              const member = Reflect.get(target, name)
              if (typeof member !== 'function' || !/From|Table|Into/.test(String(name))) return member
              return (...args: unknown[]) => {
                count()
                return member.apply(target, args)
              }
            },
          })
          const result = await work(ending)
          if (last > statements) return result
          throw new Error('killed')
        },
      })
      await world.registry.transparency.sequence().catch(() => {})
      end({})
      if (last <= statements) expect((await reader.checkpoint()).size).toBe(before.size)
      await world.registry.transparency.sequence()
      expect((await reader.checkpoint()).size).toBe(before.size + 1)
      expect(await reader.findFault(before)).toBeUndefined()
    }
    expect(statements).toBeGreaterThan(10)
  })

  it('signs the same tree again if a power cut undid what it had shown, even with more entries pending', async () => {
    const { world, end } = await createEndingWorld(engine)
    const acme = await world.provider('acme')
    const { transparency } = world.registry
    await transparency.sequence()
    await acme.registerModel()
    await acme.registerModel()
    const shown: string[] = []
    const cut: Work = (work) => async (tx) => {
      const result = await work(tx)
      if ((await tx.selectFrom('log_pending').select('id').execute()).length > 0) return result
      const signed = await tx.selectFrom('log_checkpoints').select('note').orderBy('size', 'desc').executeTakeFirst()
      shown.push(signed?.note ?? '')
      throw new Error('power cut')
    }
    // Only the places of the entries were durable, not the transaction that signed them.
    end({ around: cut })
    await expect(transparency.sequence()).rejects.toThrow('power cut')
    end({})
    await acme.registerModel()
    await world.database.transaction((tx) =>
      tx.updateTable('log_pending').set({ at: 1 }).where('position', 'is', null).execute(),
    )
    await transparency.prepare()
    expect([(await transparency.checkpoint())?.note]).toEqual(shown)
    await transparency.sequence()
    expect(await (await createLogReader(world.address)).findFault()).toBeUndefined()
    expect(await countPending(world)).toBe(0)
  })

  it('signs nothing before its place is on the disk', async () => {
    const { world, end } = await createEndingWorld(engine)
    const acme = await world.provider('acme')
    const { transparency } = world.registry
    await transparency.sequence()
    const before = await transparency.checkpoint()
    await acme.registerModel()
    end({
      beforeSync: () => {
        throw new Error('The disk failed')
      },
    })
    await expect(transparency.sequence()).rejects.toThrow('The disk failed')
    expect(await transparency.checkpoint()).toEqual(before)
    end({})
    await transparency.sequence()
    expect((await transparency.checkpoint())?.size).toBeGreaterThan(before?.size ?? 0)
  })

  it.each(Object.keys(forgeries))('cannot hide %s from a client that has seen an earlier checkpoint', async (name) => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    await acme.registerModel()
    const { transparency } = world.registry
    await transparency.sequence()
    const reader = await createLogReader(world.address)
    const seen = await reader.checkpoint()
    await world.database.transaction(async (tx) => forgeries[name]?.(tx))
    for (let more = 0; more < 6; more++) await acme.registerModel()
    await transparency.sequence().catch(() => {})
    expect(await reader.findFault(seen)).toBeDefined()
  })
})
