import { spawnSync } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { parseAst } from 'rolldown/parseAst'

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
// what every call needs is one file, what commands need is another, and what `verify` needs a third.
const files = [
  { name: 'start', tags: ['$initial'], priority: 2 },
  { name: 'run', test: /cli\/src\/run\.ts$/, priority: 1 },
  { name: 'verify', test: /commands\/verify\/verify\.ts$/ },
]

// Without parentheses around a function, V8 compiles it at its first call in each process; with them, together with its file, and Node's
// compile cache keeps the result. That saves a tenth of the time of `verify --offline`.
const compiledWithTheirFile = {
  name: 'compiled-with-their-file',
  generateBundle: (_, bundle) => {
    for (const chunk of Object.values(bundle))
      if (['run', 'verify'].includes(chunk.name)) chunk.code = inParentheses(chunk.code)
  },
}

const inParentheses = (code) => {
  const marks = functionsIn(parseAst(code, { lang: 'js' })).flatMap(({ start, end }) => [
    { at: start, mark: '(' },
    { at: end, mark: ')' },
  ])
  // From the end, so that positions stay valid.
  return marks
    .sort((a, b) => b.at - a.at)
    .reduce((text, { at, mark }) => text.slice(0, at) + mark + text.slice(at), code)
}

/** Arrow functions, which are five of six. */
const functionsIn = (node) =>
  node === null || typeof node !== 'object'
    ? []
    : [...(node.type === 'ArrowFunctionExpression' ? [node] : []), ...Object.values(node).flatMap(functionsIn)]

await rm(out, { recursive: true, force: true })
const bundle = await rolldown({
  input: { main: path('src/main.ts') },
  platform: 'node',
  // An optional dependency, which alone would exceed the size of the package.
  external: ['jq-wasm'],
  preserveEntrySignatures: 'allow-extension',
  resolve: { conditionNames: ['@countersign/source', 'node', 'import', 'default'] },
  plugins: [withoutChildProcess, withoutSchemaCompiler, compiledWithTheirFile],
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
const { stdout, status } = spawnSync(
  process.execPath,
  ['-e', 'require(process.argv[1]).main()', join(out, 'main.js'), '--help'],
  { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, NO_COLOR: '1' } },
)
if (status !== 0) throw new Error('The bundle does not print its help')
await writeFile(join(out, 'help.txt'), stdout)
