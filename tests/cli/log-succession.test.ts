import { formatNote, formatProof, formatVkey, type NoteSigner, parseNote, signNote } from '@countersign/sdk/log'
import { formatEntry, type OpenEntry } from '@countersign/sdk/log/entries'
import { describe, expect, it } from 'vitest'
import { describeOnSqlite } from '../support/databases.ts'
import { operateLog } from '../support/operate-log.ts'
import { createNoteSigner, createTestLog, serveLog } from '../support/transparency-log.ts'
import { createWorld } from '../support/world.ts'
import { createQuickCommandLine } from './in-process.ts'
import { createThirdParty } from './third-party.ts'

describeOnSqlite('a registry whose log changes its key', () => {
  it('is followed by clients that pinned either key, even after the old key stopped', async () => {
    const world = await createWorld()
    const { transparency } = world.registry
    const acme = await world.provider('acme')
    const model = await acme.registerModel()
    await transparency.sequence()
    const { call, write } = await createQuickCommandLine(world.address)
    const pin = async (name: string) => {
      const { vkeys = [] } = (await transparency.describe()) ?? {}
      await write(`${name}.policy`, `log ${vkeys.at(-1)} ${world.address}/log\nquorum none\n`)
    }
    const run = async (name: string, ...args: string[]) => {
      const { exit, stdout } = await call([...args, '--policy', `${name}.policy`, '--json'])
      return { exit, answer: stdout === '' ? undefined : JSON.parse(stdout) }
    }
    const monitor = (name: string) => run(name, 'log', 'monitor', '--state', name, '--domain', 'other.example')
    await pin('old')
    expect(await monitor('old')).toMatchObject({ exit: 0 })

    world.clock.advance('1s')
    await operateLog(world, 'rotate')
    await transparency.sequence()
    await pin('new')
    expect(await monitor('old')).toMatchObject({
      exit: 0,
      answer: { findings: [{ because: 'log_key', type: 'log_key.successor' }] },
    })
    expect(await monitor('new')).toMatchObject({ exit: 0 })

    // The command line has the machine's clock, so the old key stops earlier.
    const until = world.clock.now()
    await world.database.transaction((tx) =>
      tx.updateTable('log_keys').set({ signs_until: until }).where('signs_until', 'is not', null).execute(),
    )
    await acme.registerModel()
    await transparency.sequence()
    for (const name of ['old', 'new']) {
      expect(await monitor(name), name).toMatchObject({ exit: 0, answer: { new_entries: 1 } })
      expect(await run(name, 'log', 'checkpoint'), name).toMatchObject({ exit: 0 })
      expect(await run(name, 'log', 'proof', model), name).toMatchObject({ exit: 0 })
    }
    const { verification_url } = await acme.client.verifications.create({ model_id: model })
    const verified = await call(['verify', verification_url, '--log-policy', 'old.policy', '--json'])
    expect(JSON.parse(verified.stdout)).toMatchObject({ result: 'verified', log: { state: 'logged' } })
  })
})

const origin = 'registry.example/log'
const at = (minute: number) => new Date(Date.UTC(2026, 10, 1, 0, minute)).toISOString()
const opened: OpenEntry = { v: 1, type: 'log.opened', at: at(0), origin, imported: 0 }
const retired = (minute: number): OpenEntry => ({
  v: 1,
  type: 'registry_key.retired',
  at: at(minute),
  kid: `${minute}`,
})

/** A log that is also signed by another key, which its registry names. */
const createTwiceSigned = async () => {
  const log = createTestLog(origin)
  const successor = createNoteSigner(origin, 1)
  const vkey = formatVkey(successor.key)
  const announce = () => log.append(formatEntry({ v: 1, type: 'log_key.successor', at: at(2), vkey }))
  const announcement = async (index: number) =>
    formatProof({
      index,
      hashes: await log.inclusion(index),
      checkpoint: await log.checkpoint(),
      extra: log.entries[index] ?? new Uint8Array(),
    })
  const signAlso = async (signer: NoteSigner) => {
    const { text, signatures } = parseNote(await log.checkpoint())
    return formatNote({ text, signatures: [...signatures, await signNote(text, signer)] })
  }
  const successors: string[] = []
  const early: { checkpoint: string | undefined } = { checkpoint: undefined }
  const address = await serveLog({
    log: {
      file: async (path) => {
        if (path === '/.well-known/countersign-log')
          return JSON.stringify({ origin, vkeys: [formatVkey(log.signer.key), vkey], successors })
        return path === 'checkpoint' ? (early.checkpoint ?? signAlso(successor)) : log.file(path)
      },
    },
  })
  const cli = await createQuickCommandLine(address)
  await cli.write('acme.policy', `log ${formatVkey(log.signer.key)} ${address}/log\nquorum none\n`)
  await cli.write('new.policy', `log ${vkey} ${address}/log\nquorum none\n`)
  const call = async (...args: string[]) => {
    const { exit, stdout } = await cli.call(['log', ...args, '--json'])
    return { exit, answer: stdout === '' ? undefined : JSON.parse(stdout) }
  }
  const monitor = (policy = 'acme.policy') => call('monitor', '--policy', policy)
  const verify = await createThirdParty(`log ${formatVkey(log.signer.key)}\nquorum none\n`)
  return { log, successors, early, announce, announcement, signAlso: () => signAlso(successor), monitor, verify, call }
}

describe('a key that signs before the log announced it', () => {
  it('is an alarm with evidence, which is a proof once the log announces the key', async () => {
    const { log, successors, early, announce, announcement, signAlso, monitor, verify, call } =
      await createTwiceSigned()
    log.append(formatEntry(opened), formatEntry(retired(1)))
    const found = await monitor()
    expect(found).toMatchObject({ exit: 3, answer: { evidence: { kind: 'unlogged_key' } } })
    expect(await verify(found.answer.evidence.file)).toMatchObject({ exit: 9, answer: { is_proof: false } })
    expect(await call('checkpoint', '--policy', 'acme.policy')).toMatchObject({ exit: 3 })

    early.checkpoint = await signAlso()
    announce()
    successors.push(await announcement(2))
    const late = await monitor()
    expect(late).toMatchObject({ exit: 3, answer: { evidence: { kind: 'unlogged_key' } } })
    expect(await verify(late.answer.evidence.file)).toMatchObject({ exit: 0, answer: { is_proof: true } })
    early.checkpoint = undefined
    expect(await monitor()).toMatchObject({ exit: 0 })
    expect(await monitor('new.policy')).toMatchObject({ exit: 0 })
  })

  it('is not explained by a made-up tree that announces the known key', async () => {
    const { log, successors, monitor } = await createTwiceSigned()
    log.append(formatEntry(opened), formatEntry(retired(1)))
    const vkey = formatVkey(log.signer.key)
    const forged = createTestLog(origin, createNoteSigner(origin, 1))
    forged.append(formatEntry({ v: 1, type: 'log_key.successor', at: at(2), vkey }))
    successors.push(
      formatProof({
        index: 0,
        hashes: await forged.inclusion(0),
        checkpoint: await forged.checkpoint(),
        extra: forged.entries[0] ?? new Uint8Array(),
      }),
    )
    expect(await monitor()).toMatchObject({ exit: 3, answer: { evidence: { kind: 'unlogged_key' } } })
  })
})
