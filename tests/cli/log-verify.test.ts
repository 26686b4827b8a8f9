import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createClient } from '@countersign/sdk'
import type { LogProofs, VerificationResult } from '@countersign/sdk/contract'
import { parsePolicy } from '@countersign/sdk/log'
import { checkFacts } from '@countersign/sdk/log/facts'
import { formatLinkCode } from '@countersign/sdk/verify'
import { expect, it, onTestFinished, vi } from 'vitest'
import { shapes } from '../../cli/src/shapes/index.ts'
import { createLinkCode } from '../../sdk/src/verify/create-link-code.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { absentWitness, logPolicyOf } from '../support/log-policies.ts'
import { workloadClient } from '../support/workload-client.ts'
import { createWorld, type World } from '../support/world.ts'
import { createQuickCommandLine } from './in-process.ts'

const createScene = async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const model = await acme.registerModel({ api_model_identifier: 'atlas' })
  const { verification_url } = await acme.client.verifications.create({ model_id: model })
  const cli = await createQuickCommandLine(world.address)
  await cli.write('own.policy', `${await logPolicyOf(world)}quorum none\n`)
  await cli.write('strict.policy', `${await logPolicyOf(world)}witness w ${absentWitness()}\nquorum w\n`)
  const verify = async (...args: string[]) => {
    const { exit, stdout } = await cli.call(['verify', verification_url, '--json', ...args])
    const answer = JSON.parse(stdout)
    expect(shapes.verify?.answer?.safeParse(answer).error).toBeUndefined()
    return { exit, answer }
  }
  return { world, acme, model, cli, verify, verification_url }
}

type Scene = Pick<Awaited<ReturnType<typeof createScene>>, 'world' | 'acme' | 'model'>

/** A link of a server that its platform vouches for. */
const mintByWorkload = async ({ world, acme, model }: Scene) => {
  const { issuer } = world.jobIssuer
  const { deployment_id } = await acme.client.workloads.trust({ issuer, subject: '1122334455' })
  await acme.client.models.allowDeployment(model, { deployment_id })
  const client = workloadClient(world, acme, '1122334455')
  const link = await client.verifications.create({ model_id: model })
  await world.registry.transparency.sequence()
  return { ...link, deployment_id, issuer }
}

/** The command line behind something that changes the registry's answers. */
const createMisled = async ({ world }: Pick<Scene, 'world'>, change: (answer: string) => string) => {
  const relay = createServer(async ({ url }, response) => {
    const answer = await fetch(world.address + url, { headers: { Accept: 'application/json' } })
    const text = change((await answer.text()).replaceAll(world.publicUrl, address()))
    response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(text)
  })
  const address = () => `http://127.0.0.1:${(relay.address() as AddressInfo).port}`
  await new Promise<void>((listen) => relay.listen(0, '127.0.0.1', listen))
  onTestFinished(() => void relay.close())
  const cli = await createQuickCommandLine(address())
  await cli.write('own.policy', `${await logPolicyOf(world)}quorum none\n`)
  return cli
}

describeOnSqlite('countersign verify --log-policy', () => {
  it('accepts a link once every fact is logged, and keeps the proofs', async () => {
    const { world, cli, verify } = await createScene()
    expect(await verify('--log-policy', 'own.policy')).toMatchObject({
      exit: 9,
      answer: { result: 'unknown', log: { state: 'being_logged' } },
    })
    await world.registry.transparency.sequence()
    const { exit, answer } = await verify('--log-policy', 'own.policy', '--save', 'kept.json')
    expect([exit, answer.result, answer.log]).toEqual([
      0,
      'verified',
      { state: 'logged', detail: 'Every fact is in the log, seen by no one else' },
    ])
    const kept = JSON.parse(await readFile(join(cli.folder, 'kept.json'), 'utf8'))
    expect(kept).toMatchObject({ verdict: answer, proofs: { state: 'logged' } })
    const { exit: wrong, stderr } = await cli.call(['log', 'verify', 'kept.json', '--policy', 'own.policy'])
    expect([wrong, stderr]).toEqual([2, expect.stringContaining('countersign log audit kept.json')])
  })

  it('accepts a link whose key was retired after it was minted', async () => {
    const { world, verify } = await createScene()
    await world.registry.transparency.sequence()
    await world.registry.signing.rotate({ force: true })
    await world.registry.transparency.sequence()
    expect(await verify('--log-policy', 'own.policy')).toMatchObject({ exit: 0, answer: { log: { state: 'logged' } } })
  })

  it('could not check a log that the policy’s witnesses have not seen', async () => {
    const { world, verify } = await createScene()
    await world.registry.transparency.sequence()
    expect(await verify('--log-policy', 'strict.policy')).toMatchObject({
      exit: 9,
      answer: { result: 'unknown', log: { state: 'could_not_check' } },
    })
  })

  it('says that the provider of a link is unknown, or has no proven domain', async () => {
    const { world, cli, verify } = await createScene()
    await world.registry.transparency.sequence()
    const elsewhere = ['--log-policy', 'own.policy', '--issuer', 'https://elsewhere.example']
    const wrong = await verify(...elsewhere)
    expect(wrong).toMatchObject({
      answer: {
        log: { state: 'could_not_check', detail: expect.stringContaining('provider of this link is unknown') },
      },
    })
    expect(wrong.exit).not.toBe(0)
    const borea = await world.provider('borea', { isVerified: false })
    const { verification_url } = await borea.client.verifications.create({ model_id: await borea.registerModel() })
    const unproven = ['--log-policy', 'own.policy', '--allow-unverified-provider']
    const { exit, stdout } = await cli.call(['verify', verification_url, ...unproven])
    expect([exit, stdout]).toEqual([3, expect.stringContaining('“domain borea.example” is not in the log')])
    const { facts } = await world.anyone.log.proofs(verification_url)
    const policy = parsePolicy(`${await logPolicyOf(world)}quorum none\n`)
    expect((await checkFacts(facts, {}, policy)).detail).toBe('“domain proof” is not in the log')
  })

  it('rejects a link of a private version', async () => {
    const { world, acme, cli } = await createScene()
    const model = await acme.registerModel({ is_public: false })
    const { verification_url } = await acme.client.verifications.create({ model_id: model })
    await world.registry.transparency.sequence()
    const { exit, stdout } = await cli.call(['verify', verification_url, '--log-policy', 'own.policy'])
    expect([exit, stdout]).toEqual([3, expect.stringContaining('logged, but nothing of it is public')])
  })
})

interface Lies {
  record?: (record: VerificationResult) => void
  proofs?: (proofs: LogProofs) => void
  /** The status of changed answers; 200 if left out. */
  status?: number
  /** The path to ask the registry instead. */
  path?: (path: string) => string
}

/** Something between the reader and the registry that changes answers about a link; the command line asks it. */
const relay = async (
  world: World,
  { record, proofs, status = 200, path = (asked) => asked }: Lies,
  files: Readonly<Record<string, string>> = {},
) => {
  const server = createServer(async ({ url = '' }, response) => {
    const answer = await fetch(world.address + path(url), { headers: { Accept: 'application/json' } })
    let body: Uint8Array | string = new Uint8Array(await answer.arrayBuffer())
    const change = url.startsWith('/api/v1/verify/') ? record : url.startsWith('/api/v1/log/') ? proofs : undefined
    if (change) {
      const changed = JSON.parse(new TextDecoder().decode(body))
      change(changed)
      body = JSON.stringify(changed)
    }
    response.writeHead(change ? status : answer.status, { 'Content-Type': 'application/json' }).end(body)
  })
  await new Promise<void>((listen) => server.listen(0, '127.0.0.1', listen))
  onTestFinished(() => void server.close())
  const cli = await createQuickCommandLine(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  await cli.write('own.policy', `${await logPolicyOf(world)}quorum none\n`)
  for (const [name, text] of Object.entries(files)) await cli.write(name, text)
  return (...args: string[]) => cli.call(['verify', ...args, '--issuer', world.publicUrl, '--log-policy', 'own.policy'])
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const claimProof = (record: VerificationResult) => {
  const deployment = record.checks.find(({ check }) => check === 'deployment')
  if (!deployment || !record.deployment_info) throw new Error('No server')
  deployment.passed = true
  record.deployment_info.binding = 'mtls'
  record.strength = 'deployment'
}

describeOnSqlite('an answer about a token', () => {
  it('could not be checked if it is about a version other than the token’s, which the log knows', async () => {
    const { world, acme, model } = await createScene()
    const { token } = await acme.client.verifications.create({ model_id: model })
    await world.registry.transparency.sequence()
    const [id, model_digest] = [`mdl_${'0'.repeat(26)}`, `sha256:${'b'.repeat(64)}`]
    const other = { id, model_digest, name: 'atlas-pro', api_model_identifier: 'atlas-pro', version: '#1' }
    const verify = await relay(world, { record: ({ model }) => void Object.assign(model ?? {}, other) })
    for (const expected of [[], ['--expect-model', id], ['--expect-digest', model_digest]])
      expect((await verify(token, ...expected)).exit).toBe(9)
    const honest = await relay(world, {})
    expect((await honest(token, '--expect-model', model)).exit).toBe(0)
  })

  it('could not be checked if it says of a named server that it proved its key', async () => {
    const { world, acme, model } = await createScene()
    const { spki_fingerprint } = await acme.registerDeployment([model])
    const headers = { 'X-Client-Cert-Fingerprint': spki_fingerprint }
    const { token } = await acme.client.verifications.create({ model_id: model }, { headers })
    await world.registry.transparency.sequence()
    expect((await (await relay(world, {}))(token)).exit).toBe(0)
    const verify = await relay(world, { record: claimProof })
    expect(await verify(token, '--require-deployment-proof')).toMatchObject({
      exit: 9,
      stdout: expect.stringContaining('answer contradicts itself or the token'),
    })
  })

  it('could not be checked if it names a different answer from the one that the provider bound to the token', async () => {
    const { world, acme, model } = await createScene()
    const created = await acme.client.verifications.create({ model_id: model, response: 'The honest answer.' })
    const token = created.bound_token ?? ''
    await world.registry.transparency.sequence()
    const honest = await relay(world, {}, { 'answer.txt': 'The honest answer.' })
    expect((await honest(token, '--answer', 'answer.txt')).exit).toBe(0)
    const lie = { response_hash: sha256('evil'), bound_by: 'provider' as const }
    const record = ({ bound_answer }: VerificationResult) => void Object.assign(bound_answer ?? {}, lie)
    const verify = await relay(world, { record }, { 'answer.txt': 'evil' })
    expect((await verify(token, '--answer', 'answer.txt')).exit).toBe(9)
  })

  it('could not be checked if it names a platform other than the token’s', async () => {
    const scene = await createScene()
    const { token } = await mintByWorkload(scene)
    const google = { issuer: 'https://accounts.google.com', platform: 'Google Cloud', subject: 'prod-chat' }
    const record = ({ deployment_info }: VerificationResult) =>
      void Object.assign(deployment_info?.workload ?? {}, google)
    expect((await (await relay(scene.world, {}))(token)).exit).toBe(0)
    expect(await (await relay(scene.world, { record }))(token)).toMatchObject({
      exit: 9,
      stdout: expect.stringContaining('answer contradicts itself or the token'),
    })
  })
})

describeOnSqlite('an answer that the registry did not sign', () => {
  const createNamed = async () => {
    const scene = await createScene()
    const { world, acme, model } = scene
    const { spki_fingerprint } = await acme.registerDeployment([model])
    const headers = { 'X-Client-Cert-Fingerprint': spki_fingerprint }
    const { verification_url } = await acme.client.verifications.create({ model_id: model }, { headers })
    await world.registry.transparency.sequence()
    return { ...scene, code: verification_url.split('/').at(-1) ?? '' }
  }
  const couldNotCheck = (why: string) => ({ exit: 9, stdout: expect.stringContaining(why) })

  it('could not be checked if it says of a named server that it proved its key', async () => {
    const { world, code } = await createNamed()
    expect((await (await relay(world, {}))(code)).exit).toBe(0)
    const verify = await relay(world, { record: claimProof })
    expect(await verify(code, '--require-deployment-proof')).toMatchObject(
      couldNotCheck('stated that no server proved its key'),
    )
  })

  it.each([
    { name: 'proved its key by mutual TLS', binding: 'mtls', strength: 'deployment', passed: true },
    { name: 'proved nothing', binding: 'self-asserted', strength: 'provider', passed: null },
  ])('could not be checked if it says that a server of a platform $name', async ({ binding, strength, passed }) => {
    const scene = await createScene()
    const { verification_url } = await mintByWorkload(scene)
    const code = verification_url.split('/').at(-1) ?? ''
    expect((await (await relay(scene.world, {}))(code, '--require-deployment-proof')).exit).toBe(0)
    const record = (record: VerificationResult) => {
      Object.assign(record, { strength })
      Object.assign(record.deployment_info ?? {}, { binding, workload: null, spki_fingerprint: null })
      Object.assign(record.checks.find(({ check }) => check === 'deployment') ?? {}, { passed })
    }
    const verify = await relay(scene.world, { record })
    expect(await verify(code)).toMatchObject(couldNotCheck('proved its key in a different way'))
  })

  it('could not be checked if a token was revoked, with the statement about another link', async () => {
    const { world, acme, model } = await createScene()
    const { api_key: apiKey, id } = await acme.client.keys.create({ name: 'leaked', scopes: ['full'] })
    const thief = createClient({ baseURL: world.address, apiKey })
    const { token } = await thief.verifications.create({ model_id: model })
    await world.registry.transparency.sequence()
    const kept = await world.anyone.verifications.get(token)
    await acme.client.keys.compromise(id)
    const { verification_url } = await acme.client.verifications.create({ model_id: model })
    expect((await (await relay(world, {}))(token)).exit).toBe(3)
    const now = new Date(world.clock.now()).toISOString()
    const verify = await relay(world, {
      record: (ended) => void Object.assign(ended, kept, { checked_at: now, code: undefined }),
      path: (path) => path.replace(/(?<=^.api.v1.log.proofs.)ey.*/, verification_url.split('/').at(-1) ?? ''),
    })
    expect(await verify(token)).toMatchObject(couldNotCheck('statement is about a different link'))
  })

  it('could not be checked if the registry never made the link, and its facts are those of another', async () => {
    const { world, code } = await createNamed()
    const made_up = formatLinkCode(createLinkCode(world.clock.now(), new Uint8Array(8).fill(7)))
    const verify = await relay(world, {
      path: (path) => path.replace(made_up, code),
      record: (record) => void Object.assign(record, { link_code: made_up, challenge: 'blue otter 42' }),
    })
    expect(await verify(made_up)).toMatchObject(couldNotCheck('statement is about a different link'))
  })

  it.each<{ what: string; lie: Partial<VerificationResult> }>([
    { what: 'a phrase', lie: { challenge: 'blue otter 42' } },
    { what: 'an origin', lie: { origin: 'https://chat.acme.example' } },
    {
      what: 'an answer of the provider',
      lie: {
        bound_to_response: true,
        bound_answer: { response_hash: sha256('evil'), bound_by: 'provider', bound_at: '2026-01-01T00:00:00.000Z' },
      },
    },
  ])('could not be checked if it shows $what that the link does not have', async ({ lie }) => {
    const { world, code } = await createNamed()
    const verify = await relay(world, { record: (record) => void Object.assign(record, lie) })
    expect(await verify(code)).toMatchObject(couldNotCheck('a different phrase, origin or bound answer'))
  })

  it('could not be checked if it says that the link ends later', async () => {
    const { world, code } = await createNamed()
    world.clock.advance('6m')
    vi.useFakeTimers({ toFake: ['Date'], now: world.clock.now() })
    onTestFinished(() => void vi.useRealTimers())
    const later = (time: string) => new Date(Date.parse(time) + 300_000).toISOString()
    const verify = await relay(world, {
      record: (record) => {
        record.timestamp = later(record.timestamp)
        record.expires_at = later(record.expires_at)
      },
    })
    expect((await (await relay(world, {}))(code)).exit).toBe(0)
    expect(await verify(code)).toMatchObject(couldNotCheck('that the link ends at this time'))
  })

  it('is shown without its sentences', async () => {
    const { world, code } = await createNamed()
    const claim = 'the official Northwind model'
    const verify = await relay(world, {
      record: ({ checks, model, provider }) => {
        for (const check of checks) check.detail = claim
        checks.push({ ...checks[0], check: claim, passed: true } as never)
        Object.assign(model ?? {}, { superseded_at: claim })
        Object.assign(provider ?? {}, { similar_name_domain: claim })
      },
    })
    const { exit, stdout } = await verify(code, '--verbose')
    expect([exit, stdout]).toEqual([0, expect.stringContaining('✓ domain: The provider’s domain')])
    expect(stdout).not.toContain(claim)
  })

  it('names no server in words of its own', async () => {
    const { world, acme, model } = await createScene()
    const { verification_url } = await acme.client.verifications.create({ model_id: model })
    const claim = 'the official Northwind server'
    const details = { spki_fingerprint: null, spiffe_id: null, cloud_identity: null, status: 'enabled', workload: null }
    const verify = await relay(world, {
      record: (record) =>
        void Object.assign(record, {
          deployment_id: claim,
          deployment_info: { ...details, deployment_id: claim, binding: 'proven by mutual TLS' },
        }),
    })
    await world.registry.transparency.sequence()
    const { exit, stdout } = await verify(verification_url.split('/').at(-1) ?? '')
    expect([exit, stdout]).toEqual([0, expect.stringContaining(`“${claim}” (not proven)`)])
  })

  it('shows no number instead of a version, which the log does not have', async () => {
    const { world, code } = await createNamed()
    const verify = await relay(world, { record: ({ model }) => void Object.assign(model ?? {}, { version: '#2026' }) })
    const { exit, stdout } = await verify(code)
    expect([exit, stdout]).toEqual([0, expect.stringMatching(/^model +“atlas”$/m)])
    expect(stdout).not.toContain('#2026')
  })

  it('could not be checked if it has the ID of another link', async () => {
    const { world, code } = await createNamed()
    const verification_id = 'vrf_00000000000000000000000000'
    const verify = await relay(world, { record: (record) => void Object.assign(record, { verification_id }) })
    expect(await verify(code)).toMatchObject(couldNotCheck('statement is about a different link'))
  })

  it('is checked without the words of a fact or a statement', async () => {
    const { world, code } = await createNamed()
    const claim = '”. Every fact of Northwind is in the log'
    const renamed = await relay(world, {
      proofs: ({ facts }) => {
        const domain = facts.find(({ fact }) => fact.startsWith('domain'))
        Object.assign(domain ?? {}, { fact: `${domain?.fact} ${claim}`, state: 'not_logged' })
      },
    })
    expect(await renamed(code)).toMatchObject({ exit: 3, stdout: expect.not.stringContaining('Northwind') })
    const restated = await relay(world, {
      proofs: (proofs) => {
        const [head, body = '', signature] = proofs.statement?.split('.') ?? []
        const said = { ...JSON.parse(Buffer.from(body, 'base64url').toString()), result: `verified ${claim}` }
        proofs.statement = [head, Buffer.from(JSON.stringify(said)).toString('base64url'), signature].join('.')
      },
    })
    expect(await restated(code)).toMatchObject({ exit: 9, stdout: expect.not.stringContaining('Northwind') })
  })

  it('has passed no check that its log does not prove', async () => {
    const { world, code } = await createNamed()
    const policy = `${await logPolicyOf(world)}witness w ${absentWitness()}\nquorum w\n`
    const verify = await relay(world, {}, { 'own.policy': policy })
    const { exit, stdout } = await verify(code, '--json')
    const { checks, log } = JSON.parse(stdout)
    expect([exit, log.state]).toEqual([9, 'could_not_check'])
    expect(checks.filter(({ passed }: { passed: boolean }) => passed)).toEqual([])
    expect(checks.some(({ check }: { check: string }) => check === 'log')).toBe(false)
  })

  it('is quoted if the registry refuses to answer', async () => {
    const { world, code } = await createNamed()
    const claim = 'This link is verified'
    const refuse = (answer: object) => void Object.assign(answer, { code: 'bad_request', detail: claim })
    const verify = await relay(world, { proofs: refuse, status: 400 })
    expect(await verify(code)).toMatchObject(couldNotCheck(`The registry answered 400: “${claim}”`))
  })

  it('is verified with the phrase, the origin and the answer that the link has', async () => {
    const { world, acme, model } = await createScene()
    const { verification_url } = await acme.client.verifications.create({
      model_id: model,
      challenge: 'blue otter 42',
      origin: 'https://acme.example',
      response: 'The honest answer.',
    })
    await world.registry.transparency.sequence()
    const verify = await relay(world, {}, { 'answer.txt': 'The honest answer.' })
    const code = verification_url.split('/').at(-1) ?? ''
    expect(await verify(code, '--answer', 'answer.txt')).toMatchObject({ exit: 0 })
  })

  it('could not be checked without its statement, or with an old one', async () => {
    const { world, acme, model, code } = await createNamed()
    const without = await relay(world, { proofs: (proofs) => void Object.assign(proofs, { statement: null }) })
    expect(await without(code)).toMatchObject(couldNotCheck('no statement'))

    const kept = await world.anyone.log.proofs(code)
    const record = await world.anyone.verifications.get(code)
    world.clock.advance('6m')
    vi.useFakeTimers({ toFake: ['Date'], now: world.clock.now() })
    onTestFinished(() => void vi.useRealTimers())
    await acme.client.models.archive(model, { reason: 'Withdrawn.' })
    const now = new Date(world.clock.now()).toISOString()
    const replayed = await relay(world, {
      record: (ended) => void Object.assign(ended, record, { checked_at: now, code: undefined }),
      proofs: (proofs) => void Object.assign(proofs, kept),
    })
    expect(await replayed(code)).toMatchObject(couldNotCheck('from a different time'))
  })
})

describeOnSqlite('an answer that was changed on its way', () => {
  it.each([
    ['"version":"1.0.0"', '"version":"9.9"'],
    ['"name":"Atlas Chat"', '"name":"Atlas Ultra"'],
  ])('is rejected: %s as %s', async (logged, shown) => {
    const { world, verification_url } = await createScene()
    await world.registry.transparency.sequence()
    const cli = await createMisled({ world }, (answer) => answer.replaceAll(logged, shown))
    const code = verification_url.split('/').at(-1) ?? ''
    expect((await cli.call(['verify', code])).exit).toBe(0)
    const { exit, stdout } = await cli.call(['verify', code, '--log-policy', 'own.policy'])
    expect([exit, stdout]).toEqual([3, expect.stringContaining('something else about “version”')])
  })

  it('names the platform of a server by the issuer in the log, whatever the registry calls it', async () => {
    const scene = await createScene()
    const { verification_url, issuer } = await mintByWorkload(scene)
    const { host } = new URL(issuer)
    const code = verification_url.split('/').at(-1) ?? ''
    const misled = await createMisled(scene, (answer) =>
      answer
        .replaceAll(`"platform":"${host}"`, '"platform":"Google Cloud"')
        .replaceAll(`"${host} (`, '"Google Cloud ('),
    )
    const verify = async (...args: string[]) => {
      const { exit, stdout } = await misled.call(['verify', code, ...args])
      return { exit, text: stdout.replace(/\s+/g, ' ') }
    }
    expect((await verify()).text).toMatch(/Confirmed: Google Cloud says.*deployment: Google Cloud \(/)
    const { exit, text } = await verify('--log-policy', 'own.policy')
    const said = `“${host}” says: this is “1122334455”, which acme.example trusts`
    expect({ exit, text }).toMatchObject({ exit: 0, text: expect.stringContaining(`Confirmed: ${said}`) })
    expect(text).toContain(`deployment: ${said}`)
    expect(text + (await verify('--log-policy', 'own.policy', '--json')).text).not.toContain('Google Cloud')
  })
})

describeOnSqlite('a link of which the log says that something ended, while the database says that it holds', () => {
  it('is rejected, because the registry shows the entry that ended it', async () => {
    const { world, acme, model, cli, verify, verification_url } = await createScene()
    const { archived_at, is_active } = await world.database.read
      .selectFrom('models')
      .select(['archived_at', 'is_active'])
      .where('id', '=', model)
      .executeTakeFirstOrThrow()
    await acme.client.models.archive(model, { reason: 'Withdrawn.' })
    await world.registry.transparency.sequence()
    await world.database.transaction((tx) =>
      tx.updateTable('models').set({ archived_at, is_active }).where('id', '=', model).execute(),
    )
    expect(await verify()).toMatchObject({ exit: 0, answer: { result: 'verified' } })
    expect(await verify('--log-policy', 'own.policy')).toMatchObject({
      exit: 3,
      answer: { reason: 'not_logged', log: { detail: 'The log says something else about “archived”' } },
    })
    const proof = await cli.call(['log', 'proof', verification_url, '--policy', 'own.policy'])
    expect([proof.exit, proof.stdout]).toEqual([3, expect.stringMatching(/not logged .* version\.archived/)])
  })
})

describeOnSqlite('a version that the registry left out of its log', () => {
  it('has no verified links, even if the registry shows the entry of another version', async () => {
    const { world, acme, model, verify } = await createScene()
    const other = await acme.registerModel({ api_model_identifier: 'borealis' })
    const { database, registry } = world
    await database.transaction((tx) => tx.deleteFrom('log_pending').where('subject', '=', model).execute())
    await registry.transparency.sequence()
    const refused = { exit: 3, answer: { result: 'not_verified', reason: 'not_logged', log: { state: 'not_logged' } } }
    world.clock.advance('61s')
    expect(await verify('--log-policy', 'own.policy')).toMatchObject(refused)
    await database.transaction(async (tx) => {
      const shown = await tx.selectFrom('log_facts').selectAll().where('subject', '=', other).executeTakeFirstOrThrow()
      await tx
        .updateTable('log_facts')
        .set({ ...shown, subject: model })
        .where('subject', '=', model)
        .execute()
    })
    expect(await verify('--log-policy', 'own.policy')).toMatchObject({
      ...refused,
      answer: { log: { detail: expect.stringContaining('something else') } },
    })
  })
})

describeOnSqlite('proofs that a lying registry might send', () => {
  it.each([
    { name: 'of another domain', lie: { provider_domain: 'northwind.example' } },
    { name: 'of another digest', lie: { model_digest: `sha256:${'0'.repeat(64)}` } },
    { name: 'of another identifier', lie: { model_identifier: 'borealis' } },
    { name: 'of another version', lie: { version: '9.9' } },
    { name: 'of another name', lie: { named: { display_name: 'Atlas Ultra' } } },
    { name: 'without the server', lie: { deployment_binding: 'mtls', deployment_id: 'dep_1', spki_fingerprint: '0' } },
  ])('are rejected: $name', async ({ lie }) => {
    const { world, acme, model, verification_url } = await createScene()
    await world.registry.transparency.sequence()
    const { facts } = await world.anyone.log.proofs(verification_url)
    const { model_digest } = await world.anyone.models.get(model)
    const policy = parsePolicy(`${await logPolicyOf(world)}quorum none\n`)
    const honest = {
      provider_id: acme.id,
      provider_domain: 'acme.example',
      model_id: model,
      model_digest,
      model_identifier: 'atlas',
      version: '1.0.0',
      named: { display_name: 'Atlas Chat' },
    }
    expect(await checkFacts(facts, honest, policy)).toMatchObject({ state: 'logged' })
    expect(await checkFacts(facts, { ...honest, ...lie }, policy)).toMatchObject({ state: 'not_logged' })
  })

  it('are rejected if they are of another platform identity, or of an authorization that was lost', async () => {
    const { world, acme, model } = await createScene()
    const { verification_url, deployment_id, issuer } = await mintByWorkload({ world, acme, model })
    const { facts } = await world.anyone.log.proofs(verification_url)
    const { model_digest } = await world.anyone.models.get(model)
    const policy = parsePolicy(`${await logPolicyOf(world)}quorum none\n`)
    const expected = {
      provider_id: acme.id,
      provider_domain: 'acme.example',
      model_id: model,
      model_digest,
      model_identifier: 'atlas',
      version: '1.0.0',
      deployment_id,
      deployment_binding: 'workload',
    }
    const check = (workload_issuer: string, workload_subject: string) =>
      checkFacts(facts, { ...expected, workload_issuer, workload_subject }, policy)
    expect(await checkFacts(facts, expected, policy)).toMatchObject({ state: 'not_logged' })
    expect(await check(issuer, '1122334455')).toMatchObject({ state: 'logged' })
    expect(await check(issuer, '1122334456')).toMatchObject({ state: 'not_logged' })
    expect(await check('https://gitlab.com', '1122334455')).toMatchObject({ state: 'not_logged' })

    // The server lost its authorization; only the database says otherwise.
    await acme.client.models.revokeDeployment(model, deployment_id)
    await world.registry.transparency.sequence()
    const restored = { provider_id: acme.id, model_id: model, deployment_id, authorized_at: world.clock.now() }
    await world.database.transaction((tx) => tx.insertInto('authorizations').values(restored).execute())
    const { facts: changed } = await world.anyone.log.proofs(verification_url)
    expect(changed.map(({ type }) => type)).toContain('deployment.revoked')
    const said = { workload_issuer: issuer, workload_subject: '1122334455' }
    expect(await checkFacts(changed, { ...expected, ...said }, policy)).toMatchObject({ state: 'not_logged' })
  })

  it('are rejected: moved to another entry, or from a log that the policy does not name', async () => {
    const { world, acme, model, verification_url } = await createScene()
    await world.registry.transparency.sequence()
    const { facts } = await world.anyone.log.proofs(verification_url)
    const { model_digest } = await world.anyone.models.get(model)
    const expected = {
      provider_id: acme.id,
      provider_domain: 'acme.example',
      model_id: model,
      model_digest,
      model_identifier: 'atlas',
      version: '1.0.0',
    }
    const policy = parsePolicy(`${await logPolicyOf(world)}quorum none\n`)
    const moved = facts.map((fact, index) => ({ ...fact, proof: facts[(index + 1) % facts.length]?.proof ?? null }))
    expect(await checkFacts(moved, expected, policy)).toMatchObject({ state: 'not_logged' })
    const other = parsePolicy(`${await logPolicyOf(await createWorld())}quorum none\n`)
    expect(await checkFacts(facts, expected, other)).toMatchObject({ state: 'not_logged' })
  })
})
