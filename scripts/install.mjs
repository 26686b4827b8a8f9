import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isAtLeast, needed } from './node-version.mjs'
import { startChild } from './start-child.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const lockfile = `${root}package-lock.json`
/** Written last, so that an installation without it is not finished. */
const stamp = `${root}node_modules/.countersign-installed`
/** The ID of the process that installs, from start to end. Not in `node_modules`, which npm empties. */
const unfinished = `${root}.countersign-installing`
const ownNode = `${root}node_modules/.bin/node`
const longestMs = 30 * 60_000
const longestEmptyMs = 5_000

/** Installs the locked dependencies unless they are installed, and returns the Node to continue with. */
export async function install() {
  const lock = createHash('sha256').update(readFileSync(lockfile)).digest('hex')
  for (let isBegun = false; !isBegun; ) {
    await untilOthersEnd()
    if (read(stamp) === lock) return existsSync(ownNode) ? ownNode : usableNode()
    if (isInstalledByHand()) break
    const again = existsSync(unfinished)
    // Another command may have begun since.
    if (isInstalling()) continue
    if (again) rmSync(unfinished, { force: true })
    if (!begin()) continue
    // Or ended.
    if (read(stamp) === lock) {
      rmSync(unfinished, { force: true })
      continue
    }
    isBegun = true
    rmSync(stamp, { force: true })
    process.stdout.write(
      again
        ? 'The last installation was interrupted. Installing dependencies again (npm ci; about a minute)\n'
        : 'Installing dependencies (npm ci; about a minute the first time)\n',
    )
    await runNpm(['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'])
  }
  try {
    const node = usableNode()
    writeFileSync(stamp, lock)
    return node
  } finally {
    rmSync(unfinished, { force: true })
  }
}

/** Two installations in one folder at once would delete each other's files. */
async function untilOthersEnd() {
  if (!isInstalling()) return
  process.stdout.write('Another command is installing the dependencies in this folder. Waiting for it to end\n')
  while (isInstalling()) await setTimeout(200)
}

function isInstalling() {
  try {
    const pid = read(unfinished)
    const ageMs = Date.now() - statSync(unfinished).mtimeMs
    // The file exists a moment before the ID is in it.
    if (pid === '') return ageMs < longestEmptyMs
    // A process that ended long ago may have left its ID to another one.
    return Number(pid) > 0 && ageMs < longestMs && process.kill(Number(pid), 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** False if another command has just begun. */
function begin() {
  try {
    writeFileSync(unfinished, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** Whether someone ran npm by hand, it finished, and the lockfile has not changed since. */
function isInstalledByHand() {
  const npmsOwnStamp = `${root}node_modules/.package-lock.json`
  if (existsSync(unfinished) || existsSync(stamp) || !existsSync(npmsOwnStamp)) return false
  if (statSync(npmsOwnStamp).mtimeMs < statSync(lockfile).mtimeMs) return false
  const { packages } = JSON.parse(readFileSync(lockfile, 'utf8'))
  return Object.keys(packages).every(
    (path) => packages[path].optional || existsSync(`${root}${path ? `${path}/` : ''}package.json`),
  )
}

function read(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

async function runNpm(args) {
  const npm = process.env.npm_execpath
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []]
  const child = startChild(command, [...first, ...args], { cwd: root, output: 'inherit' })
  const status = await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve))
  if (status === 0) return
  throw new Error(
    `The dependencies could not be installed: \`npm ${args.join(' ')}\` ${status === 127 ? 'did not start' : `exited ${status}`}.\n` +
      'Fix the error that npm shows above, then run the same command again.',
  )
}

/** The Node that npm installed. If npm has none for this machine, the machine's own, if it is new enough. */
function usableNode() {
  const { stdout } = spawnSync(ownNode, ['--version'], { encoding: 'utf8' })
  if (stdout && isAtLeast(stdout.trim(), needed)) return ownNode
  if (isAtLeast(process.versions.node, needed)) return process.execPath
  throw new Error(
    `Countersign needs Node ${needed.join('.')} or later. This is Node ${process.versions.node}, and the repository has none that runs here.\n` +
      'Install a newer Node yourself, then run the same command again.',
  )
}
