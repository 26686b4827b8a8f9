import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { EdgeVM } from '@edge-runtime/vm'
import { publint } from 'publint'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { methodExamples } from '../scripts/generate/method-examples.ts'
import { type Documented, type EntryPoint, readSurface } from '../scripts/generate/sdk-surface.ts'
import { shareBrowser } from './support/browser.ts'
import { itInFull, sampled } from './support/full.ts'
import { root } from './support/imports.ts'
import type { Brief, judge } from './support/judge.ts'
import { openInEditor } from './support/language-server.ts'
import { packAndInstall, run } from './support/packed.ts'
import { createWorld } from './support/world.ts'

type Judged = Awaited<ReturnType<typeof judge>>

let packed: Awaited<ReturnType<typeof packAndInstall>>
beforeAll(async () => {
  packed = await packAndInstall()
})
afterAll(() => packed.remove())

/** Findings of publint for a package. */
const lint = async (path: string) => {
  const { buffer: tarball } = new Uint8Array(await readFile(path))
  return (await publint({ pack: { tarball }, strict: true })).messages
}

describe('the packed command line', () => {
  it('is at most 1 MB, and publint finds nothing', async () => {
    expect(packed.cli.bytes).toBeLessThanOrEqual(1_000_000)
    expect(await lint(packed.cli.tarball)).toEqual([])
  })

  it('runs from an empty folder, installed without a network', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const { verification_url } = await acme.client.verifications.create({ model_id })
    const { program, folder } = packed.cli
    const call = (...args: string[]) => run(program, args, folder, { COUNTERSIGN_API_URL: world.address })
    const [version, help, verified, mistyped] = await Promise.all([
      call('--version'),
      call('--help'),
      call('verify', verification_url, '--json'),
      call('verify', 'W904-2CKW-GDNC-X7S2', '--json'),
    ])
    expect(version).toEqual({ exit: 0, output: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
    expect(help).toMatchObject({ exit: 0, output: expect.stringContaining('Usage: countersign') })
    expect(verified.exit).toBe(0)
    expect(JSON.parse(verified.output)).toMatchObject({ result: 'verified', provider: { domain: 'acme.example' } })
    expect(mistyped).toMatchObject({ exit: 3, output: expect.stringContaining('"mistyped"') })
  })
})

const consumer = `
import { ApiError, type ClientOptions, createClient } from '@countersign/sdk'
import { contract, type ErrorCode, errors } from '@countersign/sdk/contract'
import { openApiDocument } from '@countersign/sdk/contract/openapi'
import type { defineBadge } from '@countersign/sdk/badge'
import { verifyBundle } from '@countersign/sdk/integrity'
import { spkiFingerprint } from '@countersign/sdk/node'
import { createMockRegistry, vectors } from '@countersign/sdk/testing'
import tokens from '@countersign/sdk/testing/vectors/tokens.json' with { type: 'json' }
import { createVerifier, type OfflineVerdict, policy, type Violation } from '@countersign/sdk/verify'

const options: ClientOptions = { baseURL: 'https://registry.test', timeout: undefined, onRetry: undefined, logger: undefined }
const registry = await createMockRegistry()
const client = createClient({ ...options, fetch: registry.fetch, apiKey: registry.apiKey })
const { token } = await client.verifications.create({ model_id: registry.model_id })
const verdict: OfflineVerdict = await createVerifier({ issuer: registry.address, fetch: registry.fetch }).verify(token)
const violations: Violation[] = policy({ providers: ['acme.example'] })(verdict).violations
const refused: ErrorCode[] = await client.verifications.get('hello').then(() => [], (error) => (error instanceof ApiError ? [error.code] : []))
// @ts-expect-error a model has no such field
const wrong = () => client.models.register({ colour: 'red' })
// @ts-expect-error no such rule
const loose = () => policy({ provider: 'acme.example' })
export type Badge = typeof defineBadge
export const absent = () => [
  client.models.get('x', { signal: undefined }),
  client.models.list({ search: undefined, is_active: true }),
  client.verifications.check('x', { expect: undefined, now: undefined }),
  createVerifier({ issuer: 'x', jwks: undefined, cacheMaxAgeMs: undefined }),
]
export const used = [wrong, loose, verifyBundle, spkiFingerprint, openApiDocument, contract, errors]
console.log(verdict.result, violations.length, refused.join(), vectors.tokens.good.length === tokens.good.length, used.length)
`

/** The examples of the client's methods, as one program. */
const examples = `
import { openAsBlob } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Countersign } from '@countersign/sdk'
import { spkiFingerprint } from '@countersign/sdk/node'
declare const client: Countersign
declare const token: string, link: string, idToken: string, provider_id: string, model_id: string, deployment_id: string, incident_id: string
export const used = [openAsBlob, readFile, spkiFingerprint, token, idToken, provider_id, model_id, deployment_id, incident_id]
${Object.values(methodExamples)
  .map((code, index) => `export const example${index} = async () => {\n${code}\n}`)
  .join('\n')}
`

/** Their functions have one line each: programs that read the log, and pages with our words, compose them. */
const isBuildingBlock = /\/(contract|words|log$|log\/(tiles|entries|names|facts))/
const isImplementedByCallers = /^(Logger|JwksCache)$/
const isContract = /\/contract/
const isMethod = ({ name, type }: Documented) => new RegExp(`^(async )?${name}(<.*>)?\\(`).test(type)
const isValue = ({ kind }: Documented) => kind === 'function' || kind === 'value' || kind === 'class'

let surface: EntryPoint[] | undefined
/** The declarations of the installed package, as TypeScript reads them. */
const readPacked = async () => {
  const folder = join(packed.sdk.folder, 'node_modules/@countersign/sdk')
  const config = { compilerOptions: { module: 'nodenext', types: ['node'] }, include: ['dist'] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  surface ??= readSurface(folder, join(folder, 'tsconfig.json'), 'types')
  return surface
}

/** The examples in the documentation of functions, as one program: each may use what its entry point and the client export. */
const examplesOf = (entries: readonly EntryPoint[]) => {
  const shared = entries.filter(({ name }) => /sdk$|sdk\/(verify|integrity)$/.test(name))
  const written = entries.flatMap(({ name, exports }, index) => {
    if (isContract.test(name)) return []
    const names = exports.filter(isValue).map((each) => each.name)
    return exports
      .flatMap((each) => [each, ...each.members])
      .filter(({ file }) => !file.includes('methods.'))
      .flatMap(({ tags }) => tags.filter((tag) => tag.name === 'example'))
      .map(({ text }) => text.replace(/^```\w*$/gm, ''))
      .map((code) => {
        const used = (from: readonly string[]) => from.filter((each) => new RegExp(`\\b${each}\\b`).test(code))
        const own = used(names)
        const others = shared.map((each) => used(each.exports.filter(isValue).map((value) => value.name)))
        return `async () => {
const { ${own.join(', ')} } = entry${index}
${others.map((theirs, at) => `const { ${theirs.filter((each) => ![...own, ...others.slice(0, at).flat()].includes(each)).join(', ')} } = entry${entries.indexOf(shared[at] as EntryPoint)}`).join('\n')}
{${code}}
}`
      })
  })
  return `${entries.map(({ name }, index) => `import * as entry${index} from '${name}'`).join('\n')}
import type { Countersign, DeclaredSigner, LinkIssuer, ModelList, OutputGuard, VerificationResult, VerificationTool } from '@countersign/sdk'
import type { ReplayedFacts } from '@countersign/sdk/log/audit'
import type { LogEntry } from '@countersign/sdk/log/entries'
import type { OpenAiToolCall } from '@countersign/sdk/openai'
import type { MockRegistry, TestKey } from '@countersign/sdk/testing'
import type { Verifier } from '@countersign/sdk/verify'
declare const client: Countersign, issuer: LinkIssuer, guard: OutputGuard, tool: VerificationTool, verifier: Verifier
declare const verification: VerificationResult, signer: DeclaredSigner, registry: MockRegistry, key: TestKey & string
declare const token: string, link: string, message: string, signature: string, bundle: string, cert: string, pem: string, digest: string
declare const modelId: string, algorithm: string, policyText: string, error: unknown, headers: Headers, call: OpenAiToolCall
declare const facts: ReplayedFacts, entries: LogEntry[], server: Parameters<typeof import('@countersign/sdk/mcp').registerVerificationTool>[0]
export const documented = [
${written.join(',\n')}
]
`
}

describe('the packed SDK', { timeout: 90_000 }, () => {
  itInFull('satisfies publint and attw for a package of modules', async () => {
    const [messages, attw] = await Promise.all([
      lint(packed.sdk.tarball),
      run(
        join(root, 'node_modules/.bin/attw'),
        [packed.sdk.tarball, '--profile', 'esm-only', '--no-color', '--no-emoji'],
        root,
      ),
    ])
    expect(messages).toEqual([])
    expect(attw).toMatchObject({ exit: 0, output: expect.stringContaining('"@countersign/sdk/verify"') })
  })

  const resolutions = [
    // Only one of the two also checks our declarations.
    { moduleResolution: 'nodenext', module: 'nodenext', skipLibCheck: false },
    { moduleResolution: 'bundler', module: 'esnext', skipLibCheck: true },
  ]

  it.each(sampled(resolutions, 2))(
    'is typed for a program that resolves modules by $moduleResolution, and runs',
    async (compilerOptions) => {
      const folder = join(packed.sdk.folder, compilerOptions.moduleResolution)
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
      await writeFile(join(folder, 'main.ts'), consumer)
      await writeFile(join(folder, 'examples.ts'), examples)
      // The AI SDK's own declarations have errors.
      if (compilerOptions.skipLibCheck) await writeFile(join(folder, 'documented.ts'), examplesOf(await readPacked()))
      const config = {
        compilerOptions: {
          ...compilerOptions,
          target: 'es2024',
          lib: ['es2024', 'dom', 'dom.iterable'],
          types: ['node'],
          strict: true,
          exactOptionalPropertyTypes: true,
          resolveJsonModule: true,
        },
      }
      await writeFile(
        join(folder, 'tsconfig.json'),
        JSON.stringify({
          ...config,
          files: ['main.ts', 'examples.ts', ...(compilerOptions.skipLibCheck ? ['documented.ts'] : [])],
        }),
      )
      expect(
        await run('node', [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder, '--checkers', '1'], folder),
      ).toEqual({
        exit: 0,
        output: '',
      })
      expect(await run('node', ['main.js'], folder)).toEqual({ exit: 0, output: 'verified 0 link_malformed true 7\n' })
    },
  )

  it('documents every export, option and member, as TypeScript reads the declarations', async () => {
    const entries = await readPacked()
    expect(entries.length).toBeGreaterThan(12)
    const silent = entries.flatMap(({ name, exports }) =>
      exports.flatMap((each) => [
        ...(each.doc === '' ? [`${name} ${each.name}`] : []),
        ...each.members.filter(({ doc }) => doc === '').map((member) => `${name} ${each.name}.${member.name}`),
      ]),
    )
    expect(silent).toEqual([])
    const methods = entries[0]?.exports.filter(({ name }) => /.Methods$/.test(name)).flatMap(({ members }) => members)
    expect(methods?.length).toBeGreaterThan(90)
    const saysNot = (tag: string) => methods?.filter(({ tags }) => tags.every(({ name }) => name !== tag))
    expect([...(saysNot('returns') ?? []), ...(saysNot('throws') ?? [])]).toEqual([])
    const callable = entries
      .filter(({ name }) => !isBuildingBlock.test(name))
      .flatMap(({ name, exports }) =>
        exports
          .filter((each) => !isImplementedByCallers.test(each.name))
          .flatMap((each) => (each.kind === 'function' ? [each] : each.members.filter(isMethod)))
          .map((each) => ({ ...each, name: `${name} ${each.name}` })),
      )
      .filter(({ file }) => !file.includes('methods.'))
    expect(callable.length).toBeGreaterThan(60)
    const lacks = (tag: string) =>
      callable.filter(({ tags }) => tags.every(({ name }) => name !== tag)).map(({ name }) => `${name}: ${tag}`)
    expect([...lacks('returns'), ...lacks('example')]).toEqual([])
  })

  itInFull('shows names, fields and documentation in an editor', async () => {
    const file = join(packed.sdk.folder, 'edited.ts')
    const text = `import { createClient } from '@countersign/sdk'
const client = createClient({ baseURL: 'https://registry.example',  })
client.models.register({ api_model_identifier: 'acme-chat',  })
client.verifications.check('', {  })
`
    await writeFile(join(packed.sdk.folder, 'tsconfig.json'), '{ "compilerOptions": { "module": "nodenext" } }')
    await writeFile(join(packed.sdk.folder, 'package.json'), '{ "type": "module" }')
    await writeFile(file, text)
    const editor = await openInEditor(file, text)
    onTestFinished(() => void editor.close())
    const register = await editor.hover('client.models.register')
    expect(register).toContain('register(model: ModelRegistration, options?: RequestOptions')
    expect(register).toContain('APIPromise<RegistrationOutcome>')
    for (const shown of ['`api_model_identifier`', '`require_deployment_proof`', 'version_exists', 'ifNotExists: true'])
      expect(register).toContain(shown)
    expect(await editor.hover('client.verifications.check')).toContain(
      'check(input: string, options?: CheckLinkOptions',
    )
    const fields = await editor.completions(`'acme-chat', `)
    expect(fields.get('display_name')).toContain('Name shown to people')
    expect(fields.get('ifNotExists')).toContain('created: false')
    const options = await editor.completions(`registry.example', `)
    expect(options.get('timeout')).toContain('Milliseconds for one attempt')
    const expected = await editor.completions(`check('', { `)
    expect(expected.get('expect')).toContain('Exact values')
  })

  it('gives the same verdicts in Node, in a browser and at the edge, with and without cached keys', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const { verification_url, token } = await acme.client.verifications.create({ model_id: await acme.registerModel() })
    const file = join(packed.sdk.folder, 'node_modules/@countersign/sdk/dist/testing/vectors/tokens.json')
    const vectors = JSON.parse(await readFile(file, 'utf8'))
    const jwks = (await world.anyone.signing.jwks()) as unknown as Brief['jwks']
    const brief: Brief = {
      issuer: world.publicUrl,
      link: verification_url,
      token,
      jwks,
      now: world.clock.now(),
      vectors,
    }
    let keysAsked = 0
    world.server.on('request', ({ url }) => (keysAsked += url === '/.well-known/jwks.json' ? 1 : 0))
    const [node, browser, edge] = await Promise.all([inNode(brief), inBrowser(brief), atTheEdge(brief)])
    const expected = [...vectors.good, ...vectors.bad].map(({ name, reason }) => [name, reason ?? 'verified'])
    expect(node).toEqual({
      results: { offline: 'verified', online: 'verified', live: 'verified' },
      allowed: [true, true, true],
      verdicts: Object.fromEntries(expected),
    })
    expect(browser).toEqual(node)
    expect(edge).toEqual(node)
    // Twice in the browser: the second verifier could meet the browser's cached response.
    expect(keysAsked).toBe(4)
  })
})

/** The program, bundled from the installed package, as a script that sets `judging.judge`. */
const bundleFor = async (conditionNames: string[]) => {
  const main = join(packed.sdk.folder, 'judge.ts')
  await writeFile(main, await readFile(join(root, 'tests/support/judge.ts')))
  const bundle = await rolldown({ input: main, platform: 'browser', resolve: { conditionNames } })
  const { output } = await bundle.generate({ format: 'iife', name: 'judging' })
  await bundle.close()
  return output[0].code
}

const inNode = async (brief: Brief): Promise<Judged> => {
  const { folder } = packed.sdk
  await writeFile(join(folder, 'judge-in-node.ts'), await readFile(join(root, 'tests/support/judge.ts')))
  await writeFile(join(folder, 'brief.json'), JSON.stringify(brief))
  const program = `
    import { readFileSync } from 'node:fs'
    import { judge } from './judge-in-node.ts'
    console.log(JSON.stringify(await judge(JSON.parse(readFileSync('brief.json', 'utf8')))))`
  await writeFile(join(folder, 'main.mjs'), program)
  const { exit, output } = await run(
    'node',
    ['--disable-warning=ExperimentalWarning', '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', 'main.mjs'],
    folder,
  )
  if (exit !== 0) throw new Error(output)
  return JSON.parse(output)
}

const inBrowser = async (brief: Brief): Promise<Judged> => {
  const code = await bundleFor(['browser', 'import', 'default'])
  // An origin other than the registry's, as any site is.
  const site = createServer((request, response) => {
    const isScript = request.url === '/judge.js'
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? code : '<!doctype html><script src="/judge.js"></script>')
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const address = site.address()
  const page = await (await shareBrowser()).newPage()
  try {
    await page.goto(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`)
    const collectVerdicts = () =>
      page.evaluate(
        (given) =>
          (globalThis as unknown as { judging: { judge(brief: unknown): Promise<Judged> } }).judging.judge(given),
        brief as unknown as object,
      )
    await collectVerdicts()
    return await collectVerdicts()
  } finally {
    await page.close()
    site.close()
  }
}

const atTheEdge = async (brief: Brief): Promise<Judged> => {
  const edge = new EdgeVM()
  edge.evaluate(`${await bundleFor(['edge-light', 'worker', 'import', 'default'])}; globalThis.judging = judging`)
  return JSON.parse(await edge.evaluate(`judging.judge(${JSON.stringify(brief)}).then(JSON.stringify)`))
}
