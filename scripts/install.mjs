import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isAtLeast, needed } from './node-version.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const lockfile = `${root}package-lock.json`
const stamp = `${root}node_modules/.countersign-installed`
const ownNode = `${root}node_modules/.bin/node`

/** Installs the locked dependencies unless they are installed, and returns the Node to continue with. */
export function install() {
  const lock = createHash('sha256').update(readFileSync(lockfile)).digest('hex')
  if (read(stamp) === lock) return existsSync(ownNode) ? ownNode : usableNode()
  if (!isInstalledByHand()) {
    process.stdout.write('Installing dependencies (npm ci; about a minute the first time)\n')
    runNpm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])
  }
  const node = usableNode()
  writeFileSync(stamp, lock)
  return node
}

/** Whether someone ran npm by hand and the lockfile has not changed since. */
function isInstalledByHand() {
  const npmsOwnStamp = `${root}node_modules/.package-lock.json`
  return !existsSync(stamp) && existsSync(npmsOwnStamp) && statSync(npmsOwnStamp).mtimeMs >= statSync(lockfile).mtimeMs
}

function read(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function runNpm(args) {
  const npm = process.env.npm_execpath
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []]
  const { status, error } = spawnSync(command, [...first, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32' && first.length === 0,
  })
  if (status === 0) return
  throw new Error(
    `The dependencies could not be installed: \`npm ${args.join(' ')}\` ${error ? `did not start (${error.message})` : `exited ${status}`}.\n` +
      'Fix the error that npm shows above, then run the same command again.',
  )
}

/** The Node of the npm package `node`, or the machine's own if that is missing and its own is new enough. */
function usableNode() {
  const { stdout } = spawnSync(ownNode, ['--version'], { encoding: 'utf8' })
  if (stdout && isAtLeast(stdout.trim(), needed)) return ownNode
  if (isAtLeast(process.versions.node, needed)) return process.execPath
  throw new Error(
    `Countersign needs Node ${needed.join('.')} or later. This is Node ${process.versions.node}, and the one from the npm package \`node\` is missing.\n` +
      'npm did not run the install script that downloads it. Either scripts are off (`npm config get ignore-scripts`),\n' +
      'or npm ignores "allowScripts" in package.json (`npm install-scripts approve node`). Allow the script, then run `npm rebuild node`,\n' +
      'or install a newer Node yourself.',
  )
}
