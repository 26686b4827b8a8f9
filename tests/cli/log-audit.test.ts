import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parsePolicy } from '@countersign/sdk/log'
import { expect, it, onTestFinished, vi } from 'vitest'
import { shapes } from '../../cli/src/shapes/index.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { cutLog } from '../support/forge-log.ts'
import { absentWitness, logPolicyOf } from '../support/log-policies.ts'
import { startWitnessServer } from '../support/witness-server.ts'
import { workloadClient } from '../support/workload-client.ts'
import { createWorld, type World } from '../support/world.ts'
import { createQuickCommandLine } from './in-process.ts'

const proxy = { address: '127.0.0.1', prefix: 32, family: 'ipv4' } as const

/** Sets the reader's clock to that of the registry. */
const waitUntil = ({ clock }: World) => {
  vi.useFakeTimers({ toFake: ['Date'], now: clock.now() })
  onTestFinished(() => void vi.useRealTimers())
}

/** The registry's log at an address of its own, which goes on to show what it showed. */
const freezeLog = async (world: World, pathOf = (path: string) => path, without?: string) => {
  const kept = new Map<string, { status: number; body: Uint8Array }>()
  let isFrozen = false
  const server = createServer(async ({ url = '' }, response) => {
    let shown = isFrozen ? kept.get(url) : undefined
    if (!shown) {
      const answer = await fetch(world.address + pathOf(url))
      const body = new Uint8Array(await answer.arrayBuffer())
      const text = Buffer.from(body).toString()
      shown = { status: answer.status, body: without ? Buffer.from(`${text.split(without)[0]}\n`) : body }
      kept.set(url, shown)
    }
    response.writeHead(shown.status).end(shown.body)
  })
  await new Promise<void>((listen) => server.listen(0, '127.0.0.1', listen))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const freeze = () => {
    isFrozen = true
  }
  return { url: `http://127.0.0.1:${port}/log`, freeze }
}

const createScene = async (clientCertProxies = [proxy], settings: Parameters<typeof createWorld>[0] = {}) => {
  const world = await createWorld({ clientCertProxies, ...settings })
  const acme = await world.provider('acme')
  const model_id = await acme.registerModel()
  const { deployment_id, spki_fingerprint } = await acme.registerDeployment([model_id])
  const cli = await createQuickCommandLine(world.address)
  await cli.write('own.policy', `${await logPolicyOf(world)}quorum none\n`)
  const mint = () =>
    acme.client.verifications.create({ model_id }, { headers: { 'X-Client-Cert-Fingerprint': spki_fingerprint } })
  const save = async (name: string, minted?: Awaited<ReturnType<typeof mint>>) => {
    const { verification_url } = minted ?? (await mint())
    await world.registry.transparency.sequence()
    const saved = await cli.call(['verify', verification_url, '--log-policy', 'own.policy', '--save', name])
    expect(saved.exit).toBe(0)
    return JSON.parse(await readFile(join(cli.folder, name), 'utf8'))
  }
  const audit = async (name: string, policy = 'own.policy') => {
    const { exit, stdout, stderr } = await cli.call(['log', 'audit', name, '--policy', policy, '--json'])
    const answer = exit === 0 || stdout !== '' ? JSON.parse(stdout) : JSON.parse(stderr)
    if (stdout !== '') expect(shapes['log audit']?.answer?.safeParse(answer).error?.issues ?? []).toEqual([])
    return { exit, ...answer }
  }
  /** Until entries from a later time are in the log, an end may still be missing. */
  const logLater = async () => {
    world.clock.advance('11m')
    await acme.registerModel()
    await world.registry.transparency.sequence()
    waitUntil(world)
  }
  return { world, acme, model_id, deployment_id, cli, save, audit, logLater }
}

describeOnSqlite('countersign log audit', () => {
  it('accepts a verdict that was right at its time, even after a fact ended', async () => {
    const { world, acme, model_id, save, audit, logLater } = await createScene()
    await save('kept.json')
    await logLater()
    expect(await audit('kept.json')).toMatchObject({ exit: 0, result: 'held' })
    await acme.client.models.archive(model_id, { reason: 'Withdrawn.' })
    await world.registry.transparency.sequence()
    expect(await audit('kept.json')).toMatchObject({ exit: 0, result: 'held', unmet: [], is_pinned: true })
  })

  it('accepts a statement of an earlier version: without the token’s ID, what the link shows, and how the server proved its key', async () => {
    const { world, cli, save, audit, logLater } = await createScene()
    const { proofs, ...saved } = await save('kept.json')
    await logLater()
    const { jti, shown, binding, ...earlier } = JSON.parse(
      Buffer.from(proofs.statement.split('.')[1], 'base64url').toString(),
    )
    expect([jti, shown, binding]).toEqual([expect.stringMatching(/^vrf_/), expect.stringMatching(/^sha256:/), 'proxy'])
    const statement = await world.registry.signing.signVerdict(earlier)
    await cli.write('earlier.json', JSON.stringify({ ...saved, proofs: { ...proofs, statement } }))
    expect(await audit('earlier.json')).toMatchObject({ exit: 0, result: 'held' })
  })

  it('says which facts it checked, and rejects a file that says itself that the link was not verified', async () => {
    const { acme, model_id, deployment_id, cli, save, audit } = await createScene()
    const saved = await save('kept.json')
    expect((await audit('kept.json')).checked).toMatchObject({
      provider: acme.id,
      domain: 'acme.example',
      model: model_id,
      deployment: deployment_id,
    })
    const { deployment_binding: _, ...claims } = saved.verdict.claims
    const forged = { ...claims, challenge: 'blue heron', bound_by: 'provider' }
    await cli.write('forged.json', JSON.stringify({ ...saved, verdict: { ...saved.verdict, claims: forged } }))
    expect((await audit('forged.json')).checked.deployment).toBeNull()
    const text = (await cli.call(['log', 'audit', 'forged.json', '--policy', 'own.policy'])).stdout
    expect(text).toMatch(/Server +not checked/)
    expect(text).toMatch(/Not checked +everything else in the file: names, versions, phrase, origin, answer/)
    await cli.write(
      'refused.json',
      JSON.stringify({ ...saved, verdict: { ...saved.verdict, result: 'not_verified', reason: 'claim_mismatch' } }),
    )
    expect((await audit('refused.json')).exit).toBe(3)
  })

  it('says of the digest that the provider stated it', async () => {
    const { cli, save } = await createScene()
    const { verdict } = await save('kept.json')
    const text = (await cli.call(['log', 'audit', 'kept.json', '--policy', 'own.policy'])).stdout
    expect(text).toContain(`Digest        ${verdict.claims.model_digest} (stated by the provider)\n`)
  })

  it('rejects a file that makes a named server a proven one', async () => {
    const { cli, save, audit } = await createScene([])
    const saved = await save('kept.json')
    expect((await audit('kept.json')).checked.deployment).toBeNull()
    const { verdict } = saved
    expect(verdict.claims.deployment_binding).toBe('self-asserted')
    const claims = { ...verdict.claims, deployment_binding: 'mtls' }
    await cli.write(
      'forged.json',
      JSON.stringify({ ...saved, verdict: { ...verdict, strength: 'deployment', claims } }),
    )
    const { exit, error } = await audit('forged.json')
    expect([exit, error.message]).toEqual([3, expect.stringContaining('the registry stated that none did')])
  })

  it('rejects a verdict on a fact that had ended, though the registry proves how it began', async () => {
    const { world, acme, model_id, deployment_id, save, audit, logLater } = await createScene()
    const readBegin = () =>
      world.database.read.selectFrom('log_facts').selectAll().where('subject', '=', deployment_id).execute()
    await save('before.json')
    const [began] = await readBegin()
    await acme.client.models.revokeDeployment(model_id, deployment_id)
    await world.registry.transparency.sequence()
    world.clock.advance('2m')
    // The operator gives the server back its approval without logging it, and shows the entry that it had before.
    await world.database.transaction(async (tx) => {
      const { provider_id, entry_id, type, digest } = began ?? { provider_id: '', entry_id: '', type: '', digest: '' }
      await tx
        .insertInto('authorizations')
        .values({ provider_id, deployment_id, model_id, authorized_at: world.clock.now() })
        .execute()
      await tx.updateTable('log_facts').set({ entry_id, type, digest }).where('subject', '=', deployment_id).execute()
    })
    await save('lie.json')
    expect(await audit('lie.json')).toMatchObject({
      exit: 3,
      result: 'refused',
      unmet: [{ fact: 'authorization', ended_by: { type: 'deployment.revoked' } }],
    })
    await logLater()
    expect(await audit('before.json')).toMatchObject({ exit: 0, result: 'held' })
  })

  it('could not check a verdict as long as the log may lack the end of a fact', async () => {
    const { save, audit, logLater } = await createScene()
    await save('kept.json')
    expect(await audit('kept.json')).toMatchObject({
      exit: 9,
      result: 'unknown',
      says: [expect.stringContaining('may still be missing')],
    })
    await logLater()
    expect(await audit('kept.json')).toMatchObject({ exit: 0, result: 'held' })
  })

  it('could not check a verdict right after it, if an entry has a later time', async () => {
    const { world, acme, save, audit } = await createScene()
    await save('kept.json')
    world.clock.advance('11m')
    await acme.registerModel()
    await world.registry.transparency.sequence()
    expect(await audit('kept.json')).toMatchObject({ exit: 9, result: 'unknown' })
  })

  it('asks the policy’s witnesses whether the log shows an old tree', async () => {
    const witness = await startWitnessServer('w.example')
    const { world, acme, model_id, deployment_id, cli, save, audit } = await createScene([proxy], {
      logPolicy: parsePolicy(`${witness.line}\nquorum w.example\n`),
      egressAllow: [witness.hostAndPort],
    })
    for (const key of (await world.registry.transparency.describe())?.vkeys ?? []) witness.trust(key)
    const old = await freezeLog(world)
    const [vkeyOfLog = ''] = (await world.registry.transparency.describe())?.vkeys ?? []
    await cli.write('witnessed.policy', `log ${vkeyOfLog} ${old.url}\n${witness.line}\nquorum w.example\n`)
    await save('kept.json')

    expect(await audit('kept.json', 'witnessed.policy')).toMatchObject({ exit: 9, result: 'unknown' })
    world.clock.advance('11m')
    waitUntil(world)
    expect(await audit('kept.json', 'witnessed.policy')).toMatchObject({ exit: 0, result: 'held' })
    // Anyone can copy what the log shows: without the witness's own cosignature, it is not the witness that answers.
    const copy = await freezeLog(world, (path) => path.replace(/^.*checkpoint$/, '/log/checkpoint'), `\n— w.example `)
    await cli.write(
      'copied.policy',
      `log ${vkeyOfLog} ${old.url}\n${witness.line.replace(/\S+$/, copy.url)}\nquorum w.example\n`,
    )
    expect(await audit('kept.json', 'copied.policy')).toMatchObject({ exit: 9, result: 'unknown' })
    old.freeze()
    await acme.client.models.revokeDeployment(model_id, deployment_id)
    await world.registry.transparency.sequence()
    expect(await audit('kept.json', 'witnessed.policy')).toMatchObject({
      exit: 9,
      error: { message: expect.stringContaining('shows an older tree than its witness w.example has seen') },
    })
  })

  it('replays the platform that the registry’s statement names, whatever the file says of its server', async () => {
    const { world, acme, model_id, cli, save, audit } = await createScene()
    const { issuer } = world.jobIssuer
    const own = await acme.client.workloads.trust({ issuer, subject: '1122334455' })
    const { deployment_id } = own
    const other = await acme.client.workloads.trust({ issuer, subject: '5544332211', deployment_id })
    await acme.client.models.allowDeployment(model_id, { deployment_id })
    world.clock.advance('2s')
    const client = workloadClient(world, acme, '1122334455')
    const kept = await save('kept.json', await client.verifications.create({ model_id }))
    const { verdict, proofs } = kept
    expect(verdict.claims.deployment_binding).toBe('workload')
    expect(await audit('kept.json')).toMatchObject({ exit: 9, unmet: [], held: { platform: expect.any(Number) } })

    // It had ended before the statement, as if the registry had hidden that.
    world.clock.goBack('1s')
    await acme.client.workloads.remove(own.id)
    world.clock.advance('1s')
    await world.registry.transparency.sequence()
    const { workload_issuer: _, workload_subject: __, ...rest } = verdict.claims
    const withFacts = (change: (fact: string) => string) => ({
      ...kept,
      proofs: {
        ...proofs,
        facts: proofs.facts.map((each: { fact: string }) => ({ ...each, fact: change(each.fact) })),
      },
    })
    const withClaims = (claims: object) => ({ ...kept, verdict: { ...verdict, claims } })
    const unmet = { fact: 'platform', ended_by: expect.objectContaining({ type: 'platform.ended' }) }
    const files = {
      kept,
      renamed: withFacts((fact) => fact.replace(own.id, other.id)),
      unnamed: withFacts((fact) => fact.replace(/^platform .*/, 'deployment')),
      signed: withClaims({ ...rest, deployment_binding: 'signed', spki_fingerprint: null }),
      without: withClaims({ ...rest, deployment_binding: null }),
    }
    for (const [name, file] of Object.entries(files)) {
      await cli.write(`${name}.json`, JSON.stringify(file))
      expect(await audit(`${name}.json`), name).toMatchObject({ exit: 3, unmet: expect.arrayContaining([unmet]) })
    }
  })

  it('rejects files that differ from what the registry said, and a log that was rewritten since', async () => {
    const { world, acme, cli, save, audit } = await createScene()
    const kept = await save('kept.json')
    world.clock.advance('2m')
    const later = await save('later.json')
    const [head, body, signature] = kept.proofs.statement.split('.')
    const stated = JSON.parse(Buffer.from(body, 'base64url').toString())
    const restated = (change: object) =>
      [head, Buffer.from(JSON.stringify({ ...stated, ...change })).toString('base64url'), signature].join('.')
    const withStatement = (statement: string | null) => ({ ...kept, proofs: { ...kept.proofs, statement } })
    const { verdict, proofs } = kept
    const forged = {
      'domain was not in the log': {
        ...kept,
        verdict: { ...verdict, provider: { ...verdict.provider, domain: 'northwind.example' } },
      },
      'version was not in the log': {
        ...kept,
        verdict: { ...verdict, claims: { ...verdict.claims, model_digest: `sha256:${'0'.repeat(64)}` } },
      },
      'signature on its statement is invalid': withStatement(restated({ iat: stated.iat + 1 })),
      'does not say that the link was verified': withStatement(restated({ result: 'not_verified' })),
      'statement is about different entries': withStatement(restated({ facts: [] })),
      'no statement': withStatement(null),
      'from a different time': { ...kept, saved_at: new Date(world.clock.now() + 3_600_000).toISOString() },
      'is about different entries from its proofs': { ...later, proofs: { ...proofs, facts: proofs.facts.slice(1) } },
    }
    for (const [why, file] of Object.entries(forged)) {
      await cli.write('forged.json', JSON.stringify(file))
      const { exit, says, error } = await audit('forged.json')
      expect([exit, says?.[0] ?? error.message]).toEqual([3, expect.stringContaining(why)])
    }
    await cli.write('other.json', '{}')
    expect(await audit('other.json')).toMatchObject({ exit: 2 })
    await cli.write('strict.policy', `${await logPolicyOf(world)}witness w ${absentWitness()}\nquorum w\n`)
    expect(await audit('kept.json', 'strict.policy')).toMatchObject({ exit: 9, result: 'unknown' })

    await world.database.transaction(cutLog)
    for (let count = 0; count < 8; count++) await acme.registerModel()
    await world.registry.transparency.sequence()
    expect((await audit('kept.json')).exit).toBe(3)
  })
})
