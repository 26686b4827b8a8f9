import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { run } from '../../cli/src/main.ts'
import { createTestWorld } from '../../cli/src/test-world.ts'

const folder = join(import.meta.dirname, '../fixtures/sigstore-cases')

const text = z.string().optional()
const Case = z.object({
  id: z.string(),
  kind: z.string(),
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

const { cases } = z.object({ cases: z.array(Case) }).parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')))

const option = (name: string, value: string | undefined) => (value === undefined ? [] : [name, value])

const signerOptions = ({ key, public_key, cert_chain, identity, issuer }: Case) => {
  const pem = key ?? public_key
  if (pem) return ['--key', pem]
  if (cert_chain) return option('--certificate-chain', cert_chain[0])
  return [...option('--certificate-identity', identity), ...option('--certificate-oidc-issuer', issuer)]
}

const optionsOf = (given: Case) => [
  ...option('--bundle', given.bundle),
  ...option('--trusted-root', given.trusted_root),
  ...signerOptions(given),
  ...given.ignore_paths.flatMap((path) => ['--ignore-path', path]),
  '--no-cache',
]

// Certificates of the cases end in 2035.
const now = () => new Date('2026-11-21T00:00:00Z')

const call = async (...args: string[]) => {
  const world = createTestWorld({ cwd: folder, now })
  return { exit: await run(args, world), ...world.written }
}

const ofKind = (...kinds: string[]) => cases.filter(({ kind, cert_chain = [] }) => kinds.includes(kind) && cert_chain.length <= 1)

it.each(ofKind('bundle', 'oms-remote'))('verify-bundle answers $id as conformance suites expect: $expect', async (given) => {
  const what = given.mode === 'artifact' ? given.artifact : (given.digest ?? given.model_digest)
  const { exit, stdout, stderr } = await call('verify-bundle', ...optionsOf(given), what ?? '')
  expect(exit, stdout + stderr).toBe(given.expect === 'pass' ? 0 : 3)
})

it.each(ofKind('oms-verify'))('bundles verify answers $id with the files themselves: $expect', async (given) => {
  const { exit, stdout, stderr } = await call('bundles', 'verify', given.model ?? '', ...optionsOf(given))
  expect(exit === 0, stdout + stderr).toBe(given.expect === 'pass')
})
