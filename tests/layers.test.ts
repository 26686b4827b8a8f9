import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Import, importsOf, parseImports, root, sourceFiles } from './support/imports.ts'

interface Layer {
  name: string
  files: RegExp
  /** Its allowed imports: paths from the root of the repository, and packages. */
  may: readonly RegExp[]
  /** Imports allowed for types only. */
  mayType?: readonly RegExp[]
}

const contract = [/^@countersign\/sdk\/contract$/]
/** What checks a call's options. */
const checkOfOptions = /^sdk\/src\/verify\/(check-options|refuse-unknown)\.ts$/
const sdkContract = [/^sdk\/src\/contract\//]
/** Small enough for the verifier and the fast commands of the command line. */
const plainContract = /^sdk\/src\/contract\/(ids|limits|same-files|text)\.ts$/
const verify = [/^@countersign\/sdk\/(verify|verify\/link-codes|words|words\/samples)$/]
/** What other people may read of a name. */
const nameRules = /^server\/src\/names\/rules\.ts$/
const transparency = [/^@countersign\/sdk\/log(\/(tiles|entries|names))?$/]
/** External packages. */
const packages = /^(?!@countersign\/|node:|(sdk|server|cli|web|tests|scripts)\/)/
/** Computation without side effects. */
const secrets = /^server\/src\/(secrets|networks|markup)\.ts$/
const pure = [/^node:(crypto|zlib|buffer)$/, /^tldts$/]
const services = [/^server\/src\/[\w-]+\/service\.ts$/, /^server\/src\/search\/listings\.ts$/]
const own = (file: string) => file.slice(0, file.lastIndexOf('/') + 1)

/** The only features of the console that import another feature. */
const sharedFeatures: Readonly<Record<string, readonly string[]>> = {
  challenge: ['link'],
  dashboard: ['account', 'models'],
  link: ['not-found', 'reports'],
  models: ['link', 'reports'],
}

const folders = (folder: string) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

/** The table of "The path of a request". The first row that matches a file is its layer. */
const layers: readonly Layer[] = [
  { name: 'contract modules without zod', files: plainContract, may: [plainContract] },
  {
    name: 'contract',
    files: /^sdk\/src\/contract\//,
    may: [/^zod$/, ...sdkContract, /^sdk\/src\/words\/quotation\.ts$/],
  },
  {
    name: 'a Node primitive of verify',
    files: /^sdk\/src\/verify\/[\w-]+-node\.ts$/,
    may: [/^node:(crypto|buffer)$/, /^sdk\/src\/verify\//],
    mayType: sdkContract,
  },
  {
    name: 'verify',
    files: /^sdk\/src\/verify\//,
    may: [/^#\w+$/, /^sdk\/src\/verify\//, plainContract],
    mayType: sdkContract,
  },
  {
    name: 'a Node primitive of the log',
    files: /^sdk\/src\/log\/[\w-]+-node\.ts$/,
    may: [/^node:crypto$/],
  },
  {
    name: 'log of a verdict',
    files: /^sdk\/src\/log\/(facts|pin)\//,
    may: [/^#\w+$/, /^sdk\/src\/(log|verify)\//],
    mayType: sdkContract,
  },
  {
    name: 'log',
    files: /^sdk\/src\/log\//,
    may: [
      /^#\w+$/,
      /^sdk\/src\/log\//,
      /^sdk\/src\/contract\/lookalike(s|-table)\.ts$/,
      /^sdk\/src\/verify\/values\.ts$/,
    ],
  },
  {
    name: 'integrity',
    files: /^sdk\/src\/integrity\//,
    may: [
      /^sdk\/src\/(integrity\/|words\/quotation)/,
      ...sdkContract,
      /^node:crypto$/,
      /^zod$/,
      /^@sigstore\//,
      /^@noble\/curves\//,
    ],
  },
  {
    name: 'words',
    files: /^sdk\/src\/words\//,
    may: [/^sdk\/src\/words\//],
    mayType: [...sdkContract, /^sdk\/src\/verify\//],
  },
  { name: 'badge', files: /^sdk\/src\/badge\//, may: [/^sdk\/src\/(badge|verify|words)\//], mayType: sdkContract },
  {
    name: 'sdk testing',
    files: /^sdk\/src\/testing\//,
    may: [/^sdk\/src\/(testing|contract|verify)\//],
    mayType: [/^zod$/],
  },
  { name: 'sdk node', files: /^sdk\/src\/node\//, may: [/^sdk\/src\//, /^node:/, /^undici$/, /^@noble\/hashes\//] },
  {
    name: 'guard',
    files: /^sdk\/src\/guard\//,
    // A guard is made for an issuer.
    may: [
      /^sdk\/src\/(guard|verify)\//,
      /^sdk\/src\/contract\/(lookalikes|lookalike-table|rows)\.ts$/,
      /^sdk\/src\/runtime\/link-issuer\.ts$/,
    ],
  },
  { name: 'signer', files: /^sdk\/src\/signer\//, may: [/^sdk\/src\/signer\//, checkOfOptions] },
  {
    name: 'client',
    files: /^sdk\/src\/([\w-]+\.ts|runtime\/)/,
    may: [/^sdk\/src\/[\w-]+\.ts$/, /^sdk\/src\/(contract|verify|runtime|guard)\//],
    mayType: [/^zod$/],
  },
  {
    name: 'adapters',
    files: /^sdk\/src\/(ai|openai|mcp)\//,
    may: [/^zod$/, /^sdk\/src\/runtime\//, checkOfOptions],
    mayType: [/^(ai|openai|@modelcontextprotocol\/server)$/],
  },

  { name: 'code that reads images', files: /^server\/src\/logos\/image\.ts$/, may: [/^sharp$/, ...contract] },
  {
    name: 'the thread that hashes passwords',
    files: /^server\/src\/auth\/hash-thread\.ts$/,
    may: [/^node:worker_threads$/, /^@node-rs\/argon2$/, /^server\/src\/thread\.ts$/, /^\.\/hashing\.ts$/],
  },
  {
    name: 'the thread that checks bundles',
    files: /^server\/src\/bundles\/check-thread\.ts$/,
    may: [/^node:worker_threads$/, /^@countersign\/sdk\/integrity$/, /^server\/src\/thread\.ts$/],
    mayType: [/^\.\/checker\.ts$/],
  },
  {
    name: 'the thread that verifies signatures',
    files: /^server\/src\/http\/signature-thread\.ts$/,
    may: [/^node:worker_threads$/, /^\.\/signature-keys\.ts$/],
  },
  {
    name: 'code that asks a thread',
    files: /^server\/src\/(auth\/hashing|bundles\/checker)\.ts$/,
    may: [/^server\/src\/thread\.ts$/, ...contract],
  },
  {
    name: 'code that checks passkeys',
    files: /^server\/src\/factors\/passkeys\.ts$/,
    may: [/^@simplewebauthn\/server$/, ...contract],
  },
  {
    name: 'code that checks authenticator apps',
    files: /^server\/src\/factors\/authenticators\.ts$/,
    may: [/^node:crypto$/, /^server\/src\/signing\/rules\.ts$/],
  },
  { name: 'secrets', files: /^server\/src\/secrets\.ts$/, may: [/^node:crypto$/] },
  { name: 'networks and markup', files: /^server\/src\/(networks|markup)\.ts$/, may: [] },
  { name: 'a table of rules', files: /^server\/src\/auth\/common-passwords\.ts$/, may: [] },
  { name: 'the ID of a signing key', files: /^server\/src\/signing\/thumbprint\.ts$/, may: [/^node:crypto$/] },
  {
    name: 'the process with the PKCS#11 module',
    files: /^server\/src\/signing\/pkcs11\//,
    may: [/^server\/src\/signing\/(pkcs11\/[\w-]+|thumbprint)\.ts$/, /^node:(crypto|child_process|url)$/, /^koffi$/],
    mayType: [/^server\/src\/config\.ts$/],
  },
  {
    name: 'rules',
    files: /^server\/src\/(?!http\/)[\w-]+\/([\w-]+-)?rules\.ts$/,
    may: [
      ...contract,
      ...verify,
      ...transparency,
      ...pure,
      /^\.\/(common-passwords|thumbprint|rules)\.ts$/,
      secrets,
      /^server\/src\/db\/(provider-fields|times)\.ts$/,
      nameRules,
    ],
    mayType: [/^server\/src\/[\w-]+\/rules\.ts$/],
  },
  {
    name: 'store',
    files: /^server\/src\/[\w-]+\/([\w-]+-)?store\.ts$/,
    may: [/^kysely$/, /^server\/src\/db\//, ...contract, /^server\/src\/(trust|names)\//, /^\.\/([\w-]+-)?rules\.ts$/],
  },
  {
    name: 'the transparency log',
    files:
      /^server\/src\/transparency\/(log-fact|recover|sequencer|log-signers|standing|succession|witnesses|service|verdicts|own-entries|entry-words|disputes|notices|feeds|atom|near)\.ts$/,
    may: [
      /^\.\/[\w-]+\.ts$/,
      /^server\/src\/(db\/|signing\/rules\.ts$|names\/(bundle-)?rules\.ts$|markup\.ts$)/,
      /^node:(crypto|url)$/,
      /^@countersign\/sdk\/words$/,
      ...transparency,
      ...contract,
    ],
    mayType: [/^server\/src\/(ids|outbound\/egress|http\/callers)\.ts$/, ...services],
  },
  {
    name: 'rows to answers',
    files: /^server\/src\/[\w-]+\/record\.ts$/,
    may: [/^\.\/rules\.ts$/, /^server\/src\/(db|trust|names)\//, ...contract],
    mayType: [/^\.\/store\.ts$/],
  },
  {
    name: 'service, whole or by verb',
    files:
      /^server\/src\/(?!compose\/)[\w-]+\/(service|listings|codes|deps|signers|mint|find|decide|bind|open|changes|enrol|look|prove|recheck|origins|withhold|departures|edit|update|connect|complete|words)\.ts$/,
    may: [
      /^\.\/(([\w-]+-)?rules|([\w-]+-)?store|record|codes|signers|mint|find|decide|bind|open|changes|enrol|look|prove|recheck|origins|withhold|departures|edit|update|connect|complete|words)\.ts$/,
      /^server\/src\/(db|trust|names)\//,
      /^server\/src\/transparency\/log-fact\.ts$/,
      /^server\/src\/http\/if-match\.ts$/,
      secrets,
      ...contract,
      ...verify,
      /^@countersign\/sdk\/(integrity|node)$/,
      ...pure,
    ],
    mayType: [
      ...services,
      /^\.\/[\w-]+\.ts$/,
      /^server\/src\/(http|outbound)\//,
      /^server\/src\/(ids|logos\/image|auth\/hashing|bundles\/checker|signing\/pkcs11\/process)\.ts$/,
    ],
  },
  {
    name: 'server-rendered site content',
    files: /^server\/src\/site\/(badge|heads|link-summary|markup|oembed|prerendered|samples|sitemap|entities)\.ts$/,
    may: [
      /^\.\/(badge|heads|link-summary|markup)\.ts$/,
      /^server\/src\/markup\.ts$/,
      nameRules,
      ...contract,
      ...verify,
    ],
  },
  {
    name: 'routes',
    files: /^server\/src\/[\w-]+\/routes\.ts$/,
    may: [/^server\/src\/http\//, ...contract],
    mayType: [...services, /^\.\/(verdicts|own-entries|near|disputes)\.ts$/],
  },
  {
    name: 'pages',
    files: /^server\/src\/([\w-]+\/pages|site\/feeds)\.ts$/,
    may: [
      /^server\/src\/http\//,
      /^server\/src\/networks\.ts$/,
      ...contract,
      ...transparency,
      /^\.\/(rules|badge|heads|link-summary|markup|oembed|prerendered|samples|sitemap|entities)\.ts$/,
    ],
    mayType: [...services, /^\.\/feeds\.ts$/, /^express$/],
  },
  {
    name: 'database',
    files: /^server\/src\/db\//,
    may: [/^server\/src\/(db\/|durable-file\.ts$|version\.ts$)/, /^(kysely|pg|better-sqlite3)$/, /^node:/, ...contract],
  },
  {
    name: 'http',
    files: /^server\/src\/http\//,
    may: [
      /^server\/src\/(http|db|idempotency)\//,
      /^server\/src\/(networks|version|ids)\.ts$/,
      /^server\/src\/thread\.ts$/,
      ...contract,
      /^@countersign\/sdk\/(node|signer)$/,
      /^(express|find-my-way|zod|pino|prom-client|helmet|busboy)$/,
      /^node:/,
    ],
    mayType: [/^server\/src\/(config|ids)\.ts$/, ...services],
  },
  {
    name: 'outbound',
    files: /^server\/src\/outbound\//,
    may: [
      /^server\/src\/outbound\//,
      /^node:/,
      /^(undici|nodemailer(\/lib\/(addressparser|shared|smtp-connection))?|openid-client|tldts)$/,
      /^@opentelemetry\//,
      ...contract,
    ],
    mayType: [/^server\/src\/config\.ts$/],
  },
  { name: 'trust', files: /^server\/src\/trust\//, may: [/^kysely$/, /^server\/src\/(db|trust)\//, ...contract] },
  { name: 'durable files', files: /^server\/src\/durable-file\.ts$/, may: [/^node:/] },
  {
    name: 'settings and IDs',
    files: /^server\/src\/((config|hosts|ids|key-files)\.ts$|settings\/)/,
    may: [
      /^node:/,
      ...contract,
      ...transparency,
      /^server\/src\/(settings\/|(names\/rules|durable-file|hosts|key-files)\.ts$)/,
    ],
  },
  {
    name: 'backup',
    files: /^server\/src\/backup\//,
    may: [/^server\/src\//, ...contract, /^(kysely|better-sqlite3|zod)$/, /^node:/],
  },
  {
    name: 'the composition root',
    files: /^server\/src\/([\w-]+\.ts|[\w-]+\/command\.ts|(compose|jobs)\/.*)$/,
    may: [/^server\/src\//, /^@countersign\/sdk\//, /^(express|helmet|pino|kysely)$/, /^node:/],
  },

  {
    name: 'cli io',
    files: /^cli\/src\/io\//,
    may: [
      /^cli\/src\/io\//,
      /^cli\/src\/(failure|look-up|world)\.ts$/,
      /^@countersign\/sdk\/node$/,
      /^node:/,
      packages,
    ],
    mayType: [/^cli\/src\/(args\/command|context)\.ts$/],
  },
  {
    name: 'a folder of the cli that commands share',
    files: /^cli\/src\/(args|completion|config|files|hub|registry|render|shapes)\//,
    may: [/^cli\/src\/(?!commands\/)/, /^cli\/package\.json$/, /^@countersign\/sdk/, /^node:/, packages],
  },
  {
    name: 'cli commands',
    files: /^cli\/src\/commands\//,
    may: [
      /^cli\/src\/(?!main\.ts$|run\.ts$|perform\.ts$|program\.ts$)/,
      /^cli\/package\.json$/,
      /^@countersign\/sdk/,
      /^node:/,
      packages,
    ],
    mayType: [/^cli\/src\/program\.ts$/],
  },
  { name: 'cli', files: /^cli\//, may: [/^cli\//, /^@countersign\/sdk/, /^node:/, packages] },
  {
    name: 'messages',
    files: /^web\/src\/messages\//,
    may: [/^web\/src\/messages\//, ...contract, /^@countersign\/sdk\/words$/],
    mayType: [/^@countersign\/sdk\/verify$/],
  },
  {
    name: 'ui',
    files: /^web\/src\/ui\//,
    may: [
      /^web\/src\/(ui\/|messages\/en\/site\.ts$)/,
      /^(react|radix-ui|lucide-react|sonner)$/,
      /^@countersign\/sdk\/words$/,
    ],
    mayType: contract,
  },
  { name: 'hooks', files: /^web\/src\/hooks\//, may: [/^web\/src\/(hooks|ui)\//, packages] },
  {
    name: 'failures',
    files: /^web\/src\/failures\//,
    may: [/^web\/src\/(failures|ui|hooks|messages)\//, /^@countersign\/sdk$/, packages],
    mayType: contract,
  },
  {
    name: 'data',
    files: /^web\/src\/data\//,
    may: [/^web\/src\/(data|hooks)\//, /^@countersign\/sdk(\/verify)?$/, packages],
    mayType: contract,
  },
  {
    name: 'lists',
    files: /^web\/src\/lists\//,
    may: [/^web\/src\/(lists|ui|hooks|failures|messages)\//, /^@countersign\/sdk\/contract\/csv$/, packages],
  },
  {
    name: 'forms',
    files: /^web\/src\/forms\//,
    may: [/^web\/src\/(forms|ui|hooks|failures|data|messages)\//, packages],
  },
  ...folders('web/src/features').map((feature) => ({
    name: `the feature ${feature}`,
    files: new RegExp(`^web/src/features/${feature}/`),
    may: [
      /^web\/src\/(data|failures|forms|hooks|lists|messages|ui)\//,
      new RegExp(`^web/src/features/(${[feature, ...(sharedFeatures[feature] ?? [])].join('|')})/`),
      /^@countersign\/sdk(\/(contract|contract\/csv|verify|words|words\/company|words\/samples))?$/,
      packages,
    ],
  })),
  { name: 'badge of the console', files: /^web\/src\/badge\.ts$/, may: [/^@countersign\/sdk\/badge$/] },
  {
    name: 'shell and routes',
    files: /^web\/src\/(shell\/|(main|routes)\.tsx$)/,
    may: [/^web\/src\//, /^@countersign\/sdk(\/(contract|verify|words|words\/company))?$/, packages],
  },
]

/** Why an import is not allowed; undefined if it is. */
const objection = ({ from, to, isTypeOnly }: Import): string | undefined => {
  const layer = layers.find(({ files }) => files.test(from))
  if (!layer) return `${from} fits no layer; name one in tests/layers.test.ts`
  const near = to.startsWith(own(from)) ? `./${to.slice(own(from).length)}` : to
  const allowed = isTypeOnly ? [...layer.may, ...(layer.mayType ?? [])] : layer.may
  if (allowed.some((pattern) => pattern.test(to) || pattern.test(near))) return undefined
  const kinds = [...layer.may, ...(layer.mayType ?? []).map((pattern) => `${pattern} in types`)].join(' ')
  return `${from} imports ${to}${isTypeOnly ? ' in types' : ''}. ${layer.name} may import: ${kinds}`
}

const files = ['sdk/src', 'server/src', 'cli/src', 'web/src'].flatMap(sourceFiles)

describe('imports follow the arrows', () => {
  it('of the table in every source file', () => {
    expect(files.length).toBeGreaterThan(100)
    expect(files.flatMap(importsOf).map(objection).filter(Boolean)).toEqual([])
  })

  it('between services: a service is built after those it needs', () => {
    const needs = new Map(
      files.filter((file) => /^server\/src\/[\w-]+\/service\.ts$/.test(file)).map((file) => [file, servicesIn(file)]),
    )
    expect(cycleIn(needs)).toBeUndefined()
  })

  it.each([
    { name: 'groups of commands', folder: /^cli\/src\/commands\/([\w-]+)\// },
    { name: 'features of the console', folder: /^web\/src\/features\/([\w-]+)\// },
  ])('between $name without a cycle', ({ folder }) => {
    const uses = importsBetween(folder)
    expect(uses.size).toBeGreaterThan(3)
    expect(cycleIn(uses)).toBeUndefined()
  })

  it('names no exception between features that is no longer needed', () => {
    expect(Object.fromEntries(importsBetween(/^web\/src\/features\/([\w-]+)\//))).toEqual(sharedFeatures)
  })

  it('reads the command line in one file, with commander only for the layout of help', () => {
    const sources = sourceFiles('cli/src').filter((file) => !file.endsWith('.test.ts'))
    // main.ts and run.ts pass the arguments on; everything else gets the result of read-argv.ts.
    const readers = sources.filter((file) => /(?<!read-)\bargv\b|\bparseArgs\b/.test(read(file)))
    expect(readers.sort()).toEqual(['cli/src/args/read-argv.ts', 'cli/src/main.ts', 'cli/src/run.ts'])
    const parsers = /^(commander|minimist|yargs(-parser)?|mri|cac|arg|citty|clipanion)$/
    const engines = sources.filter((file) => importsOf(file).some(({ to }) => parsers.test(to)))
    expect(engines).toEqual(['cli/src/args/help-text.ts'])
  })

  it('reads the environment in one file of the server', () => {
    const readers = sourceFiles('server/src').filter((file) =>
      /\bprocess\s*\.\s*env\b|\benv\b[^;\n]*=\s*process\b|['"](node:)?process['"]/.test(read(file)),
    )
    expect(readers).toEqual(['server/src/config.ts'])
  })

  it('only the outgoing client opens connections', () => {
    const tools =
      /^(undici|nodemailer|openid-client|@opentelemetry\/exporter-.*|node:(dns(\/promises)?|net|tls|dgram|http2|child_process|http|https))$/
    const doors = sourceFiles('server/src').flatMap((file) =>
      importsOf(file).flatMap(({ to, isTypeOnly }) => (tools.test(to) && !isTypeOnly ? [`${file} ${to}`] : [])),
    )
    // The listeners, the address check, the HTTP client, and the two clients for other protocols: DNS and SMTP.
    expect(doors.sort()).toEqual([
      // Reads the system's resolvers.
      'server/src/config.ts node:dns',
      'server/src/http/listen.ts node:http',
      'server/src/http/listen.ts node:https',
      'server/src/http/messages.ts node:http',
      'server/src/http/metrics.ts node:http',
      'server/src/http/peer.ts node:net',
      'server/src/outbound/addresses.ts node:net',
      'server/src/outbound/dns.ts node:dns/promises',
      'server/src/outbound/egress.ts node:net',
      'server/src/outbound/egress.ts undici',
      'server/src/outbound/identity-providers.ts openid-client',
      'server/src/outbound/mail.ts nodemailer',
      // To the operator's collector, which may be on this machine.
      'server/src/outbound/tracing.ts @opentelemetry/exporter-trace-otlp-http',
      'server/src/settings/addresses.ts node:net',
      // Loads the operator's PKCS#11 module in a process of its own.
      'server/src/signing/pkcs11/process.ts node:child_process',
    ])
    const callers = sourceFiles('server/src').filter((file) =>
      /(?<![.\w])(fetch\(|WebSocket\b|EventSource\b)/.test(read(file)),
    )
    expect(callers).toEqual([])
  })
})

describe('the layers test catches', () => {
  it.each([
    {
      name: 'rules that ask the database',
      file: 'server/src/models/rules.ts',
      code: "import { list } from './store.ts'",
    },
    {
      name: 'rules that use a row',
      file: 'server/src/models/rules.ts',
      code: "import type { Db } from '../db/schema.ts'",
    },
    {
      name: 'a store of another feature',
      file: 'server/src/models/store.ts',
      code: "import { find } from '../providers/store.ts'",
    },
    {
      name: 'a service that calls another feature’s store',
      file: 'server/src/models/service.ts',
      code: "import { find } from '../providers/store.ts'",
    },
    {
      name: 'a service made by another service',
      file: 'server/src/models/service.ts',
      code: "import { createKeys } from '../keys/service.ts'",
    },
    { name: 'a service that uses HTTP', file: 'server/src/models/service.ts', code: "import express from 'express'" },
    { name: 'routes with SQL', file: 'server/src/models/routes.ts', code: "import { sql } from 'kysely'" },
    {
      name: 'a database that imports features',
      file: 'server/src/db/open.ts',
      code: "export * from '../models/store.ts'",
    },
    {
      name: 'a dynamic import',
      file: 'server/src/models/rules.ts',
      code: "export const load = () => import('./store.ts')",
    },
    {
      name: 'a computed import',
      file: 'server/src/models/service.ts',
      code: "export const load = (name: string) => import('./' + name)",
    },
    {
      name: 'an imported type',
      file: 'sdk/src/contract/models.ts',
      code: "export type Loop = import('../client.ts').Client",
    },
    { name: 'Node in the verifier', file: 'sdk/src/verify/token.ts', code: "import { createHash } from 'node:crypto'" },
    {
      name: 'the contract’s schemas in the verifier',
      file: 'sdk/src/verify/token.ts',
      code: "import { Claims } from '../contract/verifications.ts'",
    },
    {
      name: 'zod in a dependency of the verifier',
      file: 'sdk/src/contract/limits.ts',
      code: "import { z } from 'zod'",
    },
    {
      name: 'a library that an adapter loads by itself',
      file: 'sdk/src/ai/index.ts',
      code: "import { tool } from 'ai'",
    },
    {
      name: 'files in the client',
      file: 'sdk/src/client.ts',
      code: "import { hashModel } from './node/hash-model.ts'",
    },
    {
      name: 'the server in the command line',
      file: 'cli/src/program.ts',
      code: "import { migrate } from '../../server/src/db/migrate.ts'",
    },
    {
      name: 'a command in a shared folder',
      file: 'cli/src/render/output.ts',
      code: "import { list } from '../commands/models/models.ts'",
    },
    {
      name: 'settings in the terminal',
      file: 'cli/src/io/prompt.ts',
      code: "import { settings } from '../config/settings.ts'",
    },
    {
      name: 'the server in the console',
      file: 'web/src/main.tsx',
      code: "import { readConfig } from '@countersign/server'",
    },
    { name: 'Node in the console', file: 'web/src/main.tsx', code: "import { join } from 'node:path'" },
    {
      name: 'a feature in the building blocks',
      file: 'web/src/ui/values/chip.tsx',
      code: "import { useModel } from '../../features/models/use-model.ts'",
    },
    { name: 'a request in the building blocks', file: 'web/src/ui/values/chip.tsx', code: "import useSWR from 'swr'" },
    {
      name: 'the words of one page in the building blocks',
      file: 'web/src/ui/values/chip.tsx',
      code: "import { link } from '#messages/pages/link.ts'",
    },
    {
      name: 'markup in messages',
      file: 'web/src/messages/en/site.ts',
      code: "import { Chip } from '../../ui/values/chip.tsx'",
    },
    {
      name: 'a feature in messages',
      file: 'web/src/messages/en/site.ts',
      code: "import { tabs } from '../../features/dashboard/tabs.ts'",
    },
    { name: 'data in a hook', file: 'web/src/hooks/use-online.ts', code: "import { client } from '../data/client.ts'" },
    { name: 'data in a list', file: 'web/src/lists/list-body.tsx', code: "import { client } from '../data/client.ts'" },
    {
      name: 'a feature in a form',
      file: 'web/src/forms/field.tsx',
      code: "import { useModel } from '../features/models/use-model.ts'",
    },
    {
      name: 'data in failures',
      file: 'web/src/failures/failure.ts',
      code: "import { client } from '../data/client.ts'",
    },
    {
      name: 'a page in shared data',
      file: 'web/src/data/client.ts',
      code: "import { Section } from '../ui/layout/section.tsx'",
    },
    {
      name: 'a feature in another',
      file: 'web/src/features/reports/report-button.tsx',
      code: "import { ModelPage } from '../models/detail/model-page.tsx'",
    },
    {
      name: 'the shell in a feature',
      file: 'web/src/features/about/about-page.tsx',
      code: "import { Header } from '../../shell/header.tsx'",
    },
    {
      name: 'the client in the badge',
      file: 'web/src/badge.ts',
      code: "import { Countersign } from '@countersign/sdk'",
    },
    {
      name: 'a file beside the folders of the console',
      file: 'web/src/helpers.ts',
      code: "import { useState } from 'react'",
    },
    { name: 'a file in no layer', file: 'server/src/models/other/helpers.ts', code: "import { z } from 'zod'" },
  ])('$name', ({ file, code }) => {
    expect(parseImports(file, code).map(objection).filter(Boolean)).toHaveLength(1)
  })

  it('services that need each other', () => {
    const circle = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['a']],
    ])
    expect(cycleIn(circle)).toEqual(['a', 'b', 'c', 'a'])
  })
})

const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** Folders whose imports of each other are checked; the pattern's first group is the folder. */
const importsBetween = (folder: RegExp): Map<string, string[]> => {
  const uses = new Map<string, string[]>()
  for (const { from, to } of files.flatMap(importsOf)) {
    const [importer, imported] = [folder.exec(from)?.[1], folder.exec(to)?.[1]]
    if (!importer || !imported || importer === imported) continue
    const others = uses.get(importer) ?? []
    if (!others.includes(imported)) uses.set(importer, [...others, imported].sort())
  }
  return uses
}

const servicesIn = (file: string) =>
  importsOf(file)
    .map(({ to }) => to)
    .filter((to) => to !== file && services.some((pattern) => pattern.test(to)))

const cycleIn = (needs: ReadonlyMap<string, readonly string[]>): string[] | undefined => {
  const visit = (file: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    for (const next of needs.get(file) ?? []) {
      const cycle = visit(next, [...path, file])
      if (cycle) return cycle
    }
    return undefined
  }
  return [...needs.keys()].map((file) => visit(file, [])).find((cycle) => cycle !== undefined)
}
