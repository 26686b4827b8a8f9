import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parsePolicy } from '@countersign/sdk/log'
import { expect, it } from 'vitest'
import type { ProviderActor } from '../support/actors.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { forgeries } from '../support/forge-log.ts'
import { keepDatabase } from '../support/keep-database.ts'
import { logPolicyOf } from '../support/log-policies.ts'
import { mintOverTls } from '../support/proven-link.ts'
import { createWorld, type World } from '../support/world.ts'
import { createQuickCommandLine } from './in-process.ts'
import { createThirdParty } from './third-party.ts'

const startWithLink = async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const model = await acme.registerModel()
  const { verification_url } = await acme.client.verifications.create({ model_id: model })
  await world.registry.transparency.sequence()
  return { world, acme, model, verification_url, call: (await createQuickCommandLine(world.address)).call }
}

interface ProvenLink {
  world: World
  acme: ProviderActor
  model: string
  deployment_id: string
  key_id: string
}

describeOnSqlite('the log of a registry', () => {
  it('is monitored: entries about a domain are reported, and those of its provider', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const { transparency } = world.registry
    await transparency.sequence()
    const { call } = await createQuickCommandLine(world.address)
    const monitor = async (...more: string[]) => {
      const args = ['log', 'monitor', '--state', 'state', '--patience', '0', '--json', ...more]
      const { exit, stdout } = await call(args)
      return { exit, ...JSON.parse(stdout) }
    }
    expect(await monitor('--domain', 'acme.example')).toMatchObject({
      exit: 0,
      unknown_entries: 0,
      findings: [
        { type: 'domain.proven', near: 'same' },
        { type: 'domain.primary', near: 'same' },
      ],
    })
    await acme.registerModel()
    await transparency.sequence()
    expect(await monitor('--domain', 'acme.example')).toMatchObject({
      exit: 0,
      findings: [{ type: 'version.registered', because: 'provider' }],
    })
  })

  it.each([
    // The tree is right, so the monitor must read what it read before.
    { name: 'an edited entry', options: ['--recheck'], kind: 'changed_entry', isProof: false },
    { name: 'two exchanged entries', options: ['--recheck'], kind: 'changed_entry', isProof: false },
    { name: 'a deleted entry', options: ['--recheck'], kind: 'missing_tree', isProof: false },
    { name: 'an inserted entry', options: ['--recheck'], kind: 'changed_entry', isProof: false },
    { name: 'an edited hash', options: [], kind: 'fork', isProof: true },
    { name: 'a tree that was cut and grown again', options: [], kind: 'fork', isProof: true },
  ])('leaves evidence for others of $name', async ({ name, options, kind, isProof }) => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    await acme.registerModel()
    const { transparency } = world.registry
    await transparency.sequence()
    const { call, folder } = await createQuickCommandLine(world.address)
    const verify = await createThirdParty(`${await logPolicyOf(world)}quorum none\n`)
    const monitor = (...more: string[]) =>
      call(['log', 'monitor', '--state', 'state', '--patience', '0', '--json', ...more])
    expect(await monitor()).toMatchObject({ exit: 0 })
    await world.database.transaction(async (tx) => forgeries[name]?.(tx))
    for (let more = 0; more < 8; more++) await acme.registerModel()
    await transparency.sequence().catch(() => {})
    expect(await monitor(...options)).toMatchObject({ exit: 3 })
    const state = join(folder, 'state')
    const [file = ''] = (await readdir(state)).filter((each) => each.startsWith('evidence-'))
    expect(await verify(file, state)).toMatchObject({ exit: isProof ? 0 : 9, answer: { kind, is_proof: isProof } })
  })

  it('leaves evidence for others of a return to a backup, and of two registries that continue one copy', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const { transparency } = world.registry
    await transparency.sequence()
    const returnToBackup = await keepDatabase(world)
    const { call } = await createQuickCommandLine(world.address)
    const verify = await createThirdParty(`${await logPolicyOf(world)}quorum none\n`)
    const monitor = async () => {
      const { exit, stdout } = await call(['log', 'monitor', '--state', 'state', '--patience', '0', '--json'])
      const { size, evidence } = JSON.parse(stdout)
      return { exit, size, kind: evidence?.kind, verified: evidence && (await verify(evidence.file)) }
    }
    await acme.registerModel()
    await transparency.sequence()
    const seen = await monitor()
    expect(seen).toMatchObject({ exit: 0 })

    await returnToBackup()
    const rolledBack = { exit: 9, answer: { kind: 'rollback', is_proof: false } }
    expect(await monitor()).toMatchObject({ exit: 3, kind: 'rollback', verified: rolledBack })
    // The copy signs another tree of the size that the monitor has seen, and then larger ones.
    for (const more of [0, 1]) {
      await acme.registerModel()
      await transparency.sequence()
      const forked = { exit: 0, answer: { kind: 'fork', is_proof: true } }
      expect(await monitor()).toMatchObject({ exit: 3, size: seen.size + more, kind: 'fork', verified: forked })
    }
  })

  it('orders entries by their times, even if they waited for an hour or a clock jumped', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const model = await acme.registerModel()
    await world.registry.transparency.sequence()
    await acme.client.models.archive(model, { reason: 'Withdrawn.' })
    world.clock.goBack('5s')
    await acme.client.models.unarchive(model)
    world.clock.advance('1h')
    await acme.registerModel()
    await world.registry.transparency.sequence()
    const { call } = await createQuickCommandLine(world.address)
    const { exit, stdout } = await call(['log', 'monitor', '--provider', acme.id, '--json'])
    const { findings } = JSON.parse(stdout) as { findings: { type: string }[] }
    expect([exit, findings.map(({ type }) => type).filter((type) => type.startsWith('version.'))]).toEqual([
      0,
      ['version.registered', 'version.archived', 'version.unarchived', 'version.registered'],
    ])
  })

  it('is not asked for its key over an unencrypted connection to another machine', async () => {
    const { call } = await createQuickCommandLine('http://registry.example')
    const { exit, stderr } = await call(['log', 'checkpoint'])
    expect([exit, stderr]).toEqual([2, expect.stringContaining('without encryption')])
  })

  it('is proven for each fact, unless the registry shows a different one from the logged one', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const model = await acme.registerModel()
    const { call } = await createQuickCommandLine(world.address)
    expect(await call(['log', 'proof', model, '--json'])).toMatchObject({ exit: 9 })
    await world.registry.transparency.sequence()
    const { exit, stdout } = await call(['log', 'proof', model, '--json'])
    expect(exit).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ state: 'logged', facts: [{ state: 'logged', is_proven: true }] })
    const { verification_url } = await acme.client.verifications.create({ model_id: model })
    expect(await call(['log', 'proof', verification_url, '--json'])).toMatchObject({ exit: 0 })
    world.dns.setTxt(acme.proof.record_name, [])
    await acme.client.providers.verifyDomain({})
    await world.registry.transparency.sequence()
    expect((await call(['log', 'proof', acme.id])).stdout).toMatch(
      /logged .* domain\.lost +domain acme\.example of prv_/,
    )
    const edit = (set: object) =>
      world.database.transaction((tx) =>
        tx.updateTable('log_entries').set(set).where('type', '=', 'version.registered').execute(),
      )
    const rows = await world.database.read.selectFrom('log_entries').selectAll().where('subject', '=', model).execute()
    const { leaf = '', revealed } = rows[0] ?? {}
    await edit({ revealed: String(revealed).replace(/"value":"[^"]*"/, '"value":"other"') })
    expect(await call(['log', 'proof', model, '--json'])).toMatchObject({ exit: 3 })
    await edit({ revealed, leaf: leaf.replace(/"at":"20/, '"at":"19') })
    expect(await call(['log', 'proof', model, '--json'])).toMatchObject({ exit: 3 })
    expect(await call(['log', 'proof', 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm', '--json'])).toMatchObject({ exit: 5 })
  })

  it('says that the facts of a link are those that the registry names', async () => {
    const { model, verification_url, call } = await startWithLink()
    const named = /the registry names for (this link|it); `?verify --log-policy`? compares them/
    const oneLine = (text: string) => text.replace(/\s+/g, ' ')
    expect(oneLine((await call(['log', 'proof', verification_url])).stdout)).toMatch(named)
    expect((await call(['log', 'proof', model])).stdout).not.toMatch(/registry names/)
    expect(oneLine((await call(['log', 'proof', '--help'])).stdout)).toMatch(named)
  })

  it('exits 3 for a link with a fact that has ended', async () => {
    const { world, acme, model, verification_url, call } = await startWithLink()
    expect(await call(['log', 'proof', verification_url])).toMatchObject({ exit: 0 })
    await acme.client.models.archive(model, {})
    await world.registry.transparency.sequence()
    const ended = await call(['log', 'proof', verification_url])
    expect(ended).toMatchObject({ exit: 3, stdout: expect.stringMatching(/ended .+ version\.archived/) })
    expect((await call(['log', 'proof', model])).exit).toBe(0)
  })

  it.each<{ why: string; says: RegExp; end: (link: ProvenLink) => Promise<unknown> }>([
    {
      why: 'its deployment is disabled',
      says: /not verified: its deployment was disabled/,
      end: ({ acme, deployment_id }) => acme.client.deployments.setStatus(deployment_id, { status: 'disabled' }),
    },
    {
      why: 'its deployment may no longer request links',
      says: /not verified: its deployment is no longer authorized/,
      end: ({ acme, model, deployment_id }) => acme.client.models.revokeDeployment(model, deployment_id),
    },
    {
      why: 'its domain is lost',
      says: /not verified: the link is genuine, but the provider’s identity/,
      end: async ({ world, acme }) => {
        world.dns.clear()
        await acme.client.providers.verifyDomain({}).catch(() => {})
      },
    },
    {
      why: 'the key that requested it leaked',
      says: /not verified: the company reported the access key/,
      end: ({ acme, key_id }) => acme.client.keys.compromise(key_id, {}),
    },
  ])('exits 3 for a link once $why', async ({ says, end }) => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const model = await acme.registerModel()
    const made = await acme.client.keys.create({ name: 'Runtime', scopes: ['links'] })
    const { minted, deployment_id } = await mintOverTls(world, { ...acme, apiKey: made.api_key }, { model_id: model })
    const { call } = await createQuickCommandLine(world.address)
    const proof = async () => {
      await world.registry.transparency.sequence()
      return call(['log', 'proof', minted.verification_url])
    }
    expect(await proof()).toMatchObject({ exit: 0, stdout: expect.not.stringContaining('not verified') })
    await end({ world, acme, model, deployment_id, key_id: made.id })
    expect(await proof()).toMatchObject({ exit: 3, stdout: expect.stringMatching(says) })
  })

  it('is not asked about nothing', async () => {
    const { call } = await createQuickCommandLine('http://localhost:1')
    expect(await call(['log', 'proof', ' '])).toMatchObject({
      exit: 2,
      stderr: 'error: The subject is empty\nhint: Give a link, its code or token, or an ID\n',
    })
  })

  it('exits 3 for an expired link whose domain is lost', async () => {
    const { world, acme, verification_url, call } = await startWithLink()
    world.clock.advance('16m')
    world.dns.clear()
    await acme.client.providers.verifyDomain({})
    await world.registry.transparency.sequence()
    const found = await call(['log', 'proof', verification_url])
    expect(found).toMatchObject({ exit: 3, stdout: expect.stringMatching(/not verified: .+ identity is not verified/) })
    const { stdout } = await call(['log', 'proof', verification_url, '--json'])
    expect(JSON.parse(stdout).refusal).toEqual({ reason: 'provider_unverified', change: null })
  })

  it('exits 0 for a link that has only expired', async () => {
    const { world, verification_url, call } = await startWithLink()
    world.clock.advance('16m')
    expect(await call(['log', 'proof', verification_url])).toMatchObject({
      exit: 0,
      stdout: expect.not.stringContaining('not verified'),
    })
  })

  it('shows the names in public entries beside the log, until they are erased, and none of private ones', async () => {
    const world = await createWorld()
    const { transparency } = world.registry
    const [acme, northwind] = [await world.provider('acme'), await world.provider('northwind')]
    await acme.registerModel({ api_model_identifier: 'secret-chat', is_public: false })
    await northwind.registerModel({ api_model_identifier: 'northwind-chat' })
    await transparency.sequence()
    const { company_name } = await northwind.client.providers.me()
    const revealed = () => fetch(`${world.address}/log/revealed/000`).then((response) => response.text())
    const { call } = await createQuickCommandLine(world.address)
    const named = async (name: string) => {
      const { stdout } = await call(['log', 'monitor', '--name', name, '--json'])
      return (JSON.parse(stdout) as { findings: { type: string; because: string }[] }).findings
    }
    expect(await revealed()).toContain('northwind-chat')
    expect(await revealed()).not.toMatch(/secret-chat|"private"/)
    expect(await named('northwind-chat')).toMatchObject([{ type: 'version.registered', because: 'name' }])
    expect(await named(company_name ?? '')).not.toEqual([])
    expect(await named('secret-chat')).toEqual([])
    await northwind.client.providers.delete(northwind.id)
    expect(await revealed()).not.toContain('northwind')
    for (const path of ['001', '0', '000.p/3', 'x000/000', ''])
      expect((await fetch(`${world.address}/log/revealed/${path}`)).status, path).toBe(404)
  })

  it('is cosigned by our witness, which policies can then require', async () => {
    const cli = await createQuickCommandLine('http://127.0.0.1:9')
    const start = async (listen: string) => {
      const args = ['log', 'witness', '--name', 'w.example', '--policy', 'logs.policy', '--state', 'state']
      const { outcome, stop } = await cli.start([...args, '--listen', listen, '--json'])
      return { stop, ...(JSON.parse(outcome.stdout) as { url: string; vkey: string }) }
    }
    // Its key and port first, because the registry needs them; then the registry's key, because the witness needs it.
    const anyLog = 'log example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k\nquorum none\n'
    await cli.write('logs.policy', anyLog)
    const { url, vkey, stop } = await start('127.0.0.1:0')
    await stop()
    const witnesses = `witness w ${vkey} ${url}\nquorum w\n`
    const { host } = new URL(url)
    const world = await createWorld({ logPolicy: parsePolicy(witnesses), egressAllow: [host] })
    const { vkeys = [] } = (await world.registry.transparency.describe()) ?? {}
    const logs = vkeys.map((key) => `log ${key} ${world.address}/log\n`).join('')
    await cli.write('logs.policy', `${logs}quorum none\n`)
    await start(host)
    await cli.write('acme.policy', `${logs}${witnesses}`)

    const acme = await world.provider('acme')
    const model = await acme.registerModel()
    await world.registry.transparency.sequence()
    const proof = await cli.call([
      'log',
      'proof',
      model,
      '--policy',
      'acme.policy',
      '--api-url',
      world.address,
      '--json',
    ])
    expect(proof).toMatchObject({ exit: 0 })
    expect(JSON.parse(proof.stdout)).toMatchObject({ facts: [{ is_proven: true, is_witnessed: true }] })
    const shown = await cli.call(['log', 'checkpoint', '--policy', 'acme.policy', '--json'])
    expect(shown).toMatchObject({ exit: 0 })
    expect(JSON.parse(shown.stdout)).toMatchObject({ is_witnessed: true, is_pinned: true, witnesses: [{ name: 'w' }] })
    const { exit, stdout } = await cli.call(['log', 'monitor', '--policy', 'acme.policy', '--json'])
    expect(exit).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ is_witnessed: true, sources: [{ state: 'agrees' }] })
  })
})
