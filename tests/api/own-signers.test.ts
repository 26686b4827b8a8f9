import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tokenExchange } from '@countersign/sdk/contract'
import { modelStatement, signModel } from '@countersign/sdk/integrity'
import { expect, it, onTestFinished } from 'vitest'
import type { ProviderActor } from '../support/actors.ts'
import { ask } from '../support/ask.ts'
import { githubJob } from '../support/ci-issuer.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { declareOwnKey, proveRepository, proveSigner, signChallenge } from '../support/signers.ts'
import { createChain } from '../support/sigstore/authority.ts'
import { ecKeys, type Keys, pemOf } from '../support/sigstore/keys.ts'
import { signByCertificate } from '../support/sigstore/model-bundle.ts'
import { createPrivateSigstore, identity, issuer, repository } from '../support/sigstore/private-sigstore.ts'
import { createWorld, type World } from '../support/world.ts'

const hexOf = (text: string) => createHash('sha256').update(text).digest('hex')
const toSign = {
  name: 'atlas',
  files: [
    { name: 'config.json', digest: hexOf('{}') },
    { name: 'weights.safetensors', digest: hexOf('weights') },
  ],
}
const statement = modelStatement(toSign) as { subject: [{ digest: { sha256: string } }] }
const digest = `sha256:${statement.subject[0].digest.sha256}`
const signedBy = (keys: Keys) => JSON.parse(signModel(toSign, keys.privateKey))
const keySigner = ({ publicKey }: Keys) =>
  ({ signer: { kind: 'key', public_key: publicKey.export({ type: 'spki', format: 'pem' }).toString() } }) as const

const register = (acme: ProviderActor) => acme.registerModel({ model_digest: digest })
const statusOf = async (acme: ProviderActor, id: string) => {
  const { bundle_status, reason } = await acme.client.bundles.status(id)
  return { bundle_status, reason }
}
const verified = { bundle_status: 'verified', reason: null }
const thirdParty = { bundle_status: 'unknown', reason: 'signer_not_tied' }

describeOnSqlite('a declared signer', (engine) => {
  it('is a third party until the holder of the key proves it: another’s public key and bundle prove nothing', async () => {
    const world = await createWorld({ engine })
    const [acme, thief] = [await world.provider('acme'), await world.provider('thief')]
    const keys = ecKeys()
    await declareOwnKey(acme.client, keys)
    const own = await register(acme)
    await acme.client.bundles.upload(own, signedBy(keys))
    expect(await statusOf(acme, own)).toEqual(verified)

    const { id: signer, tied } = await thief.client.signers.declare(keySigner(keys))
    expect(tied).toBe(false)
    const stolen = await register(thief)
    const record = await thief.client.bundles.upload(stolen, signedBy(keys))
    expect(record).toMatchObject({
      ...thirdParty,
      bundle_verification_details: { signer_tied: false, reason: 'signer_not_tied' },
    })
    expect(record.message).toMatch(/^Signed by a third party/)
    expect(record.checks.find(({ name }) => name === 'signer')?.result).toBe('not_checked')
    const { token } = await thief.client.verifications.create({ model_id: stolen })
    const result = await world.anyone.verifications.get(token)
    expect(result.checks.find(({ check }) => check === 'bundle')).toMatchObject({
      passed: null,
      detail: expect.stringContaining('Signed by a third party'),
    })
    // Without a digest, the signature is over no file of this version.
    const bare = await thief.registerModel({ model_digest: undefined })
    await thief.client.bundles.upload(bare, signedBy(keys))
    const bareLink = await thief.client.verifications.create({ model_id: bare })
    const { steps, bundle_check } = await world.anyone.verifications.inspect(bareLink.token)
    expect(steps?.model_file).toMatchObject({ state: 'missing', words: 'file_none' })
    expect(bundle_check).toMatchObject({ status: 'unknown', signer: null })
    const { trust_breakdown } = await thief.client.providers.me()
    expect(trust_breakdown.find(({ component }) => component === 'model_verified')).toMatchObject({ points: 0 })
    expect((await thief.client.account.attention()).items).toContainEqual(
      expect.objectContaining({ kind: 'signer_not_tied', subjects: [expect.objectContaining({ id: stolen })] }),
    )

    // The owner's own proof signs the owner's challenge.
    const [{ message: mine }, { message: theirs }] = [
      await acme.client.signers.challenge((await acme.client.signers.list().toArray())[0]?.id ?? '', {}),
      await thief.client.signers.challenge(signer, {}),
    ]
    expect(mine).not.toBe(theirs)
    await expect(
      thief.client.signers.prove(signer, { signature: signChallenge(mine, keys.privateKey) }),
    ).rejects.toMatchObject({
      code: 'signer_proof_invalid',
    })
    await expect(
      thief.client.signers.prove(signer, { signature: signChallenge(theirs, ecKeys().privateKey) }),
    ).rejects.toMatchObject({
      code: 'signer_proof_invalid',
    })
    expect(await statusOf(thief, stolen)).toEqual(thirdParty)
  })

  it.each([
    { name: 'P-256', keys: ecKeys() },
    { name: 'P-384', keys: ecKeys('secp384r1') },
    { name: 'P-521', keys: ecKeys('secp521r1') },
    { name: 'Ed25519', keys: generateKeyPairSync('ed25519') },
  ])('is proven by a signature of a key on $name, once and before the challenge expires', async ({ keys }) => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const { id } = await acme.client.signers.declare(keySigner(keys))
    const early = await acme.client.signers.challenge(id, {})
    const { message, expires_at } = await acme.client.signers.challenge(id, {})
    expect(message).toMatch(/^countersign signer proof v1\n/)
    expect(message).toContain(`provider: ${acme.id}\nsigner: ${id}\n`)
    const prove = (text: string) => acme.client.signers.prove(id, { signature: signChallenge(text, keys.privateKey) })
    await expect(prove(early.message)).rejects.toMatchObject({ code: 'signer_proof_invalid' })
    expect(await prove(message)).toMatchObject({ tied: true, tie: 'proof', proven_at: expect.any(String) })
    await expect(prove(message)).rejects.toMatchObject({ code: 'signer_proof_invalid' })
    expect((await acme.client.account.events()).events[0]).toMatchObject({ action: 'signer.proven' })

    const late = await acme.client.signers.challenge(id, {})
    expect(Date.parse(expires_at) - world.clock.now()).toBe(86_400_000)
    world.clock.advance('25h')
    await expect(prove(late.message)).rejects.toMatchObject({ code: 'signer_proof_invalid' })
  })

  it('is also proven with OpenSSL and SHA-256', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const keys = ecKeys('secp384r1')
    const { id } = await acme.client.signers.declare(keySigner(keys))
    const { message } = await acme.client.signers.challenge(id, {})
    const signature = sign('sha256', Buffer.from(message), keys.privateKey).toString('base64')
    expect(await acme.client.signers.prove(id, { signature: signature.replace(/.{20}/g, '$&\n') })).toMatchObject({
      tied: true,
    })
  })

  it('stops verifying at once when it is withdrawn', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const keys = ecKeys()
    const { id: signer } = await declareOwnKey(acme.client, keys)
    const id = await register(acme)
    await acme.client.bundles.upload(id, signedBy(keys))
    const { token } = await acme.client.verifications.create({ model_id: id })
    await acme.client.signers.withdraw(signer)
    expect((await statusOf(acme, id)).bundle_status).toBe('unknown')
    expect((await world.anyone.verifications.get(token)).model).toMatchObject({
      bundle_status: 'unknown',
      bundle_signer: null,
    })
    await world.jobs.run('bundles')
    expect(await statusOf(acme, id)).toEqual({ bundle_status: 'unknown', reason: 'signer_not_declared' })
  })

  it('leaves other versions verified if one that did not sign them is withdrawn', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const keys = ecKeys()
    await declareOwnKey(acme.client, keys)
    const { id: other } = await declareOwnKey(acme.client, ecKeys())
    const id = await register(acme)
    await acme.client.bundles.upload(id, signedBy(keys))
    await acme.client.signers.withdraw(other)
    expect((await statusOf(acme, id)).bundle_status).toBe('verified')
  })

  it('with a certificate is the provider’s own for the proven key, and for no other of its authority', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const from = new Date(world.clock.now() - 86_400_000)
    const leafKeys = ecKeys()
    const { root: anchor, chain } = await createChain({ leafKeys, from })
    const certificate_chain = pemOf('CERTIFICATE', anchor)
    const { id: signer } = await acme.client.signers.declare({ signer: { kind: 'certificate', certificate_chain } })
    const id = await register(acme)
    const bundle = signByCertificate(leafKeys, chain, statement) as never
    expect(await acme.client.bundles.upload(id, bundle)).toMatchObject(thirdParty)
    const { message } = await acme.client.signers.challenge(signer, {})
    const signature = signChallenge(message, leafKeys.privateKey)
    await expect(acme.client.signers.prove(signer, { signature })).rejects.toMatchObject({
      code: 'signer_proof_invalid',
    })
    const { root: stranger, chain: foreign } = await createChain({ leafKeys, from })
    const pem = (certificates: readonly Buffer[]) => certificates.map((each) => pemOf('CERTIFICATE', each)).join('\n')
    expect(stranger).not.toEqual(anchor)
    await expect(
      acme.client.signers.prove(signer, { signature, certificate_chain: pem(foreign) }),
    ).rejects.toMatchObject({
      detail: expect.stringContaining('does not lead to the declared authority'),
    })
    expect(await acme.client.signers.prove(signer, { signature, certificate_chain: pem(chain) })).toMatchObject({
      tied: true,
    })
    await world.jobs.run('bundles')
    expect(await statusOf(acme, id)).toEqual(verified)
  })

  it('is not named to visitors as its own authority does, with another’s domain or words of judgement', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const sign = async (leafName: string) => {
      const leafKeys = ecKeys()
      const from = new Date(world.clock.now() - 86_400_000)
      const { root, chain } = await createChain({ leafKeys, from, leafName })
      const declared = { kind: 'certificate', certificate_chain: pemOf('CERTIFICATE', root) } as const
      const { id: signer } = await acme.client.signers.declare({ signer: declared })
      const certificate_chain = chain.map((each) => pemOf('CERTIFICATE', each)).join('')
      await proveSigner(acme.client, signer, leafKeys, { certificate_chain })
      const id = await register(acme)
      await acme.client.bundles.upload(id, signByCertificate(leafKeys, chain, statement) as never)
      const { token } = await acme.client.verifications.create({ model_id: id })
      const { model, checks } = await world.anyone.verifications.get(token)
      const check = checks.find((each) => each.check === 'bundle')?.detail
      return { id, check, seen: [model, await world.anyone.models.get(id), await world.anyone.bundles.status(id)] }
    }
    const fit = await sign('CN=release@acme.example')
    const unfit = await sign('CN=release@openai.com,O=Verified by Countersign')
    await world.registry.transparency.sequence()
    const { text } = await ask(`${world.address}/log/feed/domains/acme.example.atom`)
    const inFeed = ({ id }: { id: string }) =>
      new RegExp(`<title>The signature of ${id} is valid, by (.*)</title>`).exec(text)?.[1]
    expect([inFeed(fit), fit.check]).toEqual([
      'someone certified by a declared authority: “CN=release@acme.example”',
      expect.stringContaining('by someone certified by a declared authority: “CN=release@acme.example”, one of'),
    ])
    expect([inFeed(unfit), unfit.check]).toEqual([
      'a certificate of a declared authority',
      expect.stringContaining('by a certificate of a declared authority, one of'),
    ])
    expect(JSON.stringify(fit.seen).match(/release@acme/g)?.length).toBeGreaterThan(5)
    expect(JSON.stringify(unfit.seen)).not.toMatch(/openai|Verified by/)
    const own = JSON.stringify([await acme.client.models.get(unfit.id), await acme.client.bundles.status(unfit.id)])
    expect(own).toContain('release@openai.com')
  })

  it('that is an identity or a repository is not proven by a signature, and says what proves it', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const issuer = 'https://accounts.acme.example'
    for (const [signer, tie, words] of [
      [{ kind: 'identity', issuer, identity: 'release@other.example' }, 'domain', /domain is verified/],
      [{ kind: 'repository', issuer, repository: 'https://github.com/acme/models' }, 'repository', /publishers add/],
    ] as const) {
      const declared = await acme.client.signers.declare({ signer })
      expect(declared).toMatchObject({ tied: false, tie, proven_at: null })
      await expect(acme.client.signers.challenge(declared.id, {})).rejects.toMatchObject({
        code: 'signer_proof_invalid',
        detail: expect.stringMatching(words),
      })
      await expect(acme.client.signers.prove(declared.id, { signature: 'AAAA' })).rejects.toMatchObject({
        code: 'signer_proof_invalid',
      })
    }
  })
})

/** A registry that trusts a Sigstore of the test. */
const startWithSigstore = async (engine: World['engine']) => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-root-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const trustedRoot = join(folder, 'trusted_root.json')
  const world = await createWorld({ engine, trustedRoot })
  const sigstore = await createPrivateSigstore({ at: new Date(world.clock.now()) })
  world.clock.advance('1m')
  await writeFile(trustedRoot, JSON.stringify(sigstore.trustedRoot()))
  return { world, sigstore, acme: await world.provider('acme') }
}

const mailIssuer = 'https://accounts.acme.example'

/** Registers a version that a declared mailbox signed. */
const registerSigned = async (
  { sigstore, acme }: Awaited<ReturnType<typeof startWithSigstore>>,
  identity: string,
  model: Parameters<ProviderActor['registerModel']>[0] = {},
) => {
  await acme.client.signers.declare({ signer: { kind: 'identity', issuer: mailIssuer, identity } })
  const id = await acme.registerModel({ ...model, model_digest: digest })
  const names = [{ type: 'email' as const, value: identity }]
  const certificate = { issuer: mailIssuer, names, repository: undefined, workflow: undefined }
  const bundle = await sigstore.bundle({ kind: 'dsse/0.0.1', statement, certificate })
  await acme.client.bundles.upload(id, bundle as never)
  return id
}

describeOnSqlite('a bundle that its account’s own signer signed', (engine) => {
  it('passes no check and counts in no number while the domain of the account is not proven', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const keys = ecKeys()
    await declareOwnKey(acme.client, keys)
    const id = await register(acme)
    await acme.client.bundles.upload(id, signedBy(keys))
    const mint = async () => (await acme.client.verifications.create({ model_id: id })).token
    const shown = async (token: string) => {
      const { checks, model, provider } = await world.anyone.verifications.get(token)
      const { verified_models, trust_score } = await world.anyone.providers.get(acme.id)
      const { trust_breakdown } = await acme.client.providers.me()
      const { passed, detail } = checks.find(({ check }) => check === 'bundle') ?? {}
      return {
        status: model?.bundle_status,
        passed,
        isOwn: detail?.includes('one of the signers of this provider'),
        count: verified_models,
        points: trust_breakdown.find(({ component }) => component === 'model_verified')?.points,
        isScoreSame: provider?.trust_score === trust_score,
      }
    }
    const early = await mint()
    const unproven = { status: 'verified', passed: null, isOwn: false, count: 0, points: 0, isScoreSame: true }
    expect(await shown(early)).toEqual(unproven)

    acme.publishProof()
    await acme.client.providers.verifyDomain({})
    const link = await mint()
    const proven = { status: 'verified', passed: true, isOwn: true, count: 1, points: 8, isScoreSame: true }
    expect(await shown(link)).toEqual(proven)
    expect(await shown(early)).toEqual({ ...proven, passed: null, isOwn: false })

    // The proof is stale once it was not checked for 48 hours.
    world.clock.advance('48h')
    const late = await mint()
    expect(await shown(late)).toEqual(proven)
    world.clock.advance('2m')
    expect(await shown(late)).toEqual(unproven)
  })
})

describeOnSqlite('a bundle that a mailbox signed', (engine) => {
  it('is verified on no surface once its domain is overdue, without a job, until the domain is confirmed', async () => {
    const started = await startWithSigstore(engine)
    const { world, acme } = started
    const { domain_proof } = await acme.client.domains.add({ domain: 'northwind.example' })
    world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
    await acme.client.domains.verify('northwind.example', {})
    const id = await registerSigned(started, 'release@Northwind.example', { is_public: true })
    const shown = async () => {
      const minted = await acme.client.verifications.create({ model_id: id })
      const link = await world.anyone.verifications.get(minted.token)
      const model = await world.anyone.models.get(id)
      const provider = await world.anyone.providers.get(acme.id)
      return {
        statuses: [minted, link.model, model, await world.anyone.bundles.status(id)].map((each) => each?.bundle_status),
        isSignerNamed: [link.model?.bundle_signer, model.bundle_signer].map((signer) => signer !== null),
        isCheckNamed: [link.model?.bundle_last_checked, model.bundle_last_checked].map((time) => time !== null),
        check: link.checks.find(({ check }) => check === 'bundle')?.passed,
        count: provider.verified_models,
        score: provider.trust_score,
      }
    }
    const before = await shown()
    expect(before).toEqual({
      statuses: ['verified', 'verified', 'verified', 'verified'],
      isSignerNamed: [true, true],
      isCheckNamed: [true, true],
      check: true,
      count: 1,
      score: expect.any(Number),
    })
    world.clock.advance('49h')
    await acme.client.domains.verify(acme.domain, {})
    const late = await shown()
    expect(late).toEqual({
      statuses: ['unknown', 'unknown', 'unknown', 'unknown'],
      isSignerNamed: [false, false],
      isCheckNamed: [false, false],
      check: null,
      count: 0,
      score: expect.any(Number),
    })
    expect(late.score).toBeLessThan(before.score ?? 0)
    await acme.client.domains.verify('northwind.example', {})
    expect(await shown()).toEqual(before)
  })
})

describeOnSqlite('a keyless signer', (engine) => {
  it('stops verifying at once when it is withdrawn, although a key is declared as well', async () => {
    const started = await startWithSigstore(engine)
    const { acme } = started
    await declareOwnKey(acme.client, ecKeys())
    const id = await registerSigned(started, `release@${acme.domain}`)
    expect(await statusOf(acme, id)).toEqual(verified)
    const mailbox = (await acme.client.signers.list().toArray()).find(({ signer }) => signer.kind === 'identity')
    await acme.client.signers.withdraw(mailbox?.id ?? '')
    expect((await statusOf(acme, id)).bundle_status).toBe('unknown')
  })

  it('is not named to visitors if a customer chose another’s domain in the name that Sigstore certified', async () => {
    const { world, sigstore, acme } = await startWithSigstore(engine)
    const issuer = 'https://container.googleapis.com/v1/projects/p/locations/l/clusters/officially-verified'
    const sign = async (account: string) => {
      const id = await acme.registerModel({ model_digest: digest, is_public: true })
      const identity = `https://kubernetes.io/namespaces/release/serviceaccounts/${account}`
      await acme.client.signers.declare({ signer: { kind: 'identity', issuer, identity } })
      const names = [{ type: 'url' as const, value: identity }]
      const certificate = { issuer, names, repository: undefined, workflow: undefined }
      await acme.client.bundles.upload(
        id,
        (await sigstore.bundle({ kind: 'dsse/0.0.1', statement, certificate })) as never,
      )
      const { token } = await acme.client.verifications.create({ model_id: id })
      const seen = [
        await world.anyone.verifications.get(token),
        await world.anyone.models.get(id),
        // Exact, so that anyone can check the bundle with them.
        { ...(await world.anyone.bundles.status(id)), declared_signers: [] },
      ]
      await world.registry.transparency.sequence()
      const { text } = await ask(`${world.address}/log/feed/domains/acme.example.atom`)
      const by = new RegExp(`<title>The signature of ${id} is valid, but of a third party: (.*)</title>`).exec(
        text,
      )?.[1]
      const own = JSON.stringify([await acme.client.models.get(id), await acme.client.bundles.status(id)])
      return { seen: JSON.stringify(seen), by, own, identity }
    }
    const fit = await sign('chat')
    expect(fit.by).toBe(`“${fit.identity} (container.googleapis.com)”`)
    expect(fit.seen.split(fit.identity).length).toBeGreaterThan(5)
    const unfit = await sign('chat.openai.com')
    expect(unfit.by).toBe('a name that is not shown here')
    expect(unfit.seen).toContain('Signed by a third party: an identity that is not shown here.')
    expect(fit.seen + unfit.seen).not.toMatch(/openai|officially/)
    expect(unfit.own).toContain(unfit.identity)
    expect(unfit.own).toContain(issuer)
  })

  it('with a mailbox is the provider’s own while the domain is proven, and a third party afterwards', async () => {
    const started = await startWithSigstore(engine)
    const { world, acme } = started
    const { domain } = await acme.client.providers.me()
    const own = await registerSigned(started, `release@${domain}`)
    const foreign = await registerSigned(started, 'release@northwind.example')
    expect(await statusOf(acme, own)).toEqual(verified)
    expect(await statusOf(acme, foreign)).toEqual(thirdParty)
    expect((await acme.client.signers.list().toArray()).map(({ tied, tie }) => ({ tied, tie }))).toEqual([
      { tied: false, tie: 'domain' },
      { tied: true, tie: 'domain' },
    ])

    // The record is gone, and the proof with it.
    world.dns.setTxt(acme.proof.record_name, [])
    await acme.client.providers.verifyDomain({ method: 'dns' })
    expect((await statusOf(acme, own)).bundle_status).toBe('unknown')
    await world.jobs.run('bundles')
    expect(await statusOf(acme, own)).toEqual(thirdParty)
    world.dns.setTxt(acme.proof.record_name, [acme.proof.record_value])
    await acme.client.providers.verifyDomain({ method: 'dns' })
    await world.jobs.run('bundles')
    expect(await statusOf(acme, own)).toEqual(verified)
  })

  const startWithRepository = async () => {
    const { world, sigstore, acme } = await startWithSigstore(engine)
    const { issuer } = world.jobIssuer
    const repository = `${new URL(issuer).origin}/acme/models`
    const identity = `${repository}/.github/workflows/release.yml@refs/heads/main`
    await acme.client.signers.declare({ signer: { kind: 'identity', issuer, identity } })
    const id = await register(acme)
    const names = [{ type: 'url' as const, value: identity }]
    const bundle = await sigstore.bundle({ kind: 'dsse/0.0.1', statement, certificate: { issuer, repository, names } })
    expect(await acme.client.bundles.upload(id, bundle as never)).toMatchObject(thirdParty)
    const publisher = { kind: 'github', issuer, repository: 'Acme/models', workflow: 'release.yml' } as const
    const publish = async () => {
      const { access_token } = await world.anyone.publishers.exchange({
        grant_type: tokenExchange.grantType,
        subject_token: world.jobIssuer.vouch(world.publicUrl, githubJob({ repository: 'acme/models' })),
        subject_token_type: tokenExchange.idToken,
        provider_id: acme.id,
      })
      await world.jobs.run('bundles')
      expect(await statusOf(acme, id)).toEqual(verified)
      return world.client(access_token)
    }
    return { world, acme, id, publisher, publish }
  }

  it('in a repository is the provider’s own once one of its jobs has published, until the publisher is removed', async () => {
    const { world, acme, id, publisher, publish } = await startWithRepository()
    const added = await acme.client.publishers.add(publisher)
    await world.jobs.run('bundles')
    expect(await statusOf(acme, id)).toEqual(thirdParty)
    await publish()
    expect((await acme.client.signers.list().toArray())[0]).toMatchObject({ tied: true, tie: 'repository' })

    await world.session(acme)
    await acme.client.publishers.remove(added.id)
    expect((await statusOf(acme, id)).bundle_status).toBe('unknown')
    await world.jobs.run('bundles')
    expect(await statusOf(acme, id)).toEqual(thirdParty)
    const mails = await world.mails((await acme.client.providers.me()).email ?? '')
    expect(mails.filter(({ subject }) => subject.includes('third party'))).toHaveLength(1)
  })

  it('in a repository is a third party while the issuer of its jobs is not accepted, even after a review', async () => {
    const { world, acme, id, publisher, publish } = await startWithRepository()
    const leaked = await acme.client.keys.create({ name: 'Leaked later', scopes: ['full'] })
    const added = await world.client(leaked.api_key).publishers.add(publisher)
    const job = await publish()
    const statusesAfter = async (step: () => Promise<unknown>) => {
      await step()
      const { bundle_status } = await statusOf(acme, id)
      await world.jobs.run('bundles')
      return [bundle_status, (await statusOf(acme, id)).bundle_status]
    }
    const refuse = () => world.startReplica({ oidcIssuers: [] })
    const accept = () => world.startReplica()
    expect(await statusesAfter(refuse)).toEqual(['unknown', 'unknown'])
    await expect(job.providers.me()).rejects.toMatchObject({ code: 'unauthorized' })
    const isAccepted = async () => (await acme.client.publishers.list()).publishers.map((one) => one.is_issuer_accepted)
    expect(await isAccepted()).toEqual([false])
    expect(await statusesAfter(accept)).toEqual(['unknown', 'verified'])
    expect(await isAccepted()).toEqual([true])

    const [review] = (await acme.client.keys.compromise(leaked.id)).reviews
    const confirm = async () =>
      (await refuse()).client(acme.apiKey).keys.review(review?.id ?? '', { decision: 'confirmed' })
    expect(await statusesAfter(confirm)).toEqual(['unknown', 'unknown'])
    expect(await statusesAfter(accept)).toEqual(['unknown', 'verified'])
    const { events } = await acme.client.account.events({ action: 'publisher.issuer_refused' })
    expect(events.map(({ actor, subject_id }) => [actor, subject_id])).toEqual(Array(2).fill(['registry', added.id]))
  })

  it.each([
    {
      name: 'whose workflow is in another repository, which only calls it',
      certificate: { repository: 'https://github.com/evil/x' },
      tied: 'https://github.com/evil/x',
      shown: /^a job of https:\/\/github\.com\/evil\/x: https:\/\/github\.com\/acme\/models\//,
    },
    {
      name: 'whose repository has only the name of the one that published',
      certificate: { repositoryId: '2' },
      tied: repository,
      shown: /^https:\/\/github\.com\/acme\/models\//,
    },
  ])('counts as a third party $name', async ({ certificate, tied, shown }) => {
    const { world, sigstore, acme } = await startWithSigstore(engine)
    await proveRepository(world, acme.id, { issuer, repository: tied })
    await acme.client.signers.declare({ signer: { kind: 'identity', issuer, identity } })
    const bundle = await sigstore.bundle({ kind: 'dsse/0.0.1', statement, certificate })
    const record = await acme.client.bundles.upload(await register(acme), bundle as never)
    expect(record).toMatchObject(thirdParty)
    expect(record.bundle_verification_details?.signer_identity).toMatch(shown)
  })

  it('is the provider’s own in the repository with the ID that published', async () => {
    const { world, sigstore, acme } = await startWithSigstore(engine)
    await proveRepository(world, acme.id)
    await acme.client.signers.declare({ signer: { kind: 'repository', issuer, repository } })
    const bundle = await sigstore.bundle({ kind: 'dsse/0.0.1', statement, certificate: { repositoryId: '1' } })
    expect(await acme.client.bundles.upload(await register(acme), bundle as never)).toMatchObject(verified)
  })
})
