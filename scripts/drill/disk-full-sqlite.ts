import { join } from 'node:path'
import { createDisk } from './support/disk.ts'
import type { Fault } from './support/fault.ts'
import { fillUnderLoad } from './support/full-disk.ts'
import { startRegistry } from './support/registry.ts'

export const fault: Fault = {
  name: 'disk-full-sqlite',
  does: 'the disk of SQLite full under load, then freed',
  run: async (drill) => {
    const disk = await createDisk(drill, 128)
    const registry = await startRegistry(drill, { folder: join(disk.folder, 'data') })
    return fillUnderLoad(drill, registry, disk)
  },
}
