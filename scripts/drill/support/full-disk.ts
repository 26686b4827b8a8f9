import { setTimeout as wait } from 'node:timers/promises'
import type { createDisk } from './disk.ts'
import { type Drill, must } from './fault.ts'
import { ms, mustBeHonest, mustKeep, mustLive, recoveryMs, startLoad } from './load.ts'
import type { Registry } from './registry.ts'

type Disk = Awaited<ReturnType<typeof createDisk>>

/** Links can be checked while the disk is full, and minted again once it is not. */
export const fillUnderLoad = async (drill: Drill, registry: Registry, disk: Disk) => {
  const rounds = drill.times(5)
  const recoveries: number[] = []
  let kept = 0
  let refused = 0
  let slowest = 0
  for (let round = 0; round < rounds; round++) {
    const load = startLoad(registry)
    await load.more(200)
    disk.fill()
    await untilRefused(registry)
    // Space that is freed in the database or its log meanwhile is soon used.
    for (let second = 0; second < 5; second++) {
      disk.fill()
      await wait(1_000)
    }
    await mustKeep(registry, load.links.slice(-500))
    const [ready, writes, live] = await Promise.all(
      ['/readyz', '/readyz?for=writes', '/livez'].map((path) => registry.get(path)),
    )
    must(ready?.status === 200, `/readyz got ${ready?.status} on a full disk: ${ready?.text}`)
    must(writes?.status === 503, `/readyz?for=writes got ${writes?.status} on a full disk: ${writes?.text}`)
    must(live?.status === 200, `/livez got ${live?.status}`)
    disk.free()
    recoveries.push(await recoveryMs(registry))
    await untilReady(registry)
    const result = await load.stop()
    mustBeHonest(result, 1_500, [503, 507])
    mustLive(registry)
    await mustKeep(registry, result.links)
    kept += result.links.length
    refused += result.refused.length
    slowest = Math.max(slowest, result.slowestMs)
  }
  return `${rounds} times, ${refused} requests got 507 or 503 (slowest ${ms(slowest)}), ${kept} links kept, recovery at most ${ms(Math.max(...recoveries))}`
}

const untilRefused = async ({ mint }: Registry) => {
  const started = performance.now()
  while ((await mint({ response: 'Oslo' })).status === 201)
    must(performance.now() - started < 60_000, 'links can still be stored a minute after the disk was filled')
}

/** The result is cached for a second, and a row rejected for lack of space counts for two. */
const untilReady = async ({ get }: Registry) => {
  const started = performance.now()
  while ((await get('/readyz?for=writes')).status !== 200) {
    must(performance.now() - started < 4_000, '/readyz?for=writes is not 200 again')
    await wait(50)
  }
}
