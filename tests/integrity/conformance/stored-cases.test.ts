import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { run } from '../../../cli/src/run.ts'
import { createTestWorld } from '../../../cli/src/test-world.ts'
import { commandOf } from './command-of.ts'

const folder = join(import.meta.dirname, '../../fixtures/sigstore-cases')

const text = z.string().optional()
const Case = z.object({
  id: z.string(),
  kind: z.string(),
  method: text,
  expect: z.enum(['pass', 'fail']),
  mode: text,
  bundle: text,
  artifact: text,
  digest: text,
  trusted_root: text,
  key: text,
  public_key: text,
  cert_chain: z.array(z.string()).optional(),
  identity: text,
  issuer: text,
  model: text,
  model_digest: text,
  ignore_paths: z.array(z.string()).default([]),
})
type Case = z.infer<typeof Case>

const { cases } = z
  .object({ cases: z.array(Case) })
  .parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')))

const option = (name: string, value: string | undefined) => (value === undefined ? [] : [name, value])

/** The call that sigstore-conformance makes. */
const verifyBundle = (given: Case, what: string) => {
  const { key, public_key, identity, issuer } = given
  const pem = key ?? public_key
  const chain = (given.cert_chain ?? []).flatMap((path) => ['--certificate-chain', path])
  const signer =
    pem || chain.length > 0
      ? [...option('--key', pem), ...chain]
      : [...option('--certificate-identity', identity), ...option('--certificate-oidc-issuer', issuer)]
  return [
    'verify-bundle',
    ...option('--bundle', given.bundle),
    ...signer,
    ...option('--trusted-root', given.trusted_root),
    what,
  ]
}

/** The call that the suite of OpenSSF Model Signing makes, with absolute paths. */
const verifyModel = (given: Case) => {
  const model = join(folder, given.model ?? '')
  return [
    ...[
      'verify-model',
      '--method',
      given.method ?? '',
      '--model-path',
      model,
      '--bundle',
      join(folder, given.bundle ?? ''),
    ],
    ...option('--public-key', given.public_key),
    ...(given.cert_chain ?? []).flatMap((path) => ['--cert-chain', path]),
    ...option('--identity', given.identity),
    ...option('--identity-provider', given.issuer),
    ...given.ignore_paths.flatMap((path) => ['--ignore-paths', join(model, path)]),
  ]
}

// The certificates of the cases end in 2035.
const now = () => new Date('2026-11-21T00:00:00Z')

const call = async (asked: readonly string[]) => {
  const command = commandOf(asked)
  if (typeof command === 'string') throw new Error(command)
  const world = createTestWorld({ cwd: folder, now, env: command.env })
  return { exit: await run(command.args, world), ...world.written }
}

const ofKind = (...kinds: string[]) => cases.filter(({ kind }) => kinds.includes(kind))

it.each(ofKind('bundle', 'oms-remote'))('answers $id as Sigstore’s suite expects: $expect', async (given) => {
  const what = given.mode === 'artifact' ? given.artifact : (given.digest ?? given.model_digest)
  const { exit, stdout, stderr } = await call(verifyBundle(given, what ?? ''))
  expect(exit, stdout + stderr).toBe(given.expect === 'pass' ? 0 : 3)
})

it.each(ofKind('oms-verify'))('answers $id as the suite of OpenSSF Model Signing expects: $expect', async (given) => {
  const { exit, stdout, stderr } = await call(verifyModel(given))
  expect(exit === 0, stdout + stderr).toBe(given.expect === 'pass')
})

it('uses only features of the command line', () => {
  expect(commandOf(['sign-bundle', '--bundle', 'a.sig', 'a'])).toMatch(/not supported/)
  expect(commandOf(['verify-bundle', '--staging', '--bundle', 'a.sig', 'a'])).toMatch(/staging/)
})
