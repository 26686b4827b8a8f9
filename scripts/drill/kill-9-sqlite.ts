import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { type Fault, must } from './support/fault.ts'
import { killAmidWrites } from './support/kills.ts'
import { mustLive } from './support/load.ts'
import { startRegistry } from './support/registry.ts'

export const fault: Fault = {
  name: 'kill-9-sqlite',
  does: 'the registry killed amid writes, on SQLite',
  run: async (drill) => {
    const registry = await startRegistry(drill)
    const figures = await killAmidWrites(drill, registry, async () => {
      const database = new Sqlite(join(registry.folder, 'countersign.db'), { readonly: true })
      try {
        const integrity = database.pragma('integrity_check', { simple: true })
        must(integrity === 'ok', `integrity_check says ${integrity}`)
        const one = (text: string) => Number(database.prepare(text).pluck().get())
        return {
          links: one('select count(*) from verifications'),
          duplicates: one(
            'select count(*) from (select api_model_identifier, version_number from models group by 1, 2 having count(*) > 1)',
          ),
        }
      } finally {
        database.close()
      }
    })
    mustLive(registry)
    return `${figures}, integrity_check ok`
  },
}
