import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Debian's packages, unpacked into a folder: nothing is installed, and root is not needed. Undefined where that is impossible. */
export const unpackFromDebian = async (names: readonly string[]): Promise<string | undefined> => {
  const folder = join(tmpdir(), `countersign-${names.join('-')}`)
  const root = join(folder, 'root')
  if (existsSync(join(root, 'usr'))) return root
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    await run('apt-get', ['download', ...names], { cwd: folder, timeout: 60_000 })
    for (const name of readdirSync(folder).filter((one) => one.endsWith('.deb')))
      await run('dpkg-deb', ['-x', name, root], { cwd: folder })
    return root
  } catch {
    return undefined
  }
}
