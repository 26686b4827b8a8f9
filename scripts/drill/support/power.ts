import { setTimeout as wait } from 'node:timers/promises'
import { type Drill, must } from './fault.ts'
import { describeKills, killAmidWrites } from './kills.ts'
import { type InstallOptions, installRegistry, startRegistry } from './registry.ts'

interface Machine {
  options: InstallOptions
  /** From now on, nothing reaches the disk. */
  cut: () => Promise<unknown>
  /** Starts the machine again, without the registry. */
  restore: () => Promise<unknown>
  stored: () => Promise<{ links: number; duplicates: number }>
}

type Each = Pick<Drill, 'onEnd'>

/**
 * Cuts the power at random moments: while a new registry starts for the first time, and soon after, during writes. It must start again with
 * every acknowledged write.
 */
export const startAndCut = async (drill: Drill, build: (each: Each) => Promise<Machine>) => {
  const machines = drill.times(10)
  const total = { acknowledged: 0, unknown: 0 }
  for (let round = 0; round < machines; round++) {
    await withUndo(async (each) => cutDuringFirstStart(each, await build(each)))
    const { acknowledged, unknown } = await withUndo(async (each) => cutDuringWrites(drill, each, await build(each)))
    total.acknowledged += acknowledged
    total.unknown += unknown
  }
  return `${machines} cuts during the first start; after it ${describeKills(machines * 2, total)}`
}

const cutDuringFirstStart = async (each: Each, { options, cut, restore }: Machine) => {
  const registry = await installRegistry(each, options)
  const { child } = registry.launch()
  await wait(Math.random() * 2_000)
  must(child.exitCode === null, `the first start ended with ${child.exitCode}\n${registry.log()}`)
  await cut()
  await registry.end('SIGKILL')
  await restore()
  await registry.start()
}

const cutDuringWrites = async (drill: Drill, each: Each, { options, cut, restore, stored }: Machine) => {
  const registry = await startRegistry(each, options)
  return killAmidWrites(drill, {
    registry,
    kills: 2,
    countsUntilEnd: false,
    perRound: () => 20 + Math.floor(Math.random() * 200),
    kill: async () => {
      await cut()
      await registry.end('SIGKILL')
      await restore()
    },
    stored,
  })
}

const withUndo = async <T>(work: (each: Each) => Promise<T>): Promise<T> => {
  const undoing: (() => unknown)[] = []
  try {
    return await work({ onEnd: (undo) => undoing.push(undo) })
  } finally {
    for (const undo of undoing.reverse()) await undo()
  }
}
