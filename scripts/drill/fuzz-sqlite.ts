import type { Fault } from './support/fault.ts'
import { fuzz } from './support/fuzz.ts'
import { startRegistry } from './support/registry.ts'

export const fault: Fault = {
  name: 'fuzz-sqlite',
  does: 'malformed requests to every endpoint, on SQLite',
  run: async (drill) => fuzz(drill, await startRegistry(drill)),
}
