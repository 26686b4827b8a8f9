import { rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const path = (name) => fileURLToPath(new URL(name, import.meta.url))
const out = process.argv[2] ?? path('dist')

// Commander lays out help and can start other programs as subcommands. We have none, and the module would cost start time.
const withoutChildProcess = {
  name: 'without-child-process',
  resolveId: (source, importer) =>
    source === 'node:child_process' && importer?.includes('/commander/') ? '\0empty' : null,
  load: (id) => (id === '\0empty' ? 'export default {}' : null),
}

// MCP servers use it to check answers from people. Ours asks no questions, and the schema compiler is a third of the protocol's code.
const withoutSchemaCompiler = {
  name: 'without-schema-compiler',
  resolveId: (source) => (source === '@modelcontextprotocol/server/_shims' ? '\0shims' : null),
  load: (id) =>
    id === '\0shims'
      ? "export { default as process } from 'node:process'; export class DefaultJsonSchemaValidator {}"
      : null,
}

// CommonJS in few files: Node starts it faster than modules, and each command loads only its own. Every file costs a lookup, so
// what every call needs is one file, and what `verify` needs is another.
const files = [
  { name: 'start', tags: ['$initial'], priority: 1 },
  { name: 'verify', test: /commands\/verify\/verify\.ts$/ },
]

await rm(out, { recursive: true, force: true })
const bundle = await rolldown({
  input: { main: path('src/main.ts') },
  platform: 'node',
  // An optional dependency, which alone would exceed the size of the package.
  external: ['jq-wasm'],
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

// The first page of help is the one most people ask for: render it once, here.
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
