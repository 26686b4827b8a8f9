import { join } from 'node:path'
import { startPostgres } from '../../tests/support/postgres.ts'
import { createDisk } from './support/disk.ts'
import type { Fault } from './support/fault.ts'
import { startAndCut } from './support/power.ts'
import { readPostgres } from './support/stored.ts'

export const fault: Fault = {
  name: 'power-cut-postgres',
  does: 'power lost during and after the first start, for the registry and its PostgreSQL',
  run: (drill) =>
    startAndCut(drill, async (each) => {
      const disk = await createDisk(each, 512)
      const postgres = await startPostgres({ durable: true, disk: disk.folder })
      each.onEnd(postgres.stop)
      const databaseUrl = postgres.urlOf('postgres')
      return {
        options: { databaseUrl, folder: join(disk.folder, 'data') },
        cut: disk.cutPower,
        restore: async () => {
          postgres.signalAll('SIGKILL')
          await postgres.end('SIGKILL')
          await disk.restorePower()
          await postgres.start()
        },
        stored: () => readPostgres(databaseUrl),
      }
    }),
}
