import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readTrustedRoot, verifyBundle } from '@countersign/sdk/integrity'
import { bundleFromJSON } from '@sigstore/bundle'
import { TrustedRoot } from '@sigstore/protobuf-specs'
import { toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify'
import { measure, median, type Report, ratioOfRounds, rotated, table } from './goal.ts'

const rounds = 5
const roundMs = 400

const fixtures = new URL('../../tests/fixtures/sigstore-cases/files/', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, fixtures))

const identity =
  'https://github.com/sigstore-conformance/extremely-dangerous-public-oidc-beacon/.github/workflows/extremely-dangerous-oidc-beacon.yml@refs/heads/main'
const issuer = 'https://token.actions.githubusercontent.com'

/**
 * Measures a verdict from the bytes of a public bundle: ours without the artifact, the library's with it. The statement is about how the
 * file was built, so its signature is verified, but does not verify a model.
 */
export const measureBundleVerdict = async (): Promise<Report> => {
  const rootJson = read('trusted_roots/public-good.json')
  const trustedRoot = readTrustedRoot(rootJson)
  const material = toTrustMaterial(TrustedRoot.fromJSON(JSON.parse(rootJson.toString())))
  const artifact = read('artifacts/a0cfc71271d6')
  const digest = `sha256:${createHash('sha256').update(artifact).digest('hex')}`
  const now = new Date()

  const ours = (bundle: Buffer, reason: 'attestation_only' | null) => () =>
    verifyBundle({ bundle, trustedRoot, digest, signers: [{ kind: 'identity', issuer, identity }], now }).reason ===
    reason
  const library = (bundle: Buffer) => () => {
    const entity = toSignedEntity(bundleFromJSON(JSON.parse(bundle.toString())), artifact)
    return (
      new Verifier(material).verify(entity, { extensions: { issuer } }).identity?.subjectAlternativeName === identity
    )
  }
  const statement = read('sigstore-conformance/happy-path-intoto-in-dsse-v3/bundle.sigstore.json')
  const message = read('sigstore-conformance/happy-path-v0.3/bundle.sigstore.json')
  const ways = [
    { name: 'verdict, statement', check: ours(statement, 'attestation_only') },
    { name: '@sigstore/verify, statement', check: library(statement) },
    { name: 'verdict, digest', check: ours(message, null) },
    { name: '@sigstore/verify, artifact', check: library(message) },
  ]

  const found: number[][] = ways.map(() => [])
  for (let round = -2; round < rounds; round++) {
    for (const way of rotated(ways, round + 2)) {
      const ms = timeOf(way)
      if (round >= 0) found[ways.indexOf(way)]?.push(ms)
    }
  }
  const [statementOurs = [], statementTheirs = [], messageOurs = [], messageTheirs = []] = found
  const goal = { goal: 'G21', floor: 1.3, target: 1.15 }
  return {
    measured: [
      measure(
        { ...goal, name: 'bundle verdict / @sigstore/verify, statement' },
        ratioOfRounds(statementOurs, statementTheirs),
      ),
      measure(
        { ...goal, name: 'bundle verdict / @sigstore/verify, digest' },
        ratioOfRounds(messageOurs, messageTheirs),
      ),
    ],
    details: table(
      ['', 'ms each'],
      ways.map(({ name }, index) => [name, median(found[index] ?? []).toFixed(2)]),
    ),
  }
}

const timeOf = ({ name, check }: { name: string; check: () => boolean }): number => {
  const started = performance.now()
  let count = 0
  for (; performance.now() - started < roundMs; count++)
    if (!check()) throw new Error(`${name} rejected a valid bundle.`)
  return (performance.now() - started) / count
}
