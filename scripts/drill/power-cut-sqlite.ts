import { join } from 'node:path'
import { createDisk } from './support/disk.ts'
import type { Fault } from './support/fault.ts'
import { startAndCut } from './support/power.ts'
import { readSqlite } from './support/stored.ts'

export const fault: Fault = {
  name: 'power-cut-sqlite',
  does: 'power lost during and after the first start, on SQLite',
  run: (drill) =>
    startAndCut(drill, async (each) => {
      const disk = await createDisk(each, 128)
      const folder = join(disk.folder, 'data')
      return {
        options: { folder },
        cut: disk.cutPower,
        restore: disk.restorePower,
        stored: () => readSqlite(folder),
      }
    }),
}
