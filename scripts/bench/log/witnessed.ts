import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { formatVkey, parsePolicy } from '@countersign/sdk/log'
import { openWitnessKey } from '../../../cli/src/commands/log/witness/witness-key.ts'
import { findCheckpoint, listCosignedSizes, listEntries } from '../../../server/src/transparency/tree-store.ts'
import { hasQuorum } from '../../../server/src/transparency/witnesses.ts'
import { freePort } from '../processes.ts'
import { root } from '../world.ts'
import { addPending, createLog, pendingRow } from './log.ts'

const perSecond = 100
const seconds = 20

const percentile = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN

/** Milliseconds from the commit of an entry until a checkpoint with it has the cosignatures of two of three witnesses. */
export const measureCosigned = async (folder: string) => {
  mkdirSync(folder, { recursive: true })
  const witnesses = await Promise.all(
    ['north', 'south', 'west'].map(async (name) => {
      const state = join(folder, name)
      const { key } = openWitnessKey(state, `${name}.example`)
      const address = `127.0.0.1:${await freePort()}`
      return { state, address, name: key.name, line: `witness ${key.name} ${formatVkey(key)} http://${address}\n` }
    }),
  )
  const lines = witnesses.map(({ line }) => line).join('')
  const policy = parsePolicy(`${lines}group two 2 ${witnesses.map(({ name }) => name).join(' ')}\nquorum two\n`)
  const { database, log } = await createLog(folder, { policy })
  const { vkeys = [] } = (await log.describe()) ?? {}
  const policyFile = join(folder, 'logs.policy')
  writeFileSync(policyFile, `${vkeys.map((vkey) => `log ${vkey}\n`).join('')}quorum none\n`)
  const program = join(root, 'cli/bin/countersign.cjs')
  const processes = witnesses.map(({ state, address }) =>
    spawn(
      process.execPath,
      [program, 'log', 'witness', '--policy', policyFile, '--state', state, '--listen', address],
      {
        stdio: 'ignore',
      },
    ),
  )
  try {
    for (const { address } of witnesses)
      for (const until = Date.now() + 30_000; Date.now() < until; await wait(100))
        if (
          await fetch(`http://${address}/`).then(
            () => true,
            () => false,
          )
        )
          break
    const committed = new Map<string, number>()
    const took: number[] = []
    log.start()
    const add = async () => {
      const started = performance.now()
      for (let index = 0; index < perSecond * seconds; index++) {
        const row = pendingRow(index)
        await wait(Math.max(0, started + index * (1_000 / perSecond) - performance.now()))
        await database.transaction((tx) => addPending(tx, [row]))
        committed.set(row.id, performance.now())
      }
    }
    const watch = async () => {
      for (let first = 0; took.length < perSecond * seconds; await wait(20)) {
        for (const size of await listCosignedSizes(database.read, 5)) {
          const checkpoint = size > first ? await findCheckpoint(database.read, size) : undefined
          if (!checkpoint || !hasQuorum(policy, checkpoint)) continue
          const now = performance.now()
          for (const { id } of await listEntries(database.read, { first, end: size })) {
            const at = committed.get(id)
            if (at !== undefined) took.push(now - at)
          }
          first = size
          break
        }
      }
    }
    await Promise.all([add(), watch()])
    return { perSecond, count: took.length, p50: percentile(took, 0.5), p99: percentile(took, 0.99) }
  } finally {
    await log.stop()
    for (const child of processes) child.kill()
    await database.close()
  }
}
