import { createHash } from 'node:crypto'
import { modelStatement } from '@countersign/sdk/integrity'
import { expect, it } from 'vitest'
import { mintOverTls } from '../support/proven-link.ts'
import { proveRepository } from '../support/signers.ts'
import { createPrivateSigstore, identity, issuer, repository } from '../support/sigstore/private-sigstore.ts'
import { createWorld } from '../support/world.ts'
import { createQuickCommandLine } from './in-process.ts'

const hexOf = (text: string) => createHash('sha256').update(text).digest('hex')
const files = ['config.json', 'weights.bin'].map((name) => ({ name, digest: hexOf(name) }))
const statement = modelStatement({ name: 'atlas', files })
const digest = `sha256:${createHash('sha256')
  .update(Buffer.concat(files.map((file) => Buffer.from(file.digest, 'hex'))))
  .digest('hex')}`

it('is shown with its exact branch wherever a job of the repository may have signed', async () => {
  const cli = await createQuickCommandLine('http://127.0.0.1:9')
  const trustedRoot = await cli.write('trusted_root.json', '')
  const world = await createWorld({ trustedRoot })
  const sigstore = await createPrivateSigstore({ at: new Date(world.clock.now()) })
  world.clock.advance('1m')
  await cli.write('trusted_root.json', JSON.stringify(sigstore.trustedRoot()))
  const acme = await world.provider('acme')
  await proveRepository(world, acme.id)
  await acme.client.signers.declare({ signer: { kind: 'repository', issuer, repository } })
  const certificate = { issuer, names: [{ type: 'url' as const, value: `${identity}{}` }], repository }
  const bundle = await sigstore.bundle({ kind: 'dsse/0.0.1', statement, certificate })
  const model_id = await acme.registerModel({ model_digest: digest })
  await acme.client.bundles.upload(model_id, JSON.parse(JSON.stringify(bundle)))

  const exact = `“${identity}\\u{7b}\\u{7d}”`
  expect((await world.anyone.bundles.status(model_id)).message).toContain(exact)
  const { minted } = await mintOverTls(world, acme, { model_id })
  const { checks } = await world.anyone.verifications.check(minted.verification_url)
  expect(checks.find(({ check }) => check === 'bundle')?.detail).toContain(exact)

  const options = ['--trusted-root', 'trusted_root.json', '--certificate-oidc-issuer', issuer]
  const path = await cli.write('atlas.sigstore.json', JSON.stringify(bundle))
  const given = ['bundles', 'verify', digest, '--bundle', path, '--repository', repository, ...options]
  const { exit, stdout } = await cli.call(given)
  expect({ exit, names: stdout.split(exact).length }).toEqual({ exit: 0, names: 3 })
  expect(stdout).not.toContain(`“${identity}”`)
})
