import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createDisk } from './support/disk.ts'
import { type Fault, must } from './support/fault.ts'
import { mustKeep } from './support/load.ts'
import { startRegistry } from './support/registry.ts'

/** After a failed sync, what is on the disk is unknown: the process ends, and the next one reads it. */
export const fault: Fault = {
  name: 'disk-failed-sqlite',
  does: 'every write to the disk of SQLite fails',
  run: async (drill) => {
    const disk = await createDisk(drill, 128)
    const registry = await startRegistry(drill, { folder: join(disk.folder, 'data') })
    const links: string[] = []
    for (let index = 0; index < 50; index++) links.push(String((await registry.mint()).body.verification_url))
    await disk.cutPower()
    const started = performance.now()
    while (registry.exits.length === 0) {
      must(performance.now() - started < 10_000, 'the process still runs although its disk has failed')
      const reply = await registry.mint().catch(() => undefined)
      must(reply === undefined || reply.status === 503, `a link got ${reply?.status} although the disk has failed`)
      await wait(20)
    }
    const [exit = ''] = registry.exits
    must(exit.startsWith('70:'), `the process did not exit 70 but ${exit.slice(0, 10)}`)
    must(exit.includes('its disk has failed'), `the log does not say why it ended: ${exit.slice(-500)}`)
    await disk.restorePower()
    await registry.start()
    await mustKeep(registry, links)
    return `exit 70, said in the log; ${links.length} links kept`
  },
}
