// Prepares a fresh clone: installs what is missing and builds what is stale. Runs on the machine's own Node, before anything is
// installed. Everything afterwards runs on the repository's Node, if there is one for this machine.
import { isAtLeast } from './node-version.mjs'

if (!isAtLeast(process.versions.node, [18, 0, 0])) {
  process.stderr.write('Setting up Countersign needs Node 20 or later. This is Node ' + process.versions.node + '.\n')
  process.exit(1)
}

const { install } = await import('./install.mjs')
const { buildStale } = await import('./build.mjs')

// npm passes a signal only to its shell, which ends without this process.
const parent = process.ppid
if (process.env.npm_lifecycle_event) setInterval(() => process.ppid === parent || process.exit(1), 200).unref()

try {
  const node = await install()
  if (!process.argv.includes('--install-only')) await buildStale(node)
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
