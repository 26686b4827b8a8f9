import { modelStatement, signModel } from '@countersign/sdk/integrity'
import { policy } from '@countersign/sdk/verify'
import { expect, it } from 'vitest'
import { createQuickCommandLine } from './cli/in-process.ts'
import { ask } from './support/ask.ts'
import { describeOnSqlite } from './support/databases.ts'
import { declareOwnKey } from './support/signers.ts'
import { ecKeys, type Keys } from './support/sigstore/keys.ts'
import { signStatement } from './support/sigstore/model-bundle.ts'
import { createWorld } from './support/world.ts'

const toSign = { name: 'atlas', files: [{ name: 'weights.safetensors', digest: '9'.repeat(64) }] }
const statement = modelStatement(toSign) as { subject: [{ digest: { sha256: string } }] }
const digest = `sha256:${statement.subject[0].digest.sha256}`

/** A statement about the model, which does not sign it. */
const attest = (keys: Keys, predicateType: string) =>
  signStatement({ ...statement, predicateType, predicate: {} }, keys, { publicKey: { hint: '' } })

const stepOf = (page: string) => /data-step="model_file" data-step-state="(\w+)">(.*?)<\/li>/s.exec(page)?.slice(1)

const declareKey = (keys: Keys) => ({
  signer: { kind: 'key', public_key: keys.publicKey.export({ type: 'spki', format: 'pem' }).toString() } as const,
})

describeOnSqlite('a bundle that is an attestation about the model', (engine) => {
  it.each([
    { name: 'SLSA provenance by the company’s own signer', type: 'https://slsa.dev/provenance/v1', isOwn: true },
    { name: 'SLSA provenance by a third party', type: 'https://slsa.dev/provenance/v1', isOwn: false },
    { name: 'another statement by a third party', type: 'https://acme.example/we-like-it/v1', isOwn: false },
  ])('is nowhere said to sign it: $name', async ({ type, isOwn }) => {
    const world = await createWorld({ engine })
    // The command line and policies use the real clock.
    world.clock.advance(`${Math.max(0, Date.now() - world.clock.now())}ms`)
    const acme = await world.provider('acme')
    const keys = ecKeys()
    if (isOwn) await declareOwnKey(acme.client, keys)
    else await acme.client.signers.declare(declareKey(keys))
    const model_id = await acme.registerModel({ model_digest: digest })
    const mint = () => acme.client.verifications.create({ model_id })
    const cli = await createQuickCommandLine(world.address)
    const signed = policy({ bundleStatuses: ['verified'] })

    expect(await acme.client.bundles.upload(model_id, attest(keys, type))).toMatchObject({
      bundle_status: 'unknown',
      reason: 'attestation_only',
      bundle_verification_details: { signer_tied: null },
    })
    const { token, verification_url } = await mint()
    const verdict = await world.anyone.verifications.check(token, { issuer: world.publicUrl })
    expect(verdict).toMatchObject({
      result: 'verified',
      steps: { model_file: { state: 'stated', words: 'file_digest' } },
    })
    expect(signed(verdict).violations).toMatchObject([{ rule: 'bundleStatuses', found: 'unknown' }])
    expect(verdict.checks.find(({ check }) => check === 'bundle')).toMatchObject({
      passed: null,
      detail: expect.stringMatching(/^Not signed\. An attestation by /),
    })
    expect((await world.anyone.verifications.inspect(token)).steps?.model_file.words).toBe('file_digest')

    const page = await ask(verification_url.replace(world.publicUrl, world.address), {
      headers: { Accept: 'text/html' },
    })
    expect(stepOf(page.text)).toEqual(['stated', expect.stringContaining('not checked by us')])
    const says = await Promise.all([
      cli.call(['verify', token]).then(({ stdout }) => stdout),
      cli.call(['models', 'show', model_id]).then(({ stdout }) => stdout),
      ...[
        `/badge/models/${model_id}.svg`,
        `/oembed?url=${encodeURIComponent(verification_url)}`,
        `/models/${model_id}`,
      ].map(async (path) => (await ask(`${world.address}${path}`, { headers: { Accept: 'text/html' } })).text),
    ])
    for (const text of says) expect(text).not.toMatch(/third party|signed by the company/i)
    expect(says[1]).toContain('(an attestation, not a signature of the model)')

    await acme.client.bundles.upload(model_id, JSON.parse(signModel(toSign, keys.privateKey)))
    const better = await world.anyone.verifications.check((await mint()).token, { issuer: world.publicUrl })
    const words = isOwn ? 'file_signed' : 'file_signed_by_other'
    expect(better).toMatchObject({ result: 'verified', steps: { model_file: { words } } })
    expect(signed(better).allowed).toBe(isOwn)
  })
})
