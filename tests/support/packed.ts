import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from './imports.ts'

export interface Ended {
  exit: number
  output: string
}

/** Runs a program until it exits; `node` is the repository's. */
export const run = (
  command: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<Ended> =>
  new Promise((resolve) => {
    const all = { PATH: process.env.PATH ?? '', HOME: cwd, ...env }
    execFile(command === 'node' ? process.execPath : command, args, { cwd, env: all }, (error, stdout, stderr) =>
      resolve({ exit: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    )
  })

const runWell = async (...call: Parameters<typeof run>) => {
  const { exit, output } = await run(...call)
  if (exit !== 0) throw new Error(`${call[0]} ${call[1].join(' ')} exited ${exit}:\n${output}`)
  return output
}

const versionOf = (name: string): string => JSON.parse(readFileSync(join(root, name, 'package.json'), 'utf8')).version

/** The SDK and the command line as npm would publish them, each installed in an empty folder; `remove` deletes them. */
export const packAndInstall = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-packed-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const npm = (args: readonly string[], cwd: string) =>
    runWell('npm', [...args, '--ignore-scripts', '--offline', '--no-audit', '--no-fund'], cwd)
  const tarballOf = (name: 'sdk' | 'cli') => join(folder, `countersign-${name}-${versionOf(name)}.tgz`)
  await npm(['pack', '--pack-destination', folder, join(root, 'sdk'), join(root, 'cli')], folder)
  const [sdk, cli] = await Promise.all([
    installSdk(folder, tarballOf('sdk')),
    installCli(folder, tarballOf('cli'), npm),
  ])
  return { sdk, cli, remove }
}

/** Unpacked where npm would put it, with linked dependencies, because npm cannot fetch them without a network. */
const installSdk = async (folder: string, tarball: string) => {
  const consumer = join(folder, 'consumer')
  const own = join(consumer, 'node_modules/@countersign/sdk')
  await mkdir(own, { recursive: true })
  await runWell('tar', ['-xzf', tarball, '--strip-components=1', '-C', own], folder)
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'))
  for (const name of [...Object.keys({ ...dependencies, ...peerDependencies }), '@types/node']) {
    const near = join(root, 'sdk/node_modules', name)
    const link = join(consumer, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(existsSync(near) ? near : join(root, 'node_modules', name), link)
  }
  return { tarball, folder: consumer }
}

const installCli = async (
  folder: string,
  tarball: string,
  npm: (args: readonly string[], cwd: string) => Promise<unknown>,
) => {
  const home = join(folder, 'home')
  await mkdir(home)
  await npm(['install', tarball], home)
  return {
    tarball,
    folder: home,
    bytes: (await stat(tarball)).size,
    program: join(home, 'node_modules/.bin/countersign'),
  }
}
