import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatVkey, parsePolicy } from '@countersign/sdk/log'
import { expect, it, onTestFinished } from 'vitest'
import { setHalted } from '../../server/src/transparency/tree-store.ts'
import { ask } from '../support/ask.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { createLogReader } from '../support/log-reader.ts'
import { operateLog as operate } from '../support/operate-log.ts'
import { createTestLog } from '../support/transparency-log.ts'
import { startWitnessServer } from '../support/witness-server.ts'
import { createWorld, type World } from '../support/world.ts'

const createWitnessedWorld = async () => {
  const witnesses = await Promise.all(['north.example', 'south.example', 'west.example'].map(startWitnessServer))
  const lines = witnesses.map(({ line }) => line).join('\n')
  const text = `${lines}\ngroup two 2 ${witnesses.map(({ name }) => name).join(' ')}\nquorum two\n`
  const world = await createWorld({
    logPolicy: parsePolicy(text),
    egressAllow: witnesses.map(({ hostAndPort }) => hostAndPort),
  })
  const { vkeys = [] } = (await world.registry.transparency.describe()) ?? {}
  for (const witness of witnesses) for (const vkey of vkeys) witness.trust(vkey)
  const reader = await createLogReader(
    world.address,
    parsePolicy(`${vkeys.map((key) => `log ${key}\n`).join('')}${text}`),
  )
  const acme = await world.provider('acme')
  return { world, witnesses, reader, acme, log: world.registry.transparency }
}

/** Cosignatures that a witness made before. */
interface Told {
  repeated: string
  foreign: string
}

const haltedOf = async ({ database }: World) =>
  (await database.read.selectFrom('log_state').select('halted').executeTakeFirstOrThrow()).halted

describeOnSqlite('a checkpoint', () => {
  it('has the cosignatures of its witnesses, and is shown once a quorum has seen it', async () => {
    const { witnesses, reader, acme, log } = await createWitnessedWorld()
    await log.sequence()
    const first = await reader.checkpoint()
    expect([...first.cosigned.keys()].sort()).toEqual(['north.example', 'south.example', 'west.example'])

    witnesses[2]?.answer(() => ({ status: 500, body: 'down' }))
    await acme.registerModel()
    await log.sequence()
    expect(await reader.checkpoint()).toMatchObject({ size: first.size + 1, isWitnessed: true })
    expect(await reader.findFault(first)).toBeUndefined()
  })

  it.each([
    { name: 'are down', answer: () => ({ status: 503, body: '' }) },
    { name: 'answer for another key', answer: () => ({ status: 200, body: '— north.example AAAAAAAAAAAAAAAA\n' }) },
    { name: 'repeat a cosignature', answer: ({ repeated }: Told) => ({ status: 200, body: repeated }) },
    { name: 'cosign another log', answer: ({ foreign }: Told) => ({ status: 200, body: foreign }) },
    { name: 'claim a larger tree without evidence', answer: () => ({ status: 409, body: '999999\n' }) },
  ])('is published after seconds if too many witnesses $name, and says so', async ({ name, answer }) => {
    const { world, witnesses, reader, acme, log } = await createWitnessedWorld()
    await log.sequence()
    const { size } = await reader.checkpoint()
    const note = await (await fetch(`${world.address}/log/checkpoint`)).text()
    const other = createTestLog('other.example/log')
    other.append(Buffer.from('{}'))
    for (const witness of witnesses.slice(0, 2)) {
      witness.trust(formatVkey(other.signer.key))
      const [repeated = ''] = new RegExp(`^— ${witness.name} .*\n`, 'm').exec(note) ?? []
      const body = await other.submission(0)
      const response = await fetch(`http://${witness.hostAndPort}/add-checkpoint`, { method: 'POST', body })
      const foreign = await response.text()
      expect([repeated, foreign]).toEqual(Array(2).fill(expect.stringMatching(`— ${witness.name} `)))
      witness.answer(() => answer({ repeated, foreign }))
    }
    if (name.startsWith('claim')) witnesses[1]?.answer(() => ({ status: 503, body: '' }))
    await acme.registerModel()
    await log.sequence()
    expect((await reader.checkpoint()).size).toBe(size)
    world.clock.advance('6s')
    expect(await reader.checkpoint()).toMatchObject({ size: size + 1, isWitnessed: false })
    expect((await fetch(`${world.address}/log/checkpoint`)).headers.get('countersign-log-quorum')).toBe('missing')
    expect(await haltedOf(world)).toBeNull()

    for (const witness of witnesses) witness.answer(undefined)
    await log.sequence()
    expect(await reader.checkpoint()).toMatchObject({ size: size + 1, isWitnessed: true })
  })
})

describeOnSqlite('a log', () => {
  it('keeps signing if someone shows a slow witness a newer tree first', async () => {
    const { world, witnesses, reader, acme, log } = await createWitnessedWorld()
    await log.sequence()
    const { size } = await reader.checkpoint()
    const [north] = witnesses
    const ask = async (body: string) => {
      const response = await fetch(`http://${north?.hostAndPort}/add-checkpoint`, { method: 'POST', body })
      return { status: response.status, body: await response.text() }
    }
    const answers: number[] = []
    north?.answer(async (asked) => {
      north.answer(undefined)
      await acme.registerModel()
      await log.sequence()
      world.clock.advance('6s')
      answers.push((await ask(await reader.submission(size))).status)
      const late = await ask(asked)
      answers.push(late.status)
      return late
    })
    await acme.registerModel()
    await log.sequence()
    expect(answers).toEqual([200, 409])
    expect(await haltedOf(world)).toBeNull()
    await log.sequence()
    expect(await reader.checkpoint()).toMatchObject({ size: size + 2, isWitnessed: true })
  })
})

describeOnSqlite('a log that was rolled back', () => {
  const rollBack = async ({ database }: World, size: number) =>
    database.transaction(async (tx) => {
      const { hashes } = await tx
        .selectFrom('log_tiles')
        .select('hashes')
        .where('level', '=', 0)
        .executeTakeFirstOrThrow()
      await tx
        .updateTable('log_tiles')
        .set({ hashes: hashes.subarray(0, size * 32) })
        .where('level', '=', 0)
        .execute()
      await tx.deleteFrom('log_entries').where('position', '>=', size).execute()
      await tx.deleteFrom('log_checkpoints').where('size', '>', size).execute()
      await tx.deleteFrom('log_cosignatures').where('size', '>', size).execute()
      await tx.deleteFrom('log_witnesses').execute()
      await tx.updateTable('log_state').set({ size }).execute()
    })

  it('signs nothing more once a witness shows its own larger tree, until it is recovered from an export', async () => {
    const { world, reader, acme, log } = await createWitnessedWorld()
    const folder = await mkdtemp(join(tmpdir(), 'countersign-log-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await log.sequence()
    const { size } = await reader.checkpoint()
    const lost = await acme.registerModel()
    const { domain_proof } = await acme.client.domains.add({ domain: 'contoso.example' })
    world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
    await acme.client.domains.verify('contoso.example', {})
    await log.sequence()
    const seen = await reader.checkpoint()
    expect(await operate(world, 'export', folder)).toContain(`${size + 2} entries`)

    await rollBack(world, size)
    await world.database.transaction(async (tx) => {
      await tx.deleteFrom('log_facts').where('subject', '=', lost).execute()
      await tx.deleteFrom('log_facts').where('fact', '=', 'domain contoso.example').execute()
    })
    await acme.registerModel()
    await log.sequence()
    expect(await haltedOf(world)).toBe('behind')
    await acme.registerModel()
    await log.sequence()
    expect(await operate(world, 'show')).toContain('It signs nothing (behind)')

    // The trees that it signed while it was behind contradict the log: the operator returns to the backup from before.
    await rollBack(world, size)
    expect(await operate(world, 'recover', folder)).toContain(`${size + 2} entries again; 2 were added`)
    await log.sequence()
    // No entry has the digest of a recovered fact, so it is logged again.
    const feed = await ask(`${world.address}/log/feed/domains/contoso.example.atom`)
    expect(feed.text.match(/"domain\.proven"/g)).toHaveLength(2)
    expect(await reader.findFault(seen)).toBeUndefined()
    expect((await reader.checkpoint()).isWitnessed).toBe(true)
  })

  it('does not believe the size of a copy that it did not sign', async () => {
    const { world, log } = await createWitnessedWorld()
    const folder = await mkdtemp(join(tmpdir(), 'countersign-log-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await log.sequence()
    await operate(world, 'export', folder)
    const signed = await readFile(join(folder, 'checkpoint'), 'utf8')
    await writeFile(join(folder, 'checkpoint'), signed.replace(/\n\d+\n/, '\n9007199254740991\n'))
    await expect(operate(world, 'recover', folder)).rejects.toThrow('Invalid signature')
  })

  it('replaces links in the folder of an export, and follows none', async () => {
    const { world, log } = await createWitnessedWorld()
    const folder = await mkdtemp(join(tmpdir(), 'countersign-log-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await writeFile(join(folder, 'secret'), 'kept')
    await symlink(join(folder, 'secret'), join(folder, 'checkpoint'))
    await log.sequence()
    await operate(world, 'export', folder)
    expect(await readFile(join(folder, 'secret'), 'utf8')).toBe('kept')
    expect(await readdir(folder)).toEqual(['checkpoint', 'secret', 'tile'])
  })

  it('continues by itself after a restore if its witnesses have seen no more', async () => {
    const { world, witnesses, reader, acme, log } = await createWitnessedWorld()
    await log.sequence()
    const seen = await reader.checkpoint()
    // A backup has the cosignatures of its last checkpoint.
    expect(seen.isWitnessed).toBe(true)
    await world.database.transaction((tx) => setHalted(tx, 'restored'))
    await acme.registerModel()
    world.clock.advance('10s')
    witnesses[1]?.answer(() => ({ status: 503, body: '' }))
    await log.sequence()
    expect(await haltedOf(world)).toBe('restored')
    world.clock.advance('10s')
    witnesses[1]?.answer(undefined)
    // A drill at another address would be a fork.
    const drill = await world.startReplica({}, 'http://127.0.0.1:4199')
    await drill.registry.transparency.sequence()
    expect(await haltedOf(world)).toBe('restored')
    await log.sequence()
    await log.sequence()
    expect(await haltedOf(world)).toBeNull()
    expect((await reader.checkpoint()).size).toBe(seen.size + 1)
    expect(await reader.findFault(seen)).toBeUndefined()
  })

  it('signs nothing after a restore if a witness has seen more, even if the operator says that nothing is missing', async () => {
    const { world, witnesses, reader, acme, log } = await createWitnessedWorld()
    const folder = await mkdtemp(join(tmpdir(), 'countersign-log-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await log.sequence()
    const { size } = await reader.checkpoint()
    await operate(world, 'export', folder)
    await acme.registerModel()
    await log.sequence()
    await rollBack(world, size)
    await world.database.transaction((tx) => setHalted(tx, 'restored'))

    const [north, ...others] = witnesses
    for (const witness of others) witness.answer(() => ({ status: 503, body: '' }))
    await expect(operate(world, 'recover', '--accept')).rejects.toThrow(
      `north.example has seen ${size + 1} entries; this database has ${size}.`,
    )
    await expect(operate(world, 'recover', folder)).rejects.toThrow(`the copy has ${size}.`)
    expect(await operate(world, 'show')).toContain(`north.example  it has seen a tree of ${size + 1} entries`)
    world.clock.advance('10s')
    await log.sequence()
    expect(await haltedOf(world)).toBe('behind')

    // Removed from the policy, a witness is neither asked nor shown.
    north?.answer(() => ({ status: 503, body: '' }))
    const without = await world.startReplica({ logPolicy: null })
    expect((await log.state()).witnesses.map(({ name }) => name)).toContain('north.example')
    expect((await without.registry.transparency.state()).witnesses).toEqual([])
    const alone = { ...world, config: { ...world.config, logPolicy: null } }
    expect(await operate(alone, 'show')).not.toContain('north.example')
    expect(await operate(world, 'recover', '--accept')).toMatch(
      /north\.example did not confirm .*503.*continues after/s,
    )
  })

  it('without witnesses waits for the operator', async () => {
    const world = await createWorld()
    await world.registry.transparency.sequence()
    await world.database.transaction((tx) => setHalted(tx, 'restored'))
    const acme = await world.provider('acme')
    await acme.registerModel()
    const reader = await createLogReader(world.address)
    const { size } = await reader.checkpoint()
    await world.registry.transparency.sequence()
    expect((await reader.checkpoint()).size).toBe(size)
    expect(await operate(world, 'recover', '--accept')).toContain(`continues after ${size} entries`)
    await world.registry.transparency.sequence()
    expect((await reader.checkpoint()).size).toBeGreaterThan(size)
  })
})
