import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createPostgresDatabase, startPostgres } from '../../tests/support/postgres.ts'
import { type Drill, type Fault, must } from './support/fault.ts'
import { mustKeep, startLoad } from './support/load.ts'
import { installRegistry, type Registry, startRegistry } from './support/registry.ts'

const fillAndStop = async (registry: Registry) => {
  const load = startLoad(registry)
  await load.more(100)
  const { links } = await load.stop()
  await registry.end('SIGTERM')
  return links
}

const mustRefuse = async ({ runToEnd }: Pick<Registry, 'runToEnd'>, expected: RegExp) => {
  const { code, output } = await runToEnd()
  must(code === 1 && expected.test(output), `it ended with ${code}: ${output.slice(-500)}`)
}

const onSqlite = async (drill: Drill) => {
  const registry = await startRegistry(drill)
  const links = await fillAndStop(registry)
  const file = join(registry.folder, 'countersign.db')
  await rename(file, `${file}.moved`)
  await mustRefuse(registry, /countersign\.db is missing or empty.*--new-registry/)
  await rename(`${file}.moved`, file)
  await registry.start()
  await mustKeep(registry, links)
  return links.length
}

const onPostgres = async (drill: Drill) => {
  const postgres = await startPostgres()
  drill.onEnd(postgres.stop)
  const databaseUrl = postgres.urlOf('postgres')
  const registry = await startRegistry(drill, { databaseUrl })
  const links = await fillAndStop(registry)
  const elsewhere = (url: string) => installRegistry(drill, { databaseUrl: url, folder: registry.folder })
  const empty = await createPostgresDatabase(databaseUrl, 'empty')
  await mustRefuse(await elsewhere(empty), /is missing or empty.*--new-registry/)
  await mustRefuse(await elsewhere(postgres.urlOf('nowhere')), /cannot be used: database "nowhere" does not exist/)
  await registry.start()
  await mustKeep(registry, links)
  return links.length
}

export const fault: Fault = {
  name: 'database-missing',
  does: 'the database of a used registry moved away, empty or not there',
  run: async (drill) => {
    const kept = (await onSqlite(drill)) + (await onPostgres(drill))
    return `3 starts refused, each with the reason; ${kept} links kept`
  },
}
