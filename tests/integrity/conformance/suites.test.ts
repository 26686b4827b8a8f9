import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import seeds from '@sigstore/tuf/seeds.json' with { type: 'json' }
import { expect, it, onTestFinished } from 'vitest'
import { createQuickCommandLine } from '../../cli/in-process.ts'
import { createCommandLine } from '../../cli/process.ts'
import { createChain } from '../../support/sigstore/authority.ts'
import { ecKeys, later, pemOf } from '../../support/sigstore/keys.ts'
import { identity, issuer } from '../../support/sigstore/private-sigstore.ts'
import { identityToken, startSigstoreServer } from '../../support/sigstore/server.ts'
import { findPython } from './python.ts'

const run = promisify(execFile)
const here = import.meta.dirname
const suites = process.env.CONFORMANCE_SUITES
const python = await findPython()

/** Why a suite is skipped, or undefined. */
const missing = (suite: string): string | undefined => {
  if (suites === undefined) return 'CONFORMANCE_SUITES does not name the folder with a copy of the suite'
  if (!existsSync(join(suites, suite))) return `${suite} is missing in ${suites}`
  return python.state === 'missing' ? python.why : undefined
}

/** Runs the Python runner of a suite; prints its last lines if it fails. */
const runSuite = async (suite: string, options: readonly string[], env: Record<string, string>): Promise<string> => {
  if (python.state === 'missing') throw new Error(python.why)
  const args = [
    '-m',
    'pytest',
    '-p',
    'offline',
    '-p',
    'no:cacheprovider',
    '-q',
    '-rf',
    'test',
    '--entrypoint',
    join(here, 'adapter.ts'),
  ]
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const answer = run(python.program, [...args, ...options], {
    cwd: join(suites ?? '', suite),
    env: {
      ...process.env,
      PATH: path,
      PYTHONPATH: [here, process.env.PYTHONPATH].join(delimiter),
      PYTHONDONTWRITEBYTECODE: '1',
      ...env,
    },
    maxBuffer: 64 * 2 ** 20,
  })
  const { stdout } = await answer.catch((error: { stdout?: string; stderr?: string }) => ({
    stdout: `${error.stdout}${error.stderr}`,
  }))
  return stdout.split('\n').slice(-60).join('\n')
}

const minutes = 60_000

const why = { sigstore: missing('sigstore-conformance'), models: missing('model-signing-conformance') }
const shown = (reason: string | undefined) => (reason === undefined ? '' : ` (skipped: ${reason})`)

it.skipIf(why.sigstore)(
  `passes the suite of Sigstore for verifying${shown(why.sigstore)}`,
  { timeout: 15 * minutes },
  async () => {
    const { program } = await createCommandLine('http://127.0.0.1:9')
    const printed = await runSuite('sigstore-conformance', ['--skip-signing'], { COUNTERSIGN_PROGRAM: program })
    expect(printed).toMatch(/\b1[4-9]\d passed/)
    expect(printed).not.toMatch(/failed|error/)
  },
)

it.skipIf(why.models)(
  `passes the suite of OpenSSF Model Signing${shown(why.models)}`,
  { timeout: 15 * minutes },
  async () => {
    const cli = await createCommandLine('http://127.0.0.1:9')
    const sigstore = await startSigstoreServer()
    onTestFinished(sigstore.close)
    const env = {
      COUNTERSIGN_PROGRAM: cli.program,
      CONFORMANCE_SIGSTORE: sigstore.url,
      CONFORMANCE_TRUSTED_ROOT: await cli.write('root.json', JSON.stringify(both(sigstore.trustedRoot()))),
      SIGSTORE_ID_TOKEN: identityToken({ iss: issuer, sub: identity }),
      SIGSTORE_IDENTITY: identity,
      SIGSTORE_ISSUER: issuer,
    }
    const printed = await runSuite('model-signing-conformance', [], env)
    const expected = knownFailures(await readFile(join(here, '../../../docs/integrity.md'), 'utf8'))
    const failed = [...printed.matchAll(/^FAILED \S+\[(?:\w+\/)?([\w.-]+)/gm)].map(([, name]) => name)
    expect(failed.sort(), printed).toEqual(expected.sort())
    expect(printed).toMatch(/\d+ passed/)
  },
)

type Root = Record<'tlogs' | 'ctlogs' | 'certificateAuthorities' | 'timestampAuthorities', unknown[]>

/** The suite has bundles of the public instance and some generated here. */
const both = (own: Root): Root => {
  const { targets } = seeds['https://tuf-repo-cdn.sigstore.dev']
  const known = JSON.parse(Buffer.from(targets['trusted_root.json'], 'base64').toString()) as Root
  const joined = (['tlogs', 'ctlogs', 'certificateAuthorities', 'timestampAuthorities'] as const).map((name) => [
    name,
    [...known[name], ...own[name]],
  ])
  return { ...known, ...Object.fromEntries(joined) }
}

/** Cases that are documented to fail, each with its reason. */
const knownFailures = (page: string): string[] =>
  [...page.matchAll(/^\| `([\w.-]+)` \| OpenSSF Model Signing \|/gm)].map(([, name = '']) => name)

/* ---- the reference implementation ---- */

const skipped = python.state === 'missing' ? ` (skipped: ${python.why})` : ''

/** Whether the reference implementation succeeded. */
const ask = (asked: object): Promise<{ isDone: boolean; printed: string }> =>
  new Promise((resolve) => {
    const program = python.state === 'found' ? python.program : 'python3'
    const child = execFile(program, [join(import.meta.dirname, 'reference.py')], (error, _, printed) =>
      resolve({ isDone: error === null, printed }),
    )
    child.stdin?.end(JSON.stringify(asked))
  })

const prepare = async ({ shardSize }: { shardSize?: number | undefined } = {}) => {
  const cli = await createQuickCommandLine('http://127.0.0.1:9')
  const model = join(cli.folder, 'tiny')
  await mkdir(join(model, 'a'), { recursive: true })
  // The specification and the reference order files differently. The reference signs no piece for an empty file.
  const files = {
    'a/weights': 'weights of a model',
    'a.txt': 'text',
    'a-b': 'more',
    '模型.bin': 'unicode',
    ...(shardSize === undefined && { empty: '' }),
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(model, name), content)
  const keys = ecKeys('secp384r1')
  const { root, chain } = await createChain({ leafKeys: keys, from: later(new Date(), -3_600) })
  const [leaf = root, between = root] = chain
  const write = (name: string, content: string | Buffer) => cli.write(name, content)
  return {
    cli,
    model,
    bundle: join(cli.folder, 'tiny.sig'),
    key: await write('key.pem', keys.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    pub: await write('key.pub', keys.publicKey.export({ type: 'spki', format: 'pem' })),
    leaf: await write('leaf.crt', pemOf('CERTIFICATE', leaf)),
    between: await write('between.crt', pemOf('CERTIFICATE', between)),
    root: await write('root.crt', pemOf('CERTIFICATE', root)),
    change: () => writeFile(join(model, 'a', 'weights'), 'weights of b model'),
  }
}

/** BLAKE2b has another name in the reference. */
const lists = [
  { hash: 'sha256', named: 'sha256', shardSize: undefined },
  { hash: 'sha256', named: 'sha256', shardSize: 8 },
  { hash: 'blake2b', named: 'blake2', shardSize: undefined },
  { hash: 'blake2b', named: 'blake2', shardSize: 8 },
  { hash: 'blake3', named: 'blake3', shardSize: undefined },
  { hash: 'blake3', named: 'blake3', shardSize: 8 },
]

// Run in sequence, because Python takes seconds to start.
const timeout = 120_000

it.skipIf(skipped).each(lists)(
  `verifies what the reference signed with a key: $hash, pieces of $shardSize${skipped}`,
  { timeout },
  async (list) => {
    const { cli, model, bundle, key, change } = await prepare(list)
    const signed = await ask({ do: 'sign', model, bundle, key, hash: list.named, shard_size: list.shardSize })
    expect(signed.isDone, signed.printed).toBe(true)
    const verify = () => cli.call(['bundles', 'verify', 'tiny', '--bundle', bundle, '--key', 'key.pub', '--no-cache'])
    expect(await verify()).toMatchObject({ exit: 0 })
    await change()
    expect(await verify()).toMatchObject({ exit: 3, stdout: expect.stringContaining('changed  a/weights') })
  },
)

// No pieces: the specification calls their algorithm `sha256`, the reference `sha256-sharded-8`, and it accepts no
// other.
it.skipIf(skipped).each(lists.filter(({ shardSize }) => shardSize === undefined))(
  `signs with a key what the reference verifies: $hash${skipped}`,
  { timeout },
  async (list) => {
    const { cli, model, bundle, pub, change } = await prepare()
    await cli.json('bundles', 'sign', 'tiny', '--key', 'key.pem', '--output', bundle, '--hash', list.hash)
    const verify = () => ask({ do: 'verify', model, bundle, key: pub, hash: list.named })
    const good = await verify()
    expect(good.isDone, good.printed).toBe(true)
    await change()
    expect((await verify()).isDone).toBe(false)
  },
)

it.skipIf(skipped)(
  `verifies certificates of the reference, and makes those that it verifies${skipped}`,
  { timeout },
  async () => {
    const { cli, model, bundle, key, leaf, between, root } = await prepare()
    const signed = await ask({ do: 'sign', model, bundle, key, certificate: leaf, chain: [between], hash: 'sha256' })
    expect(signed.isDone, signed.printed).toBe(true)
    const verify = ['bundles', 'verify', 'tiny', '--bundle', bundle, '--certificate-chain', 'root.crt', '--no-cache']
    expect(await cli.call(verify)).toMatchObject({ exit: 0 })
    const own = ['--certificate', 'leaf.crt', '--certificate-chain', 'between.crt']
    await cli.json('bundles', 'sign', 'tiny', '--key', 'key.pem', '--output', bundle, ...own)
    const good = await ask({ do: 'verify', model, bundle, chain: [root], hash: 'sha256' })
    expect(good.isDone, good.printed).toBe(true)
  },
)
