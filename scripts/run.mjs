// `node scripts/run.mjs start …` runs scripts/start.ts, which an older Node cannot parse.
import { fileURLToPath } from 'node:url'
import { isAtLeast, needed } from './node-version.mjs'

if (!isAtLeast(process.versions.node, needed)) {
  process.stderr.write(
    'Countersign needs Node ' +
      needed.join('.') +
      ' or later. This is Node ' +
      process.versions.node +
      '.\n' +
      'The repository brings its own: `node scripts/setup.mjs` installs it, and every `npm run` script uses it.\n' +
      '(npm skips this if its setting `ignore-scripts` is on.)\n',
  )
  process.exit(1)
}

var script = new URL(process.argv[2] + '.ts', import.meta.url)
process.argv.splice(1, 2, fileURLToPath(script))
await import(script.href)
