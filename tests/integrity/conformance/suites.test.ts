import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import seeds from '@sigstore/tuf/seeds.json' with { type: 'json' }
import { expect, it, onTestFinished } from 'vitest'
import { createCommandLine } from '../../cli/process.ts'
import { identity, issuer } from '../../support/sigstore/private-sigstore.ts'
import { identityToken, startSigstoreServer } from '../../support/sigstore/server.ts'
import { findPython } from './python.ts'

const run = promisify(execFile)
const here = import.meta.dirname
const suites = process.env.CONFORMANCE_SUITES
const python = await findPython()

/** Why a suite is not run, or undefined. */
const missing = (suite: string): string | undefined => {
  if (suites === undefined) return 'CONFORMANCE_SUITES does not name the folder with a copy of the suite'
  if (!existsSync(join(suites, suite))) return `${suite} is missing in ${suites}`
  return python.state === 'missing' ? python.why : undefined
}

/** Runs the Python runner of a suite; its last lines where it fails. */
const runSuite = async (suite: string, options: readonly string[], env: Record<string, string>): Promise<string> => {
  if (python.state === 'missing') throw new Error(python.why)
  const args = ['-m', 'pytest', '-p', 'offline', '-p', 'no:cacheprovider', '-q', '-rf', 'test', '--entrypoint', join(here, 'adapter.ts')]
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const answer = run(python.program, [...args, ...options], {
    cwd: join(suites ?? '', suite),
    env: { ...process.env, PATH: path, PYTHONPATH: [here, process.env.PYTHONPATH].join(delimiter), PYTHONDONTWRITEBYTECODE: '1', ...env },
    maxBuffer: 64 * 2 ** 20,
  })
  const { stdout } = await answer.catch((error: { stdout?: string; stderr?: string }) => ({ stdout: `${error.stdout}${error.stderr}` }))
  return stdout.split('\n').slice(-60).join('\n')
}

const minutes = 60_000

const why = { sigstore: missing('sigstore-conformance'), models: missing('model-signing-conformance') }
const shown = (reason: string | undefined) => (reason === undefined ? '' : ` (skipped: ${reason})`)

it.skipIf(why.sigstore)(`passes the suite of Sigstore for verifying${shown(why.sigstore)}`, { timeout: 15 * minutes }, async () => {
  const { program } = await createCommandLine('http://127.0.0.1:9')
  const told = await runSuite('sigstore-conformance', ['--skip-signing'], { COUNTERSIGN_PROGRAM: program })
  expect(told).toMatch(/\b1[4-9]\d passed/)
  expect(told).not.toMatch(/failed|error/)
})

it.skipIf(why.models)(`passes the suite of OpenSSF Model Signing${shown(why.models)}`, { timeout: 15 * minutes }, async () => {
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
  const told = await runSuite('model-signing-conformance', [], env)
  const expected = knownFailures(await readFile(join(here, '../../../docs/integrity.md'), 'utf8'))
  const failed = [...told.matchAll(/^FAILED \S+\[(?:\w+\/)?([\w.-]+)/gm)].map(([, name]) => name)
  expect(failed.sort(), told).toEqual(expected.sort())
  expect(told).toMatch(/\d+ passed/)
})

type Root = Record<'tlogs' | 'ctlogs' | 'certificateAuthorities' | 'timestampAuthorities', unknown[]>

/** The suite has bundles of the public instance beside those that it has made here. */
const both = (own: Root): Root => {
  const { targets } = seeds['https://tuf-repo-cdn.sigstore.dev']
  const known = JSON.parse(Buffer.from(targets['trusted_root.json'], 'base64').toString()) as Root
  const joined = (['tlogs', 'ctlogs', 'certificateAuthorities', 'timestampAuthorities'] as const).map((name) => [
    name,
    [...known[name], ...own[name]],
  ])
  return { ...known, ...Object.fromEntries(joined) }
}

/** Cases that the documentation says do not pass, each with its reason. */
const knownFailures = (page: string): string[] =>
  [...page.matchAll(/^\| `([\w.-]+)` \| OpenSSF Model Signing \|/gm)].map(([, name = '']) => name)
