import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build, defineConfig, type Plugin } from 'vite'

/** sonner adds a style element on import, which the content security policy blocks; its stylesheet is imported instead. */
const stripSonnerStyles = (): Plugin => ({
  name: 'strip-sonner-styles',
  enforce: 'pre',
  transform(code, id) {
    if (!/\/sonner\/dist\/index\.mjs/.test(id)) return null
    const stripped = code.replace(/^__insertCSS\(".*"\);?$/m, '')
    if (stripped === code) throw new Error('sonner no longer inserts its styles as it did: look at web/vite.config.ts')
    return { code: stripped, map: null }
  },
})

/** zod includes JSON Schema conversion with every schema; the console never uses it. */
const stripJsonSchema = (): Plugin => ({
  name: 'strip-json-schema',
  apply: 'build',
  transform(code, id) {
    if (!/\/zod\/v4\/core\/json-schema-processors\.js/.test(id)) return null
    const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
    if (names.length === 0) throw new Error('zod no longer writes JSON Schema as it did: look at web/vite.config.ts')
    return { code: names.map((name) => `export const ${name} = undefined`).join('\n'), map: null }
  },
})

/** Lucide's icons have keys, without which React only warns, and only in development. Without them, the code of a link is 310 bytes smaller. */
const stripIconKeys = (): Plugin => ({
  name: 'strip-icon-keys',
  apply: 'build',
  transform(code, id) {
    if (!/\/lucide-react\/dist\/esm\/icons\/(?!index\.)/.test(id)) return null
    const stripped = code.replace(/,\s+key: "\w+"/g, '')
    if (stripped === code) throw new Error('Icons no longer have keys: look at web/vite.config.ts')
    return { code: stripped, map: null }
  },
})

/** Every page needs the text font before the stylesheet has loaded. */
const preloadTextFont = (): Plugin => ({
  name: 'preload-text-font',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle }) {
      const font = Object.keys(bundle ?? {}).find((file) => /public-sans-latin-wght-normal.*\.woff2$/.test(file))
      if (font === undefined) throw new Error('The text font is not in the build: look at web/src/theme.css')
      return [
        {
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${font}` },
          injectTo: 'head',
        },
      ]
    },
  },
})

/** Stores compressed copies beside compressible files, so that the server never compresses while someone waits. */
const packFiles = (): Plugin => ({
  name: 'pack-files',
  apply: 'build',
  writeBundle({ dir = '' }, bundle) {
    for (const name of Object.keys(bundle).filter((file) => /\.(js|css|svg|json)$/.test(file))) {
      const bytes = readFileSync(join(dir, name))
      if (bytes.length < 1_000) continue
      writeFileSync(
        join(dir, `${name}.br`),
        brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
      )
      writeFileSync(join(dir, `${name}.gz`), gzipSync(bytes, { level: 9 }))
    }
  },
})

/** Selects the message files in `src/messages`; a translation is a folder with the same files. */
const language = process.env.WEB_LANGUAGE ?? 'en'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Computes the documentation's API reference from the contract during the build. */
const computeReference = (): Plugin => {
  const exported: Readonly<Record<string, 'reference' | 'endpointDetails'>> = {
    '\0virtual:reference': 'reference',
    '\0virtual:endpoint-details': 'endpointDetails',
  }
  const compute = () =>
    execFileSync(process.execPath, ['--conditions=@countersign/source', 'scripts/generate/docs-page.ts'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1 << 24,
    })
  let computed: string | undefined
  return {
    name: 'compute-reference',
    resolveId: (id) => (Object.hasOwn(exported, `\0${id}`) ? `\0${id}` : null),
    load(id) {
      const name = exported[id]
      if (name === undefined) return null
      computed ??= compute()
      // As a string, because browsers parse JSON faster than an object literal of this size.
      return `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(JSON.parse(computed)[name]))})`
    },
  }
}

const conditions = ['@countersign/source', 'module', 'browser', 'development|production']

/** Files that other sites load have a permanent name and no separate chunks. */
const buildBadge = (): Plugin => {
  let outDir = ''
  return {
    name: 'build-badge',
    apply: 'build',
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir)
    },
    async closeBundle() {
      await build({
        configFile: false,
        logLevel: 'warn',
        root: fileURLToPath(new URL('./', import.meta.url)),
        resolve: { conditions },
        publicDir: false,
        plugins: [packFiles()],
        build: {
          outDir,
          emptyOutDir: false,
          lib: {
            entry: fileURLToPath(new URL('./src/badge.ts', import.meta.url)),
            formats: ['es'],
            fileName: () => 'badge.js',
          },
        },
      })
    },
  }
}

/** On slow networks, each file costs more than a few unused bytes. */
const groups = [
  // Needed by every page.
  { name: 'start', tags: ['$initial'] satisfies ['$initial'], priority: 2 },
  // Small parts that most pages show. Only forms with passwords show the eye icons.
  {
    name: 'parts',
    test: /\/ui\/\w+\/(chip|copy-button|digest-strip|empty|external-link|facts|hex|section|skeleton|status-chip|web-address)\.tsx?$|\/hooks\/use-steady-loading\.ts$|\/sdk\/src\/(words\/quotation|verify\/proven-domain)\.ts$|\/lucide-react\/(?!.*\/eye)/,
    minShareCount: 3,
    includeDependenciesRecursively: false,
    priority: 1,
  },
  // The words and shapes of a link's result, which its page, the samples and the challenge show.
  {
    name: 'outcome',
    test: /\/sdk\/src\/words\/(link-screen|link-words|shapes)\.ts$|\/messages\/\w+\/pages\/link\.ts$|\/features\/link\/(shape\.tsx|answer\/headline\.ts)$/,
    includeDependenciesRecursively: false,
    priority: 1,
  },
]

/** The router's package resolves to its development files, whose warnings are useless in a build. */
const routerForVisitors = (file: string) => join(root, 'node_modules/react-router/dist/production', file)

const api = process.env.API_URL ?? 'http://localhost:4100'

export default defineConfig(({ command }) => ({
  plugins: [
    packFiles(),
    computeReference(),
    stripSonnerStyles(),
    stripJsonSchema(),
    stripIconKeys(),
    react(),
    tailwindcss(),
    preloadTextFont(),
    buildBadge(),
  ],
  resolve: {
    alias: [
      { find: '#messages', replacement: fileURLToPath(new URL(`./src/messages/${language}`, import.meta.url)) },
      ...(command === 'build'
        ? [
            { find: /^react-router$/, replacement: routerForVisitors('index.mjs') },
            { find: /^react-router\/dom$/, replacement: routerForVisitors('dom-export.mjs') },
          ]
        : []),
    ],
    conditions,
  },
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    manifest: true,
    // All supported browsers know modulepreload.
    modulePreload: { polyfill: false },
    // Inlined assets would need data: in the content security policy for fonts.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 450,
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  optimizeDeps: { exclude: ['sonner'] },
  server: { proxy: { '/api': api, '/.well-known': api, '/openapi.json': api } },
}))
