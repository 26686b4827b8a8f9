import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const packages = ['sdk', 'server', 'cli', 'web']

/** Links every installed package. The workspace's own packages are copied. */
const linkModules = (from: string, to: string) => {
  mkdirSync(to)
  for (const name of readdirSync(from)) {
    if (name === '@countersign') cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true })
    else if (!name.startsWith('.vite') && name !== '.cache') symlinkSync(join(from, name), join(to, name))
  }
}

/** Copies the repository, with uncommitted changes, so that tests can run in it. */
export const createScratch = (root: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-breakages-'))
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of files.split('\0').filter((path) => path !== '' && existsSync(join(root, path)))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file), { verbatimSymlinks: true })
  }
  for (const modules of ['node_modules', ...packages.map((name) => `${name}/node_modules`)])
    if (existsSync(join(root, modules))) linkModules(join(root, modules), join(folder, modules))

  const restoreBuilds = () => {
    for (const name of packages) {
      rmSync(join(folder, name, 'dist'), { recursive: true, force: true })
      if (existsSync(join(root, name, 'dist')))
        cpSync(join(root, name, 'dist'), join(folder, name, 'dist'), { recursive: true })
    }
  }
  restoreBuilds()

  return {
    folder,
    restoreBuilds,
    build: (names: readonly string[], signal: AbortSignal) =>
      promisify(execFile)(process.execPath, ['scripts/build.mjs', ...names], { cwd: folder, signal }),
  }
}

export type Scratch = ReturnType<typeof createScratch>
