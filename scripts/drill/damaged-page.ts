import { randomBytes } from 'node:crypto'
import { copyFile, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { type Fault, must } from './support/fault.ts'
import { mustKeep, mustLive, startLoad } from './support/load.ts'
import { startRegistry } from './support/registry.ts'

const pageBytes = 4096

const overwritePage = async (file: string) => {
  const { size } = await stat(file)
  const page = Math.floor((Math.random() * size) / pageBytes)
  const handle = await open(file, 'r+')
  try {
    await handle.write(randomBytes(pageBytes), 0, pageBytes, page * pageBytes)
  } finally {
    await handle.close()
  }
  return page
}

/** Afterwards every page is in use. */
const vacuum = (file: string) => {
  const database = new Sqlite(file)
  database.exec('vacuum')
  database.close()
}

export const fault: Fault = {
  name: 'damaged-page',
  does: 'random bytes in one page of SQLite’s file, before the start',
  run: async (drill) => {
    const registry = await startRegistry(drill)
    const load = startLoad(registry)
    await load.more(1_000)
    const { links } = await load.stop()
    await registry.end('SIGTERM')
    const file = join(registry.folder, 'countersign.db')
    const whole = join(registry.folder, 'whole.db')
    vacuum(file)
    await copyFile(file, whole)
    const starts = drill.times(20)
    for (let round = 0; round < starts; round++) {
      const page = await overwritePage(file)
      const { code, output } = await registry.runToEnd()
      must(code === 70, `page ${page} is damaged, and the registry ended with ${code}: ${output.slice(-500)}`)
      must(/is damaged: .*Restore a backup/.test(output), `the log does not say what is damaged: ${output.slice(-500)}`)
      for (const leftover of ['-wal', '-shm']) await rm(`${file}${leftover}`, { force: true })
      await copyFile(whole, file)
    }
    await registry.start()
    await mustKeep(registry, links)
    mustLive(registry)
    return `${starts} pages, each start exited 70 and said so in the log; ${links.length} links kept with the whole file`
  },
}
