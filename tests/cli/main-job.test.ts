import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { RegisteredModel } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import { createSelfSigned } from '../support/certificates.ts'
import { ecKeys } from '../support/sigstore/keys.ts'
import { createWorld } from '../support/world.ts'
import { createQuickCommandLine } from './in-process.ts'
import { createCommandLine, errorOf } from './process.ts'

interface Registered {
  provider_id: string
  api_key: string
  domain_proof: { record_name: string; record_value: string }
}

const model = [
  '--identifier',
  'tiny',
  '--display-name',
  'Tiny Chat',
  '--endpoint',
  'https://api.acme.example/v1',
  '--description',
  'A small model for chat',
]

const register = [
  'providers',
  'register',
  '--company-name',
  'Acme AI',
  '--email',
  'ops@acme.example',
  '--website',
  'https://acme.example',
]

describe('the main job on the command line', () => {
  it('goes from a new provider to a verified link over mutual TLS', async () => {
    const world = await createWorld()
    const tls = await world.startTls()
    const cli = await createCommandLine(world.address)

    const provider = await cli.json<Registered>(...register)
    expect(provider.api_key).toMatch(/^csk_/)
    expect((await cli.call(['providers', 'verify-domain'])).exit).toBe(3)
    world.dns.setTxt(provider.domain_proof.record_name, [provider.domain_proof.record_value])
    expect(await cli.json('providers', 'verify-domain')).toMatchObject({ result: 'verified', domain: 'acme.example' })

    const weights = Buffer.alloc(3_000_000, 'weights')
    const digest = `sha256:${createHash('sha256').update(weights).digest('hex')}`
    const file = await cli.write('tiny.bin', weights)
    const { model_id } = await cli.json<{ model_id: string }>('models', 'register', file, ...model)
    expect(await cli.json('models', 'show', model_id)).toMatchObject({
      id: model_id,
      model_digest: digest,
      digest_source: 'local-bytes',
    })

    const credential = await createSelfSigned('chat.acme.example')
    const cert = await cli.write('client.pem', credential.cert)
    const key = await cli.write('client.key', credential.key)
    const ca = await cli.write('ca.pem', tls.ca)
    const deployment = await cli.json<{ deployment_id: string }>(
      'deployments',
      'register',
      '--cert',
      cert,
      '--label',
      'region=eu',
      '--model',
      model_id,
    )
    expect(deployment).toMatchObject({ labels: { region: 'eu' }, authorized_models: [{ id: model_id }] })

    const minted = await cli.json<{ verification_url: string; token: string }>(
      ...[
        'tokens',
        'mint',
        '--model',
        model_id,
        '--challenge',
        'blue otter 42',
        '--cert',
        cert,
        '--key',
        key,
        '--tls-url',
        tls.url,
        '--ca',
        ca,
      ],
    )
    expect(minted).toMatchObject({
      deployment_id: deployment.deployment_id,
      deployment_binding: 'mtls',
      model_digest: digest,
    })

    const verdict = await cli.json(
      'verify',
      minted.verification_url,
      '--expect-provider',
      'acme.example',
      '--expect-digest',
      digest,
    )
    expect(verdict).toMatchObject({
      result: 'verified',
      reason: null,
      offline: false,
      live_state: 'checked',
      provider: { domain: 'acme.example' },
      claims: { model_id, challenge: 'blue otter 42', deployment_binding: 'mtls' },
    })

    const jwks = await cli.write('jwks.json', JSON.stringify(await world.anyone.signing.jwks()))
    expect(await cli.json('verify', minted.token, '--offline', '--jwks', jwks)).toMatchObject({
      result: 'verified',
      offline: true,
      live_state: 'not_checked',
      provider: { domain: 'acme.example' },
    })

    const used = await cli.json('deployments', 'show', deployment.deployment_id)
    expect(used).toMatchObject({
      deployment_id: deployment.deployment_id,
      last_proven_by: 'mtls',
      last_used_at: used.last_proven_at,
    })

    await cli.json('deployments', 'disable', deployment.deployment_id, '--yes')
    const after = await cli.call(['verify', minted.verification_url, '--json'])
    expect(after).toMatchObject({ exit: 3, stderr: '' })
    expect(JSON.parse(after.stdout)).toMatchObject({
      result: 'not_verified',
      reason: 'revoked',
      change: 'deployment_disabled',
    })
  })

  it('prints only the link with --url, and only IDs with -q', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const cli = await createQuickCommandLine(world.address)
    const env = { COUNTERSIGN_API_KEY: acme.apiKey }
    const link = await cli.call(['tokens', 'mint', '--model', model_id, '--url'], { env })
    expect(link.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v\/[0-9A-Z]{4}(-[0-9A-Z]{4}){3}\n$/)
    expect((await cli.call(['models', 'list', '-q'], { env })).stdout).toBe(`${model_id}\n`)
    const piped = await cli.call(['verify', '-'], { stdin: `Here you are: ${link.stdout}` })
    expect(piped).toMatchObject({ exit: 0, stderr: '' })
    expect(piped.stdout).toContain('acme.example')
  })

  it('binds an answer byte for byte, and distinguishes another answer', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const { token, verification_url } = await acme.client.verifications.create({ model_id })
    const cli = await createQuickCommandLine(world.address)
    const answer = await cli.write('answer.txt', '\ufeffGrüße, 世界\r\n')
    const bound = await cli.call(['tokens', 'bind', token, '--file', answer, '--json'], {
      env: { COUNTERSIGN_API_KEY: acme.apiKey },
    })
    expect(JSON.parse(bound.stdout)).toMatchObject({
      bound_by: 'provider',
      response_hash: createHash('sha256')
        .update(await readFile(answer))
        .digest('hex'),
    })
    expect((await cli.call(['verify', verification_url, '--answer', answer])).exit).toBe(0)
    const other = await cli.call(['verify', verification_url, '--answer', '-', '--json'], { stdin: 'Grüße, 世界' })
    expect(other.exit).toBe(3)
    expect(JSON.parse(other.stdout)).toMatchObject({ result: 'not_verified', reason: 'claim_mismatch' })
    expect((await cli.call(['tokens', 'bind', token, '--file', '-'], { stdin: Buffer.from([0xff, 0xfe]) })).exit).toBe(
      2,
    )
    expect((await cli.call(['verify', token, '--answer', answer])).exit).toBe(0)
  })

  it('never takes an answer attached by someone else for the provider’s, online or offline', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const { token, verification_url } = await acme.client.verifications.create({ model_id: await acme.registerModel() })
    const cli = await createQuickCommandLine(world.address)
    const answer = await cli.write('answer.txt', 'I promise you a refund.')
    const jwks = await cli.write('jwks.json', JSON.stringify(await world.anyone.signing.jwks()))
    const { bound_token, bound_by } = await cli.json<Record<string, string>>('tokens', 'bind', token, '--file', answer)
    expect(bound_by).toBe('bearer')
    for (const input of [[verification_url], [bound_token ?? ''], [bound_token ?? '', '--offline', '--jwks', jwks]]) {
      expect((await cli.call(['verify', ...input])).exit).toBe(0)
      const output = await cli.call(['verify', ...input, '--answer', answer])
      expect(output.exit).toBe(3)
      expect(output.stdout).toContain('Someone who held the link attached this answer')
    }
    const provider = await acme.client.verifications.bind(token, { response_text: 'The refund is not ours to give.' })
    const own = await cli.write('own.txt', 'The refund is not ours to give.')
    for (const input of [[verification_url], [token], [provider.bound_token, '--offline', '--jwks', jwks]])
      expect((await cli.call(['verify', ...input, '--answer', own])).exit).toBe(0)
    expect((await cli.call(['verify', verification_url, '--answer', answer])).exit).toBe(3)
  })
})

describe('registering again', () => {
  it('says if a version that exists is public or requires no proof, unlike the one to be registered', async () => {
    const world = await createWorld()
    const { apiKey } = await world.provider('acme')
    const cli = await createQuickCommandLine(world.address)
    const file = await cli.write('tiny.bin', 'weights')
    const register = (...more: string[]) =>
      cli.call(['models', 'register', file, ...model, '--if-not-exists', ...more], {
        env: { COUNTERSIGN_API_KEY: apiKey },
      })
    await register()
    const { stderr, ...stricter } = await register('--private', '--require-deployment-proof')
    expect(stricter.exit).toBe(0)
    expect(stderr).toMatch(/exists, but is public\. Change it with: countersign models visibility mdl_\w+ private/)
    expect(stderr).toMatch(
      /does not require a proven deployment\. Change it with: countersign models edit mdl_\w+ --req/,
    )
    expect((await register()).stderr).not.toContain('exists, but')
  })

  it('accepts the same content with --if-not-exists, and exits 6 for different content', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const cli = await createQuickCommandLine(world.address)
    const env = { COUNTERSIGN_API_KEY: acme.apiKey }
    const file = await cli.write('tiny.bin', 'weights')
    const other = await cli.write('other.bin', 'other weights')
    const again = ['models', 'register', file, ...model, '--if-not-exists', '--json']
    const first = JSON.parse((await cli.call(again, { env })).stdout)
    expect(first.created).toBe(true)
    const { created, ...second } = JSON.parse((await cli.call(again, { env })).stdout)
    expect(created).toBe(false)
    expect(RegisteredModel.parse(second)).toMatchObject({
      model_id: first.model_id,
      version_number: 1,
      predecessor_id: null,
    })
    const different = await cli.call(['models', 'register', other, ...model, '--if-not-exists', '--json'], { env })
    expect(different).toMatchObject({ exit: 6, stdout: '' })
    expect(errorOf(different).hint).toMatch(/ --new-version --version 1\.0\.1$/)
    expect((await cli.call(['models', 'register', file, ...model], { env })).exit).toBe(6)
    const next = await cli.call(
      ['models', 'register', other, ...model, '--version', '2.0.0', '--new-version', '--json'],
      { env },
    )
    expect(JSON.parse(next.stdout)).toMatchObject({
      version: '2.0.0',
      version_number: 2,
      predecessor_id: first.model_id,
    })
    const tagged = (path: string) => ['models', 'register', path, ...model, '--version', 'v3.0.9', '--new-version']
    expect((await cli.call(tagged(file), { env })).exit).toBe(0)
    const changed = errorOf(await cli.call([...tagged(other), '--if-not-exists', '--json'], { env }))
    const [registered, local] = ['weights', 'other weights'].map(
      (text) => `sha256:${createHash('sha256').update(text).digest('hex')}`,
    )
    expect(changed).toMatchObject({
      exit_code: 6,
      message: `“tiny v3.0.9” exists with different content: registered ${registered}, local ${local}`,
      hint: 'Publish the changed files under a new version, for example with --version v3.0.10',
    })
  })

  it('exits 6 for a withdrawn version, with the command that restores it', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const cli = await createQuickCommandLine(world.address)
    const file = await cli.write('tiny.bin', 'weights')
    const register = (...more: string[]) =>
      cli.call(['models', 'register', file, ...model, '--if-not-exists', ...more], {
        env: { COUNTERSIGN_API_KEY: acme.apiKey },
      })
    const { model_id } = JSON.parse((await register('--json')).stdout)
    await acme.client.models.archive(model_id, {})
    const refused = await register('--json')
    expect(refused).toMatchObject({ exit: 6, stdout: '' })
    expect(errorOf(refused)).toMatchObject({
      code: 'model_archived',
      message: expect.stringMatching(/^“tiny 1\.0\.0” was withdrawn on .+ UTC: its links are not valid$/),
      hint: `Restore it with: countersign models unarchive ${model_id}`,
    })
    await acme.client.models.unarchive(model_id, {})
    expect((await register()).exit).toBe(0)
  })

  it('exits 3 for a version whose bundle is invalid, until it gets another', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const cli = await createQuickCommandLine(world.address)
    const call = (...argv: string[]) => cli.call(argv, { env: { COUNTERSIGN_API_KEY: acme.apiKey } })
    const file = await cli.write('tiny.bin', 'weights')
    const { privateKey } = ecKeys()
    await cli.write('own.pem', String(privateKey.export({ type: 'pkcs8', format: 'pem' })))
    await cli.write('other.bin', 'other')
    await call('signers', 'add', '--key', 'own.pem')
    await call('bundles', 'sign', 'other.bin', '--key', 'own.pem', '--output', 'other.sig')
    await call('bundles', 'sign', file, '--key', 'own.pem', '--output', 'own.sig')
    const register = (...more: string[]) => call('models', 'register', file, ...model, '--if-not-exists', ...more)
    expect((await register()).exit).toBe(0)
    await call('bundles', 'upload', 'tiny', 'other.sig')
    expect(await register()).toMatchObject({ exit: 3, stderr: expect.stringContaining('its links are not valid') })
    expect((await register('--bundle', 'own.sig')).exit).toBe(0)
    expect((await register()).exit).toBe(0)
  })

  it('exits 6 for a disabled deployment, even after a key leaked, and authorizes nothing', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const cli = await createQuickCommandLine(world.address)
    const cert = await cli.write('client.pem', (await createSelfSigned('chat')).cert)
    const register = (apiKey: string) =>
      cli.call(['deployments', 'register', '--cert', cert, '--model', model_id, '--if-not-exists', '--json'], {
        env: { COUNTERSIGN_API_KEY: apiKey },
      })
    const leaked = await acme.client.keys.create({ name: 'ci', scopes: ['full'] })
    const { deployment_id } = JSON.parse((await register(leaked.api_key)).stdout)
    const listModels = async () =>
      (await acme.client.deployments.list()).deployments.flatMap(({ authorized_models }) => authorized_models)
    const rejects = async () => {
      const refused = await register(acme.apiKey)
      expect(refused).toMatchObject({ exit: 6, stdout: '' })
      expect(errorOf(refused)).toMatchObject({
        code: 'deployment_disabled',
        hint: `Enable it with: countersign deployments enable ${deployment_id}`,
      })
      expect(await listModels()).toEqual([])
    }
    await acme.client.models.revokeDeployment(model_id, deployment_id)
    await acme.client.deployments.setStatus(deployment_id, { status: 'disabled' })
    await rejects()
    await acme.client.deployments.setStatus(deployment_id, { status: 'enabled' })
    await acme.client.keys.compromise(leaked.id)
    await rejects()
    await acme.client.deployments.setStatus(deployment_id, { status: 'enabled' })
    expect((await register(acme.apiKey)).exit).toBe(0)
    expect(await listModels()).toHaveLength(1)
  })

  it('does the same for deployments, and rejects hex that may be a certificate’s fingerprint', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const cli = await createQuickCommandLine(world.address)
    const env = { COUNTERSIGN_API_KEY: acme.apiKey }
    const cert = await cli.write('client.pem', (await createSelfSigned('chat')).cert)
    const again = ['deployments', 'register', '--cert', cert, '--label', 'a=1', '--if-not-exists', '--json']
    expect(JSON.parse((await cli.call(again, { env })).stdout).created).toBe(true)
    expect(JSON.parse((await cli.call(again, { env })).stdout).created).toBe(false)
    expect((await cli.call([...again, '--label', 'b=2'], { env })).exit).toBe(6)
    expect((await cli.call(['deployments', 'register', '--cert', cert], { env })).exit).toBe(6)
    const bare = await cli.call(['deployments', 'register', '--spki', 'ab'.repeat(32), '--json'], { env })
    expect(bare.exit).toBe(2)
    expect(errorOf(bare).message).toContain('certificate')
    const { spki_sha256 } = await cli.json<{ spki_sha256: string }>('fingerprint', cert)
    expect((await cli.call(['deployments', 'register', '--spki', `sha256:${spki_sha256}`], { env })).exit).toBe(6)
  })
})

describe('a saved key', () => {
  it('is in a file that only its owner can read, and is sent to no other origin', async () => {
    const world = await createWorld()
    const cli = await createQuickCommandLine(world.address)
    const { api_key } = await cli.json<Registered>(...register)
    const profile = join(cli.configFolder, 'profiles/default.json')
    expect((await stat(profile)).mode & 0o777).toBe(0o600)
    expect(await readFile(profile, 'utf8')).toContain(api_key)
    expect(await cli.json('whoami')).toMatchObject({ company_name: 'Acme AI' })

    const elsewhere = await createWorld()
    const refused = await cli.call(['whoami', '--json', '--api-url', elsewhere.address])
    expect(refused).toMatchObject({ exit: 4, stdout: '' })
    expect(errorOf(refused)).toMatchObject({ code: 'unauthorized', status: null })

    expect((await cli.call([...register, '--json'])).exit).toBe(6)
    await cli.json('auth', 'logout')
    expect((await cli.call(['auth', 'status'])).exit).toBe(4)
    const back = await cli.call(['auth', 'login', '--api-key-stdin', '--json'], { stdin: `${api_key}\n` })
    expect(JSON.parse(back.stdout)).toMatchObject({ logged_in: true })
    const output = await cli.call(['auth', 'status', '--check', '--verbose'])
    expect(output.exit).toBe(0)
    const shown = await cli.call(['providers', 'show', '--json'])
    expect(`${back.stdout}${back.stderr}${output.stdout}${output.stderr}${shown.stdout}${shown.stderr}`).not.toContain(
      api_key,
    )
    const wrong = await cli.call(['auth', 'login', '--api-key-stdin', '--profile', 'other', '--json'], {
      stdin: api_key.slice(0, -1) + (api_key.endsWith('0') ? '1' : '0'),
    })
    expect(wrong).toMatchObject({ exit: 4, stdout: '' })
    expect(errorOf(wrong)).toMatchObject({ status: 401, exit_code: 4 })
  })

  it('is not sent to an address from a project file', async () => {
    const world = await createWorld()
    const cli = await createQuickCommandLine(world.address)
    await cli.json(...register)
    await cli.write(
      '.countersign.json',
      JSON.stringify({
        api_url: 'http://127.0.0.1:9',
        api_key: 'csk_00000000_stolen',
        endpoint: 'https://api.acme.example/v1',
      }),
    )
    expect(await cli.json('whoami')).toMatchObject({ company_name: 'Acme AI', api_url: world.address })
    expect(await cli.json('config', 'explain', 'api_url')).toMatchObject({
      value: world.address,
      source: 'environment',
      shadowed: [{ source: 'profile' }, { source: 'default' }],
    })
    expect(await cli.json('config', 'explain', 'endpoint')).toEqual({
      value: 'https://api.acme.example/v1',
      source: 'project_file',
      shadowed: [],
    })
  })
})
