import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'

const path = (name) => fileURLToPath(new URL(name, import.meta.url))

// Commander can start other programs as subcommands. We have none, and the module would cost every start.
const withoutChildProcess = {
  name: 'without-child-process',
  resolveId: (source, importer) => (source === 'node:child_process' && importer?.includes('/commander/') ? '\0empty' : null),
  load: (id) => (id === '\0empty' ? 'export default {}' : null),
}

// CommonJS in few files: Node starts it faster than modules, and each command loads only its own.
await rm(path('dist'), { recursive: true, force: true })
const bundle = await rolldown({
  input: { main: path('src/main.ts') },
  platform: 'node',
  preserveEntrySignatures: 'allow-extension',
  resolve: { conditionNames: ['@countersign/source', 'node', 'import', 'default'] },
  plugins: [withoutChildProcess],
})
await bundle.write({
  dir: path('dist'),
  format: 'cjs',
  minify: true,
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
})
await bundle.close()
await writeFile(path('dist/package.json'), '{ "type": "commonjs" }\n')

// Most who ask for help ask for the first page.
const { stdout: help } = await promisify(execFile)(process.execPath, [path('bin/countersign.cjs'), '--help'])
await writeFile(path('dist/help.txt'), help)
