import { createClient, createLinkIssuer, createVerificationTool } from '@countersign/sdk'
import type { Binding } from '@countersign/sdk/contract'
import { checkLink, pinLog } from '@countersign/sdk/log/pin'
import { spkiFingerprint } from '@countersign/sdk/node'
import { requestSigner } from '@countersign/sdk/signer'
import { createVerifier, policy } from '@countersign/sdk/verify'
import { workloadSigner } from '@countersign/sdk/workload'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createQuickCommandLine } from './cli/in-process.ts'
import { ask } from './support/ask.ts'
import { logPolicyOf } from './support/log-policies.ts'
import { createWorld } from './support/world.ts'

const newKey = () => crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']) as Promise<CryptoKeyPair>

/** A server that proves itself by a signature or its platform, and what ends its proof. */
const createScene = async (binding: Binding, subject = 'chat-prod') => {
  const world = await createWorld()
  // The command line and policies use the real clock.
  world.clock.advance(`${Math.max(0, Date.now() - world.clock.now())}ms`)
  const acme = await world.provider('acme')
  const model_id = await acme.registerModel()
  const { now } = world.clock
  const { issuer } = world.jobIssuer
  const { api_key } = await acme.client.keys.create({ name: 'server', scopes: ['links'] })
  const begin = async () => {
    if (binding === 'signed') {
      const key = await newKey()
      const { hex } = spkiFingerprint(new Uint8Array(await crypto.subtle.exportKey('spki', key.publicKey)))
      const { deployment_id } = await acme.registerDeployment([model_id], hex)
      return {
        deployment_id,
        options: { apiKey: api_key, fetch: requestSigner({ key, now, registry: world.address }) },
      }
    }
    const { id, deployment_id } = await acme.client.workloads.trust({ issuer, subject })
    await acme.client.models.allowDeployment(model_id, { deployment_id })
    const token = () => world.jobIssuer.vouch(world.publicUrl, { sub: subject, email: 'other@acme.example' })
    const fetch = workloadSigner({ registry: world.address, providerId: acme.id, token, now })
    return { id, deployment_id, options: { fetch } }
  }
  const { id = '', deployment_id, options } = await begin()
  const client = createClient({ baseURL: world.address, maxRetries: 0, ...options })
  const endings = {
    deployment: () => acme.client.deployments.delete(deployment_id, {}),
    trust: () => acme.client.workloads.remove(id),
    platform: () => world.startReplica({ oidcIssuers: [] }),
  }
  const policyText = `${await logPolicyOf(world)}quorum none\n`
  const cli = await createQuickCommandLine(world.address)
  await cli.write('own.policy', policyText)
  return { world, acme, model_id, deployment_id, client, endings, platform: new URL(issuer).host, policyText, cli }
}

type Scene = Awaited<ReturnType<typeof createScene>>

const stepOf = (page: string) => /data-step="server" data-step-state="(\w+)">(.*?)<\/li>/s.exec(page) ?? []

const readAll = async ({ world, acme, model_id }: Scene, link: { token: string; verification_url: string }) => {
  const url = link.verification_url.replace(world.publicUrl, world.address)
  const { call } = await createQuickCommandLine(world.address)
  const [record, verdict, { valid, claims }, page, cli, json, ...public_] = await Promise.all([
    // A link that ended is an error of the client, with a code.
    world.anyone.verifications.get(link.token).catch(({ code }) => code as string),
    world.anyone.verifications.check(link.token),
    world.anyone.verifications.inspect(link.token),
    ask(url, { headers: { Accept: 'text/html' } }),
    call(['verify', link.token]),
    call(['verify', link.token, '--json']),
    ask(`${world.address}/badge/models/${model_id}.svg`),
    ask(`${world.address}/badge/providers/${acme.id}.svg`),
    ask(`${world.address}/oembed?url=${world.publicUrl}/models/${model_id}`),
    ask(`${world.address}/oembed?url=${encodeURIComponent(link.verification_url)}`),
  ])
  const [, state, text = ''] = stepOf(page.text)
  const allows = (proof: 'mtls' | 'signed' | 'workload') => policy({ deploymentProofs: [proof] })(verdict).allowed
  return {
    record,
    verdict,
    claims,
    valid,
    cli: { ...cli, json: json.stdout, stdout: cli.stdout.replace(/\s+/g, ' ') },
    page: { isGreen: page.text.includes('Verified AI Model'), state, text },
    allows: { mtls: allows('mtls'), signed: allows('signed'), workload: allows('workload') },
    public: public_.map((reply) => reply.text).join('\n'),
    pageText: page.text,
  }
}

/** What clients say that pinned the log. */
const readPinned = async ({ world, policyText, cli }: Scene, { token }: { token: string }, save: string) => {
  await world.registry.transparency.sequence()
  const { now } = world.clock
  const lookUp: typeof fetch = (input) => fetch(String(input).replace(world.publicUrl, world.address))
  const jwks = await world.anyone.signing.jwks()
  const log = pinLog(policyText, { fetch: lookUp })
  const verdict = await world.anyone.verifications.check(token)
  const asked = { link: token, issuer: world.publicUrl }
  const record = verdict.result === 'verified' ? verdict.verification : undefined
  const [offline, online, saved] = [
    await createVerifier({ issuer: world.publicUrl, jwks, now, log }).verify(token),
    record && (await checkLink(policyText, record, asked, { fetch: lookUp })),
    await cli.call(['verify', token, '--log-policy', 'own.policy', '--save', save, '--json']),
  ]
  return { offline: offline.result, online: online?.state, saved: saved.exit }
}

/** What the company itself reads of its links and servers. */
const readOwn = async ({ acme, deployment_id }: Scene) => {
  const [{ verifications }, { deployments }, { entries }] = await Promise.all([
    acme.client.account.verifications(),
    acme.client.deployments.list(),
    acme.client.log.entries(),
  ])
  const own = deployments.find((each) => each.deployment_id === deployment_id)
  return {
    bindings: verifications.map(({ deployment_binding }) => deployment_binding),
    proven: own?.last_proven_by,
    entries: entries.map(({ type }) => type),
  }
}

const said = {
  signed: () => 'Proved by a signature with its key that the company approved it',
  workload: (platform: string) => `${platform} says: this is “chat-prod”, which acme.example trusts`,
}

it.each([
  ['signed', 'deployment'],
  ['workload', 'trust'],
  ['workload', 'platform'],
] as const)(
  'every surface says who vouches for a %s link, and that it is invalid without the %s',
  async (binding, ending) => {
    const scene = await createScene(binding)
    const { client, model_id, platform, endings } = scene
    const link = await client.verifications.create({ model_id })
    const tool = createVerificationTool({ issuer: createLinkIssuer({ client, modelId: model_id }) })
    const told = await tool.call({ challenge: null }, { sessionId: 'one' })
    const before = await readAll(scene, link)

    const proof = { binding, workload: binding === 'workload' ? { platform, subject: 'chat-prod' } : null }
    expect(before.record).toMatchObject({ result: 'verified', strength: 'deployment', deployment_info: proof })
    expect(before.verdict).toMatchObject({ result: 'verified', verification: { deployment_info: proof } })
    expect(before).toMatchObject({ valid: true, claims: { deployment_binding: binding } })
    expect(before.page).toMatchObject({
      isGreen: true,
      state: 'proven',
      text: expect.stringContaining(said[binding](platform)),
    })
    expect(before.cli.exit).toBe(0)
    expect(before.cli.stdout).toContain(said[binding](platform))
    expect(JSON.parse(before.cli.json)).toMatchObject({
      result: 'verified',
      steps: { server: { state: 'proven', text: expect.stringContaining(said[binding](platform)) } },
      claims: { deployment_binding: binding },
    })
    expect(before.allows).toEqual({ mtls: false, signed: false, workload: false, [binding]: true })
    // Pages of the model, and what the model reads, say nothing of a server.
    expect(before.public + told.text).not.toMatch(new RegExp(`${platform}|chat-prod|signature|platform`))
    // A claim that the provider does not trust is shown nowhere.
    expect(JSON.stringify(before)).not.toContain('other@acme.example')

    expect(await readPinned(scene, link, 'kept.json')).toEqual({ offline: 'verified', online: 'logged', saved: 0 })
    // Proofs of deployments are stored together, a moment after the link was minted.
    await expect
      .poll(() => readOwn(scene))
      .toMatchObject({
        bindings: [binding, binding],
        proven: binding,
        entries: expect.arrayContaining([binding === 'workload' ? 'platform.trusted' : 'deployment.authorized']),
      })

    await endings[ending]()
    const after = await readAll(scene, link)
    expect(await readPinned(scene, link, 'ended.json')).toEqual({
      offline: 'not_verified',
      online: undefined,
      saved: 3,
    })
    expect(after.record).toBe('link_revoked')
    expect(after.verdict.result).not.toBe('verified')
    expect(after.valid).toBe(false)
    expect(after.page.isGreen).toBe(false)
    expect(after.page.state).not.toBe('proven')
    expect(after.pageText).not.toMatch(/data-step="server" data-step-state="proven"/)
    expect(after.cli.exit).not.toBe(0)
    expect(after.cli.stdout).not.toMatch(new RegExp(`${platform} says|Proved by a signature`))
    // The model and its provider stay proven; nothing shown of them names the link's server.
    expect(after.public).not.toMatch(new RegExp(`${platform}|chat-prod|signature|platform`))
    expect(after.allows).toEqual({ mtls: false, signed: false, workload: false })
    expect(await tool.call({ challenge: 'blue otter' }, { sessionId: 'two' })).toMatchObject({ ok: false })
    // What was true then stays so.
    scene.world.clock.advance('11m')
    await scene.acme.registerModel()
    await scene.world.registry.transparency.sequence()
    vi.useFakeTimers({ toFake: ['Date'], now: scene.world.clock.now() })
    onTestFinished(() => void vi.useRealTimers())
    const audited = await scene.cli.call(['log', 'audit', 'kept.json', '--policy', 'own.policy', '--json'])
    expect(audited).toMatchObject({ exit: 0, stdout: expect.stringContaining('"held"') })
  },
)

it.each(['system:serviceaccount:chat.openai.example:default', 'system:serviceaccount:verified:chat'])(
  'no surface quotes a subject that a customer of the platform chose to mislead, nor does a token: %s',
  async (subject) => {
    const scene = await createScene('workload', subject)
    const { client, model_id, platform } = scene
    const link = await client.verifications.create({ model_id })
    const read = await readAll(scene, link)
    const words = `${platform} confirmed a workload that acme.example trusts`
    expect(read.record).toMatchObject({
      result: 'verified',
      deployment_info: { workload: { platform, subject: null } },
    })
    expect(read.page).toMatchObject({ isGreen: true, state: 'proven', text: expect.stringContaining(words) })
    expect(read.cli).toMatchObject({ exit: 0, stdout: expect.stringContaining(words) })
    expect(JSON.parse(read.cli.json).claims).toMatchObject({ workload_subject: null })
    expect(JSON.stringify(read)).not.toContain(subject)
    // Offline, the token is all that is read.
    const { token, bound_token } = await client.verifications.create({ model_id, response: 'Hello.' })
    const verifier = createVerifier({
      issuer: scene.world.publicUrl,
      jwks: await scene.world.anyone.signing.jwks(),
      now: scene.world.clock.now,
    })
    for (const each of [link.token, token, bound_token])
      expect(await verifier.verify(each ?? '')).toMatchObject({
        result: 'verified',
        claims: { deployment_binding: 'workload', workload_subject: null },
      })
    const { claims } = await scene.world.anyone.verifications.inspect(link.verification_url)
    expect(claims).toMatchObject({ deployment_binding: 'workload', workload_subject: null })
    // Without a subject in the answer, the log still has to say that this issuer is trusted.
    expect(await readPinned(scene, link, 'kept.json')).toEqual({ offline: 'verified', online: 'logged', saved: 0 })
  },
)
