import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { must } from './fault.ts'

export const run = promisify(execFile)

const isInstalled = (program: string) =>
  run('sh', ['-c', `command -v ${program}`]).then(
    () => true,
    () => false,
  )

/** Installs Debian packages whose programs are missing. */
export const installPrograms = async (packageOf: Readonly<Record<string, string>>) => {
  const missing: string[] = []
  for (const [program, name] of Object.entries(packageOf)) if (!(await isInstalled(program))) missing.push(name)
  if (missing.length === 0) return
  mustBeRoot(`installs ${missing.join(' and ')}`)
  await run('apt-get', ['install', '-y', '--no-install-recommends', ...missing], { timeout: 300_000 })
}

export const mustBeRoot = (why: string) => must(process.getuid?.() === 0, `This fault ${why}: run the drill as root`)
