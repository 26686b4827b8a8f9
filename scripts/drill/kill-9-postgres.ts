import pg from 'pg'
import { startPostgres } from '../../tests/support/postgres.ts'
import type { Fault } from './support/fault.ts'
import { killAmidWrites } from './support/kills.ts'
import { mustLive } from './support/load.ts'
import { startRegistry } from './support/registry.ts'

export const fault: Fault = {
  name: 'kill-9-postgres',
  does: 'the registry killed amid writes, on PostgreSQL',
  run: async (drill) => {
    const postgres = await startPostgres({ durable: true })
    drill.onEnd(postgres.stop)
    const registry = await startRegistry(drill, postgres.urlOf('postgres'))
    const figures = await killAmidWrites(drill, registry, async () => {
      const client = new pg.Client(postgres.urlOf('postgres'))
      await client.connect()
      try {
        const one = async (text: string) => Number((await client.query(text)).rows[0].count)
        return {
          links: await one('select count(*) from verifications'),
          duplicates: await one(
            'select count(*) from (select 1 from models group by api_model_identifier, version_number having count(*) > 1) as twice',
          ),
        }
      } finally {
        await client.end()
      }
    })
    mustLive(registry)
    return figures
  },
}
