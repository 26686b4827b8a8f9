// Makes a fresh clone ready: installs what is missing and builds what is stale. Runs on the machine's own Node, before anything is
// installed; everything after it runs on the Node that the repository brings (the npm package `node`).
import { isAtLeast } from './node-version.mjs'

if (!isAtLeast(process.versions.node, [18, 0, 0])) {
  process.stderr.write('Setting up Countersign needs Node 20 or newer to start with; this is Node ' + process.versions.node + '.\n')
  process.exit(1)
}

const { install } = await import('./install.mjs')
const { buildStale } = await import('./build.mjs')

try {
  const node = install()
  if (!process.argv.includes('--install-only')) await buildStale(node)
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
