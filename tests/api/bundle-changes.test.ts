import { createHash } from 'node:crypto'
import { modelStatement, signModel } from '@countersign/sdk/integrity'
import { expect, it, onTestFinished } from 'vitest'
import { type Checker, createChecker } from '../../server/src/bundles/checker.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { startEndpointServer } from '../support/endpoint-server.ts'
import { declareOwnKey } from '../support/signers.ts'
import { ecKeys, type Keys } from '../support/sigstore/keys.ts'
import { createWorld } from '../support/world.ts'

const modelOf = (content: string) => {
  const toSign = {
    name: 'atlas',
    files: [{ name: 'weights', digest: createHash('sha256').update(content).digest('hex') }],
  }
  const { subject } = modelStatement(toSign) as { subject: [{ digest: { sha256: string } }] }
  return { toSign, digest: `sha256:${subject[0].digest.sha256}` }
}

const [ours, other] = [modelOf('weights'), modelOf('other')]
const [known, stranger] = [ecKeys(), ecKeys()]
const signedBy = (keys: Keys, { toSign } = ours) => JSON.parse(signModel(toSign, keys.privateKey))
const signerOf = ({ publicKey }: Keys) =>
  ({ signer: { kind: 'key', public_key: publicKey.export({ type: 'spki', format: 'pem' }).toString() } }) as const

/** Something happens after the verdict was computed and before it is written. */
const startInterrupted = async (engine: Parameters<typeof createWorld>[0]) => {
  const real = createChecker({ timeoutMs: 60_000 })
  onTestFinished(real.close)
  let meanwhile: (() => Promise<unknown>) | undefined
  const checker: Checker = {
    ...real,
    check: async (...question) => {
      const verdict = await real.check(...question)
      const happens = meanwhile
      meanwhile = undefined
      await happens?.()
      return verdict
    },
  }
  const world = await createWorld({ ...engine, checker })
  const acme = await world.provider('acme')
  const declared = await declareOwnKey(acme.client, known)
  const id = await acme.registerModel({ model_digest: ours.digest })
  return {
    world,
    acme,
    id,
    declared,
    interrupt: (happens: () => Promise<unknown>) => {
      meanwhile = happens
    },
  }
}
type Interrupted = Awaited<ReturnType<typeof startInterrupted>>

describeOnSqlite('a verdict that was computed before a change', (engine) => {
  it.each<{ name: string; change: (at: Interrupted) => Promise<unknown>; status: string; reason: string | null }>([
    {
      name: 'the signer was withdrawn',
      change: ({ acme, declared }) => acme.client.signers.withdraw(declared.id),
      status: 'unknown',
      reason: 'signer_not_declared',
    },
    {
      name: 'another signer was added',
      change: ({ acme }) => acme.client.signers.declare(signerOf(stranger)),
      status: 'verified',
      reason: null,
    },
    {
      name: 'the digest was changed',
      change: ({ acme, id }) => acme.client.models.quickEdit(id, { model_digest: other.digest }),
      status: 'invalid',
      reason: 'digest_mismatch',
    },
    {
      name: 'another bundle was uploaded',
      change: ({ acme, id }) => acme.client.bundles.upload(id, signedBy(stranger)),
      status: 'invalid',
      reason: 'signer_mismatch',
    },
  ])('is not written: $name', async ({ change, status, reason }) => {
    const at = await startInterrupted({ engine })
    at.interrupt(() => change(at))
    const record = await at.acme.client.bundles.upload(at.id, signedBy(known))
    // Either no verdict yet, or the result of the change itself.
    expect([null, reason]).toContain(record.reason)
    if (record.reason === null) expect(record.bundle_status).toBe('unknown')
    await at.world.jobs.run('bundles')
    expect(await at.acme.client.bundles.status(at.id)).toMatchObject({
      bundle_status: status,
      reason,
      verification_status: 'completed',
    })
  })
})

describeOnSqlite('a requested check', (engine) => {
  it('runs if the last one failed, or if one is awaited, and otherwise only by force', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    await declareOwnKey(acme.client, known)
    const id = await acme.registerModel({ model_digest: ours.digest })
    const ask = async (force_refresh: boolean) => {
      const { verification_status, estimated_completion } = await acme.client.bundles.verify(id, { force_refresh })
      expect(estimated_completion !== null).toBe(verification_status === 'in_progress')
      return verification_status
    }
    await acme.client.bundles.upload(id, { mediaType: 'text/html', verificationMaterial: {} })
    expect((await acme.client.bundles.status(id)).bundle_status).toBe('error')
    expect(await ask(false)).toBe('in_progress')

    await acme.client.bundles.upload(id, signedBy(known))
    expect(await ask(false)).toBe('completed')
    expect(await ask(true)).toBe('in_progress')
    expect(await ask(false)).toBe('in_progress')
    await world.jobs.run('bundles')
    expect(await ask(false)).toBe('completed')
  })

  it('of a deactivated provider waits until it is active again', async () => {
    const host = await startEndpointServer((_request, response) => response.end(JSON.stringify(signedBy(known))))
    const world = await createWorld({ engine, egressAllow: [`files.acme.example=${host.hostAndPort}`] })
    const acme = await world.provider('acme')
    await declareOwnKey(acme.client, known)
    const id = await acme.registerModel({
      model_digest: ours.digest,
      sigstore_bundle_url: 'https://files.acme.example/atlas.sig',
    })
    await acme.client.providers.deactivate(acme.id)
    await world.jobs.run('bundles')
    expect(host.seen.requests).toEqual([])
    await acme.client.providers.reactivate(acme.id)
    await world.jobs.run('bundles')
    expect(await acme.client.bundles.status(id)).toMatchObject({ bundle_status: 'verified' })
  })
})
