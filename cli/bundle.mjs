import { rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const path = (name) => fileURLToPath(new URL(name, import.meta.url))
const out = process.argv[2] ?? path('dist')

// Commander can start other programs as subcommands. We have none, and the module would cost every start.
const withoutChildProcess = {
  name: 'without-child-process',
  resolveId: (source, importer) => (source === 'node:child_process' && importer?.includes('/commander/') ? '\0empty' : null),
  load: (id) => (id === '\0empty' ? 'export default {}' : null),
}

// What MCP servers check answers of people with. Ours asks nobody, and the compiler of schemas is a third of the protocol's code.
const withoutSchemaCompiler = {
  name: 'without-schema-compiler',
  resolveId: (source) => (source === '@modelcontextprotocol/server/_shims' ? '\0shims' : null),
  load: (id) => (id === '\0shims' ? "export { default as process } from 'node:process'; export class DefaultJsonSchemaValidator {}" : null),
}

// CommonJS in few files: Node starts it faster than modules, and each command loads only its own. What every call needs is
// one file, and what `verify` needs is another, because each file costs a search for it.
const files = [
  { name: 'start', tags: ['$initial'], priority: 1 },
  { name: 'verify', test: /plain-verify\.ts$/ },
]

await rm(out, { recursive: true, force: true })
const bundle = await rolldown({
  input: { main: path('src/main.ts') },
  platform: 'node',
  preserveEntrySignatures: 'allow-extension',
  resolve: { conditionNames: ['@countersign/source', 'node', 'import', 'default'] },
  plugins: [withoutChildProcess, withoutSchemaCompiler],
})
await bundle.write({
  dir: out,
  format: 'cjs',
  minify: true,
  codeSplitting: { groups: files },
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
})
await bundle.close()
await writeFile(join(out, 'package.json'), '{ "type": "commonjs" }\n')

// Most who ask for help ask for the first page: it is rendered here, once.
let help = ''
const { run } = createRequire(import.meta.url)(join(out, 'main.js'))
const sink = (write) => ({ write, isTerminal: false })
await run(['--help'], {
  env: {},
  cwd: out,
  stdout: sink((text) => {
    help += text
  }),
  stderr: sink(() => {}),
  signal: new AbortController().signal,
})
await writeFile(join(out, 'help.txt'), help)
