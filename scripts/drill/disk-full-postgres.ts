import { startPostgres } from '../../tests/support/postgres.ts'
import { createDisk } from './support/disk.ts'
import type { Fault } from './support/fault.ts'
import { fillUnderLoad } from './support/full-disk.ts'
import { startRegistry } from './support/registry.ts'

/** If the disk of its write-ahead log is full, PostgreSQL stops: see `postgres-stopped`. */
export const fault: Fault = {
  name: 'disk-full-postgres',
  does: 'the disk of PostgreSQL’s tables full under load, then freed',
  run: async (drill) => {
    const disk = await createDisk(drill, 256)
    const postgres = await startPostgres({ disk: disk.folder, isLogApart: true })
    drill.onEnd(postgres.stop)
    const registry = await startRegistry(drill, { databaseUrl: postgres.urlOf('postgres') })
    return fillUnderLoad(drill, registry, disk)
  },
}
