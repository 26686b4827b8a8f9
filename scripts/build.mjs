// `node scripts/build.mjs [sdk server cli web]` rebuilds everything named; setup.mjs builds only what is older than its sources.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startChild } from './start-child.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const bin = `${root}node_modules/.bin`
const stamps = `${root}node_modules/.cache/countersign`

const tsc = (folder) => ['node_modules/typescript/bin/tsc', '-p', `${folder}/tsconfig.build.json`, '--checkers', '1']
const packageFiles = ['package.json', 'tsconfig.json', 'package-lock.json']
const sdkSources = ['sdk/src', 'sdk/package.json', 'sdk/tsconfig.build.json', ...packageFiles]

const targets = {
  sdk: { sources: sdkSources, command: tsc('sdk') },
  server: {
    sources: ['server/src', 'server/package.json', 'server/tsconfig.build.json', ...sdkSources],
    command: tsc('server'),
  },
  cli: { sources: ['cli/src', 'cli/package.json', 'cli/bundle.mjs', ...sdkSources], command: ['cli/bundle.mjs'] },
  web: {
    sources: [
      ...['web/src', 'web/public', 'web/index.html', 'web/package.json', 'web/vite.config.ts', ...sdkSources],
      // Sources of the documentation page.
      ...['docs/samples', 'scripts/generate', 'server/src/trust', 'server/src/http/rate-rules.ts'],
    ],
    command: ['node_modules/vite/bin/vite.js', 'build', 'web', '--logLevel', 'warn'],
  },
}

/** Builds every target that is older than one of its sources. */
export async function buildStale(node = process.execPath) {
  await build(Object.keys(targets).filter(isStale), node)
}

async function build(names, node) {
  // The server needs the SDK's declarations.
  if (names.includes('sdk')) await buildTarget('sdk', node)
  const results = await Promise.allSettled(
    names.filter((name) => name !== 'sdk').map((name) => buildTarget(name, node)),
  )
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}

async function buildTarget(name, node) {
  const startedAt = new Date()
  await run(name, node, targets[name].command)
  if (name === 'server') writeCommit()
  mkdirSync(stamps, { recursive: true })
  writeFileSync(`${stamps}/${name}`, '')
  // The stamp has the time before the build, so files saved during the build are newer.
  utimesSync(`${stamps}/${name}`, startedAt, startedAt)
  process.stderr.write(`Built ${name} (${((Date.now() - startedAt.getTime()) / 1000).toFixed(1)} s)\n`)
}

/** `countersign-server --version` prints it. COUNTERSIGN_COMMIT names it where there is no git, such as in the image. */
function writeCommit() {
  const git = spawnSync('git', ['describe', '--always', '--dirty', '--abbrev=8', '--exclude=*'], { cwd: root })
  const isOwn = existsSync(`${root}.git`) && git.status === 0
  const commit = process.env.COUNTERSIGN_COMMIT || (isOwn ? git.stdout.toString().trim() : '')
  if (commit === '') rmSync(`${root}server/dist/commit.txt`, { force: true })
  else writeFileSync(`${root}server/dist/commit.txt`, `${commit}\n`)
}

function run(name, node, command) {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, NODE_ENV: 'production' }
    const child = startChild(node, command, { cwd: root, env, output: 'pipe' })
    let output = ''
    const keep = (chunk) => {
      output += chunk
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`${output.trimEnd()}\nBuilding ${name} failed: node ${command.join(' ')} exited ${code}.`))
    })
  })
}

function isStale(name) {
  const stamp = statSync(`${stamps}/${name}`, { throwIfNoEntry: false })
  if (!stamp || !existsSync(`${root}${name}/dist`)) return true
  return targets[name].sources.some((source) => isNewer(`${root}${source}`, stamp.mtimeMs))
}

/** Also compares the folder's own time, which changes when a file is added or removed. */
function isNewer(path, time) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat || /\.test\.tsx?$/.test(path)) return false
  if (stat.mtimeMs > time) return true
  return stat.isDirectory() && readdirSync(path).some((entry) => isNewer(`${path}/${entry}`, time))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const named = process.argv.slice(2)
  const names = named.length > 0 ? Object.keys(targets).filter((name) => named.includes(name)) : Object.keys(targets)
  for (const name of names) rmSync(`${root}${name}/dist`, { recursive: true, force: true })
  await build(names, process.execPath).catch((error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  })
}
