import { startPostgres } from '../../tests/support/postgres.ts'
import type { Fault } from './support/fault.ts'
import { fuzz } from './support/fuzz.ts'
import { startRegistry } from './support/registry.ts'

export const fault: Fault = {
  name: 'fuzz-postgres',
  does: 'malformed requests to every endpoint, on PostgreSQL',
  run: async (drill) => {
    const postgres = await startPostgres()
    drill.onEnd(postgres.stop)
    return fuzz(drill, await startRegistry(drill, { databaseUrl: postgres.urlOf('postgres') }))
  },
}
