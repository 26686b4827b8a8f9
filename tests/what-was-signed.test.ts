import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LogProofs } from '@countersign/sdk/contract'
import { modelStatement, signModel } from '@countersign/sdk/integrity'
import { checkLink } from '@countersign/sdk/log/pin'
import { policy } from '@countersign/sdk/verify'
import { expect, it, onTestFinished } from 'vitest'
import { createQuickCommandLine } from './cli/in-process.ts'
import type { ProviderActor } from './support/actors.ts'
import { ask } from './support/ask.ts'
import { describeOnSqlite } from './support/databases.ts'
import { logPolicyOf } from './support/log-policies.ts'
import { declareOwnKey } from './support/signers.ts'
import { ecKeys, type Keys } from './support/sigstore/keys.ts'
import { signStatement } from './support/sigstore/model-bundle.ts'
import { createPrivateSigstore } from './support/sigstore/private-sigstore.ts'
import { createWorld, type World } from './support/world.ts'

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

const declare = ({ client }: ProviderActor, keys: Keys, isOwn: boolean) =>
  isOwn ? declareOwnKey(client, keys) : client.signers.declare(declareKey(keys))

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
    await declare(acme, keys, isOwn)
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

const createLogScene = async (engine: World['engine']) => {
  const world = await createWorld({ engine })
  // The command line and policies use the real clock.
  world.clock.advance(`${Math.max(0, Date.now() - world.clock.now())}ms`)
  const acme = await world.provider('acme')
  const model_id = await acme.registerModel({ model_digest: digest })
  const keys = ecKeys()
  const policyText = `${await logPolicyOf(world)}quorum none\n`
  const cli = await createQuickCommandLine(world.address)
  await cli.write('own.policy', policyText)
  /** A link, its answer, and what the pinned log has of it. */
  const check = async () => {
    await world.registry.transparency.sequence()
    const { token } = await acme.client.verifications.create({ model_id })
    const verdict = await world.anyone.verifications.check(token, { issuer: world.publicUrl })
    if (verdict.result !== 'verified') throw new Error(verdict.reason)
    const { verification } = verdict
    const asked = { link: verification.link_code, issuer: world.publicUrl }
    /** As the registry answers, or as one that lies. */
    const logged = (
      changes: Partial<typeof verification.model> = {},
      lie: (proofs: LogProofs) => LogProofs = (proofs) => proofs,
    ) =>
      checkLink(policyText, { ...verification, model: { ...verification.model, ...changes } as never }, asked, {
        fetch: async (url) => {
          const response = await fetch(String(url).replace(world.publicUrl, world.address))
          return String(url).includes('/proofs/') ? Response.json(lie((await response.json()) as LogProofs)) : response
        },
      })
    const commandLine = async () => {
      const { exit, stdout } = await cli.call([
        'verify',
        token,
        '--log-policy',
        'own.policy',
        '--json',
        '--save',
        'kept.json',
      ])
      return { exit, ...JSON.parse(stdout) }
    }
    const { facts } = await world.anyone.log.proofs(token)
    const type = facts.find(({ fact }) => fact === 'bundle')?.type
    return { verdict, type, logged, commandLine }
  }
  return { world, acme, model_id, keys, cli, check }
}

const folder = [
  { name: 'config.json', digest: '8'.repeat(64) },
  { name: 'weights.safetensors', digest: '9'.repeat(64) },
]

describeOnSqlite('an attestation that someone else published', (engine) => {
  it.each([
    { name: 'of a digest', changes: {} },
    {
      name: 'of a folder with its files',
      changes: { model_files: folder.map(({ name, digest }) => ({ name, sha256: digest, size: 3 })) },
    },
    { name: 'without a digest', changes: { model_digest: undefined } },
  ])('is nowhere said to sign the version $name of a provider that declares no signer', async ({ changes }) => {
    const directory = await mkdtemp(join(tmpdir(), 'countersign-root-'))
    onTestFinished(() => rm(directory, { recursive: true }))
    const trustedRoot = join(directory, 'trusted_root.json')
    const world = await createWorld({ engine, trustedRoot })
    const sigstore = await createPrivateSigstore({ at: new Date(world.clock.now()) })
    world.clock.advance('1m')
    await writeFile(trustedRoot, JSON.stringify(sigstore.trustedRoot()))
    const mallory = await world.provider('mallory')
    const signed = modelStatement({ name: 'victim', files: folder }) as typeof statement
    const model_digest = `sha256:${signed.subject[0].digest.sha256}`
    const model_id = await mallory.registerModel({ model_digest, ...changes })
    const attested = { ...signed, predicateType: 'https://slsa.dev/provenance/v1', predicate: {} }
    const bundle = await sigstore.bundle({ kind: 'dsse/0.0.1', statement: attested })

    const record = await mallory.client.bundles.upload(model_id, bundle)
    expect(record).toMatchObject({ bundle_status: 'unknown', reason: 'attestation_only' })
    expect(record.message).toMatch(/^An attestation of type /)
    expect(record.message).not.toContain('this digest')
    const { token, verification_url } = await mallory.client.verifications.create({ model_id })
    const { checks } = await world.anyone.verifications.get(token)
    const cli = await createQuickCommandLine(world.address)
    const says = await Promise.all([
      checks.find(({ check }) => check === 'bundle')?.detail ?? '',
      ask(verification_url.replace(world.publicUrl, world.address), { headers: { Accept: 'text/html' } }).then(
        ({ text }) => text,
      ),
      cli.call(['verify', token]).then(({ stdout }) => stdout),
      cli.call(['models', 'show', model_id]).then(({ stdout }) => stdout),
    ])
    for (const text of says) expect(text).not.toMatch(/Signed by|not confirmed\)$/m)
    expect(says[3]).toContain('(an attestation, not a signature of the model)')
  })
})

describeOnSqlite('a signature by a key, which only its declared key can check', (engine) => {
  it.each([
    { name: 'a model statement', changes: {} },
    { name: 'an attestation', changes: { predicateType: 'https://slsa.dev/provenance/v1', predicate: {} } },
  ])('is nowhere said to be valid, or over the digest, without one: $name', async ({ changes }) => {
    const world = await createWorld({ engine })
    const mallory = await world.provider('mallory')
    const bundle = signStatement({ ...statement, ...changes }, ecKeys(), { publicKey: { hint: '' } })
    for (const signature of bundle.dsseEnvelope?.signatures ?? [])
      signature.sig = Buffer.from('not a signature').toString('base64')
    const model_id = await mallory.registerModel({ model_digest: digest })
    const says = 'No signer is declared, so the signature could not be checked.'

    expect(await mallory.client.bundles.upload(model_id, bundle)).toMatchObject({
      bundle_status: 'unknown',
      reason: 'signer_not_declared',
      message: expect.stringContaining(says),
      signer: null,
      signed_digest: null,
      bundle_verification_details: { signatures_valid: null, artifact_hash_match: null },
      checks: expect.arrayContaining([
        { name: 'digest', result: 'not_checked', detail: `The bundle names ${digest}` },
        { name: 'signature', result: 'not_checked', detail: 'Only the declared key can check it' },
      ]),
    })
    const { token, verification_url } = await mallory.client.verifications.create({ model_id })
    const { model, checks } = await world.anyone.verifications.get(token)
    expect(model?.bundle_verification_details).toMatchObject({
      artifact_hash_match: null,
      error: expect.stringContaining(says),
    })
    expect(checks.find(({ check }) => check === 'bundle')).toMatchObject({
      passed: null,
      detail: 'No signature of the model file has been checked.',
    })
    const cli = await createQuickCommandLine(world.address)
    const texts = await Promise.all([
      cli.call(['bundles', 'status', model_id]).then(({ stdout }) => stdout),
      cli.call(['models', 'show', model_id]).then(({ stdout }) => stdout),
      cli.call(['verify', token]).then(({ stdout }) => stdout),
      ...[`/models/${model_id}`, verification_url.replace(world.publicUrl, '')].map(
        async (path) => (await ask(`${world.address}${path}`, { headers: { Accept: 'text/html' } })).text,
      ),
    ])
    expect(texts[0]).toContain(says)
    for (const text of texts) expect(text).not.toMatch(/signature (is )?valid|(was|is) signed|signed (by|with|digest)/i)

    expect(await declare(mallory, ecKeys(), false)).toMatchObject({ tied: false })
    await world.jobs.run('bundles')
    expect(await world.anyone.bundles.status(model_id)).toMatchObject({
      bundle_status: 'invalid',
      bundle_verification_details: { artifact_hash_match: null },
    })
  })
})

describeOnSqlite('a link that shows a signature of the model file', (engine) => {
  it.each([
    { name: 'the company', isOwn: true, words: 'file_signed', type: 'bundle.verified' },
    { name: 'a third party', isOwn: false, words: 'file_signed_by_other', type: 'bundle.third_party' },
  ])('is logged only with the entry of exactly this signature, by $name', async ({ isOwn, words, type }) => {
    const { world, acme, model_id, keys, cli, check } = await createLogScene(engine)
    const { id } = await declare(acme, keys, isOwn)
    await acme.client.bundles.upload(model_id, JSON.parse(signModel(toSign, keys.privateKey)))
    const link = await check()
    expect(link).toMatchObject({ verdict: { steps: { model_file: { words } } }, type })
    expect(link.verdict.verification.log.facts).toContainEqual({ fact: 'bundle', index: expect.any(Number) })
    expect(await link.logged()).toMatchObject({ state: 'logged' })
    expect(await link.commandLine()).toMatchObject({ exit: 0, result: 'verified', log: { state: 'logged' } })
    const audited = await cli.call(['log', 'audit', 'kept.json', '--policy', 'own.policy', '--json'])
    // The log has nothing from later yet.
    expect([audited.exit, JSON.parse(audited.stdout)]).toEqual([
      9,
      expect.objectContaining({ held: expect.objectContaining({ bundle: expect.any(Number) }) }),
    ])

    const without = (proofs: LogProofs) => ({ ...proofs, facts: proofs.facts.filter(({ fact }) => fact !== 'bundle') })
    expect(await link.logged({}, without)).toEqual({ state: 'not_logged', detail: '“bundle” is not in the log' })
    const other = { state: 'not_logged', detail: 'The log says something else about “bundle”' }
    const { bundle_signer: signer, bundle_verification_details: details } = link.verdict.verification.model
    if (!signer || !details) throw new Error('No signer')
    expect(await link.logged({ bundle_signer: { ...signer, key_fingerprint: '0'.repeat(64) } })).toEqual(other)
    const swapped = isOwn
      ? ({ bundle_status: 'unknown', bundle_verification_details: { ...details, signer_tied: false } } as const)
      : ({ bundle_status: 'verified' } as const)
    expect(await link.logged(swapped)).toEqual(other)

    await acme.client.signers.withdraw(id)
    await world.jobs.run('bundles')
    const later = await check()
    expect(later).toMatchObject({ verdict: { steps: { model_file: { words: 'file_digest' } } }, type: undefined })
    expect(await later.logged()).toMatchObject({ state: 'logged' })
    expect(await later.commandLine()).toMatchObject({ exit: 0 })
  })

  it('is logged at the next start if an earlier version of the registry did not log it', async () => {
    const { world, acme, model_id, keys, check } = await createLogScene(engine)
    await declare(acme, keys, false)
    await acme.client.bundles.upload(model_id, JSON.parse(signModel(toSign, keys.privateKey)))
    await world.database.transaction((tx) =>
      tx.deleteFrom('log_facts').where('subject', '=', model_id).where('fact', '=', 'bundle').execute(),
    )
    const before = await check()
    expect(before.type).toBe(null)
    expect(await before.logged()).toMatchObject({ state: 'not_logged' })

    const entries = async () => (await acme.client.log.entries()).entries.length
    const count = await entries()
    await Promise.all([world.registry.transparency.prepare(), world.registry.transparency.prepare()])
    const after = await check()
    expect(after.type).toBe('bundle.third_party')
    expect(await after.logged()).toMatchObject({ state: 'logged' })
    expect(await entries()).toBe(count + 1)
  })

  it('is rejected with a policy of the log if the registry never logged the signature', async () => {
    const { world, model_id, check } = await createLogScene(engine)
    const honest = await check()
    expect(await honest.logged()).toMatchObject({ state: 'logged' })
    const signer = { identity: null, issuer: null, repository: null, workflow: null, key_fingerprint: 'f'.repeat(64) }
    await world.database.transaction((tx) =>
      tx
        .updateTable('models')
        .set({ bundle_status: 'verified', bundle_signer: JSON.stringify({ signer, digest }) })
        .where('id', '=', model_id)
        .execute(),
    )
    const lie = await check()
    expect(lie.verdict.steps.model_file).toMatchObject({ state: 'proven', words: 'file_signed' })
    const log = await lie.logged()
    expect(log.state).toBe('not_logged')
    expect(policy({ logged: true })({ ...lie.verdict, log })).toMatchObject({
      allowed: false,
      violations: [{ rule: 'logged', found: 'not_logged' }],
    })
    expect(await lie.commandLine()).toMatchObject({
      exit: 3,
      result: 'not_verified',
      reason: 'not_logged',
      steps: null,
    })
  })
})
