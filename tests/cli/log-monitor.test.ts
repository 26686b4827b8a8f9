import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatProof, formatVkey } from '@countersign/sdk/log'
import { formatEntry, hideEntry } from '@countersign/sdk/log/entries'
import { describe, expect, it } from 'vitest'
import { shapes } from '../../cli/src/shapes/index.ts'
import { createNoteSigner, createTestLog, serveLog, type TestLog } from '../support/transparency-log.ts'
import {
  type Answer,
  add,
  createMonitor,
  createOpened,
  disabled,
  opened,
  origin,
  proven,
  salt,
} from './monitored-log.ts'

describe('countersign log monitor', () => {
  it('reads new entries, and reports those about the names and all later ones of their providers', async () => {
    const log = createOpened(300)
    const { source, monitor } = await createMonitor(log)
    source.log = {
      file: async (path) =>
        path === 'revealed/001'
          ? JSON.stringify({
              entries: {
                303: [{ field: 'company_name', salt: Buffer.from(salt).toString('base64url'), value: 'Acme Labs' }],
                304: [{ field: 'company_name', salt: Buffer.from(salt).toString('base64url'), value: 'Acme Labs' }],
              },
            })
          : log.file(path),
    }
    const watching = ['--domain', 'acmelabs.example', '--name', 'Acme Labs']
    expect(await monitor(...watching)).toMatchObject({ exit: 0, answer: { size: 301, new_entries: 301, findings: [] } })
    add(log, proven('other.example', 400), proven('acme-labs.net', 401))
    add(log, proven('harmless.example', 402, 'Acme Labs'), proven('liar.example', 403, 'Another name'))
    add(log, disabled('prv_harmless.example', 404), disabled('prv_other.example', 405))
    log.append(formatEntry(hideEntry(disabled('prv_x', 406), salt)), Buffer.from('{"v":2}'))
    const { exit, answer } = await monitor(...watching)
    expect(exit).toBe(0)
    expect(answer).toMatchObject({ size: 309, new_entries: 8, unknown_entries: 1 })
    expect(answer.findings).toMatchObject([
      { index: 302, because: 'domain', near: 'lookalike' },
      { index: 303, because: 'name', near: 'same', texts: { company_name: 'Acme Labs' } },
      { index: 305, because: 'provider', type: 'deployment.disabled' },
    ])
    expect(await monitor(...watching)).toMatchObject({ exit: 0, answer: { new_entries: 0, findings: [] } })
  })

  it('follows the log, and exits with the evidence', async () => {
    const log = createOpened(3)
    const { cli, source, options, verify } = await createMonitor(log)
    const args = ['log', 'monitor', ...options, '--follow', '--every', '0', '--json', '--domain', 'd1.example']
    const { outcome, ended } = await cli.start(args)
    expect(JSON.parse(outcome.stdout)).toMatchObject({ index: 2, near: 'same' })
    const fork = createTestLog(origin, log.signer)
    add(
      fork,
      opened(origin),
      proven('changed.example', 0),
      proven('d1.example'),
      proven('d2.example'),
      proven('d3.example', 3),
    )
    source.log = fork
    expect(await ended).toMatchObject({ exit: 3 })
    const last = JSON.parse(outcome.stdout.trim().split('\n').at(-1) ?? '') as Answer
    expect(last.evidence).toMatchObject({ kind: 'fork' })
    expect(await verify(last.evidence?.file ?? '')).toMatchObject({ exit: 0, answer: { is_proof: true } })
  })

  it('prints a line when the policy’s quorum is missing, and when it is back', async () => {
    const log = createOpened(3)
    const witness = createNoteSigner('witness.example', 4)
    const policy = `log ${formatVkey(log.signer.key)}\nwitness w ${formatVkey(witness.key)}\nquorum w\n`
    const { cli, source, options } = await createMonitor(log, policy)
    const watching = ['--follow', '--every', '0', '--patience', '0', '--json', '--domain', 'unseen.example']
    const { outcome, ended } = await cli.start(['log', 'monitor', ...options, ...watching])
    let isSeen = false
    const seen: TestLog['file'] = async (path) => {
      if (path !== 'checkpoint') return log.file(path)
      // The request after the witnessed tree gets another tree, which ends the monitor.
      if (isSeen) source.log = createOpened(2, log.signer)
      isSeen = true
      return log.checkpoint(witness)
    }
    source.log = { file: seen }
    await ended
    const lines = outcome.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Answer)
    expect(lines.slice(0, 2).map(({ is_witnessed, evidence }) => [is_witnessed, evidence])).toEqual([
      [false, null],
      [true, null],
    ])
  })

  it.each([2, 5, 8, 256, 300])('catches a fork after %i entries, and anyone can check the evidence', async (size) => {
    const log = createOpened(size - 1)
    const { source, monitor, verify, cli } = await createMonitor(log)
    expect(await monitor()).toMatchObject({ exit: 0, answer: { size } })
    const fork = createTestLog(origin, log.signer)
    fork.append(...log.entries.with(1, formatEntry(proven('liar.example'))))
    source.log = fork
    // The fork has the same size first, and is larger later.
    for (const more of [0, 1, 40]) {
      for (let index = 0; index < more; index++) add(fork, proven(`more${index}.example`, size + index))
      const { exit, answer } = await monitor()
      expect(exit).toBe(3)
      expect(answer.evidence).toMatchObject({ kind: 'fork' })
      expect(await verify(answer.evidence?.file ?? '')).toMatchObject({ exit: 0, answer: { is_proof: true } })
      const changed = (await readFile(answer.evidence?.file ?? '', 'utf8')).replace(/(\\n\d+\\n)(.)/, '$1_')
      await cli.write('changed.json', changed)
      expect(await verify('changed.json')).toMatchObject({ exit: 3 })
    }
    expect(await readdir(join(cli.folder, 'state'))).toHaveLength(4)
  })

  it('catches a rollback, and forgives one that ends in time', async () => {
    const log = createOpened(20)
    const { source, monitor, verify } = await createMonitor(log)
    expect(await monitor()).toMatchObject({ exit: 0 })
    const old = createOpened(12, log.signer)
    source.log = old
    const { exit, answer } = await monitor()
    expect([exit, answer.evidence?.kind]).toEqual([3, 'rollback'])
    expect(await verify(answer.evidence?.file ?? '')).toMatchObject({ exit: 9, answer: { is_proof: false } })
    const asked: string[] = []
    source.log = {
      file: async (path) => {
        asked.push(path)
        return (asked.length === 1 ? old : log).file(path)
      },
    }
    expect(await monitor('--patience', '5')).toMatchObject({ exit: 0 })
    // Rolled back and continued differently: a fork.
    add(old, proven('liar.example', 13))
    source.log = old
    expect((await monitor()).answer.evidence?.kind).toBe('rollback')
    for (let index = 0; index < 20; index++) add(old, proven(`liar${index}.example`, 14 + index))
    expect((await monitor()).answer.evidence?.kind).toBe('fork')
  })

  it('catches a fact that is logged late, and a second opening', async () => {
    const log = createOpened(40)
    const { monitor, verify } = await createMonitor(log)
    expect(await monitor()).toMatchObject({ exit: 0 })
    const state = log.size()
    add(log, proven('fresh.example', 35))
    expect(await monitor()).toMatchObject({ exit: 0 })
    add(log, proven('late.example', 20), proven('now.example', 41))
    const { exit, answer } = await monitor()
    expect([exit, answer.evidence?.kind]).toEqual([3, 'backfill'])
    const verified = await verify(answer.evidence?.file ?? '')
    expect(verified).toMatchObject({ exit: 0, answer: { is_proof: true } })
    expect(verified.answer.says).toContain(`Entry ${state + 1} `)

    const twice = createOpened(3)
    add(twice, opened(origin))
    const second = await createMonitor(twice)
    const found = await second.monitor()
    expect([found.exit, found.answer.evidence?.kind]).toEqual([3, 'backfill'])
    expect(await second.verify(found.answer.evidence?.file ?? '')).toMatchObject({ exit: 0 })
  })

  it('catches an entry that was changed in the database, also one that it read before', async () => {
    const log = createOpened(270)
    const { cli, monitor, verify } = await createMonitor(log)
    expect(await monitor()).toMatchObject({ exit: 0 })
    log.entries[100] = formatEntry(proven('liar.example'))
    expect(await monitor()).toMatchObject({ exit: 0 })
    const again = await monitor('--recheck')
    expect(again).toMatchObject({ exit: 3, stderr: expect.stringContaining('changed_entry') })
    const [file = ''] = (await readdir(join(cli.folder, 'state'))).filter((name) => name.startsWith('evidence-'))
    expect(await verify(join('state', file))).toMatchObject({ exit: 9, answer: { kind: 'changed_entry' } })
    add(log, proven('next.example', 300))
    log.entries[271] = formatEntry(proven('liar.example', 300))
    expect((await monitor()).answer.evidence?.kind).toBe('changed_entry')
  })

  it('compares with the policy’s witnesses and with copies: a split view is caught', async () => {
    const log = createOpened(9)
    const fork = createTestLog(origin, log.signer)
    fork.append(...log.entries.slice(0, -1), formatEntry(proven('liar.example', 9)))
    const witness = createNoteSigner('witness.example', 4)
    const seen = { log: { file: async () => log.checkpoint(witness) } }
    const witnessUrl = await serveLog(seen)
    const policy = `log ${formatVkey(log.signer.key)}\nwitness w ${formatVkey(witness.key)} ${witnessUrl}\nquorum none\n`
    const { source, monitor, verify } = await createMonitor(log, policy)
    expect(await monitor()).toMatchObject({ exit: 0, answer: { sources: [{ state: 'agrees' }] } })
    seen.log = { file: async () => fork.checkpoint(witness) }
    const { exit, answer } = await monitor()
    expect([exit, answer.evidence?.kind]).toEqual([3, 'fork'])
    expect(await verify(answer.evidence?.file ?? '')).toMatchObject({ exit: 0 })
    seen.log = { file: async () => 'hello' }
    expect(await monitor()).toMatchObject({ exit: 0, answer: { sources: [{ state: 'could_not_check' }] } })
    // The log hides from the monitor what it showed to the witness.
    source.log = createOpened(9, log.signer)
    add(log, proven('hidden.example', 12))
    seen.log = { file: async () => log.checkpoint(witness) }
    expect((await monitor()).answer.evidence?.kind).toBe('rollback')
  })

  it.each([
    { name: 'that is not there', file: async () => undefined, exit: 9 },
    { name: 'with the key of someone else', file: createOpened(3).file, exit: 3 },
  ])('does not trust a log $name', async ({ file, exit }) => {
    const log = createOpened(3)
    const { source, monitor } = await createMonitor(log)
    source.log = { file }
    expect(await monitor()).toMatchObject({ exit, answer: undefined })
    source.log = log
    expect(await monitor()).toMatchObject({ exit: 0 })
  })

  it('reports no honest log, however it grows', async () => {
    const log = createOpened(0)
    const { monitor } = await createMonitor(log)
    for (let round = 0; round < 25; round++) {
      for (let index = 0; index < (round * 7) % 31; index++)
        add(log, proven(`r${round}-${index}.example`, round + (index % 5)))
      expect(await monitor(), String(round)).toMatchObject({ exit: 0, answer: { size: log.size(), evidence: null } })
    }
  })
})

describe('countersign log verify and log checkpoint', () => {
  it('check a proof with its entry, and a checkpoint', async () => {
    const log = createOpened(6)
    const witness = createNoteSigner('witness.example', 4)
    const policy = `log ${formatVkey(log.signer.key)}\nwitness w ${formatVkey(witness.key)}\nquorum w\n`
    const { cli, options, verify } = await createMonitor(log, policy)
    const leaf = log.entries[4] ?? new Uint8Array()
    const proofWith = async (...cosigners: (typeof witness)[]) =>
      formatProof({
        index: 4,
        hashes: await log.inclusion(4),
        checkpoint: await log.checkpoint(...cosigners),
        extra: leaf,
      })
    await cli.write('good.tlog-proof', await proofWith(witness))
    await cli.write('unseen.tlog-proof', await proofWith())
    await cli.write('wrong.tlog-proof', (await proofWith(witness)).replace('index 4', 'index 5'))
    await cli.write('checkpoint', await log.checkpoint(witness))
    await cli.write('hello', 'hello')
    expect(await verify('good.tlog-proof')).toMatchObject({
      exit: 0,
      answer: { kind: 'proof', index: 4, entry: { domain: 'd3.example' }, is_witnessed: true },
    })
    expect(await verify('unseen.tlog-proof')).toMatchObject({ exit: 9, answer: { is_witnessed: false } })
    expect(await verify('wrong.tlog-proof')).toMatchObject({ exit: 3 })
    expect(await verify('checkpoint')).toMatchObject({ exit: 0, answer: { kind: 'checkpoint', size: 7 } })
    expect(await verify('hello')).toMatchObject({ exit: 3 })
    const shown = await cli.call(['log', 'checkpoint', ...options, '--json'])
    expect(shown.exit).toBe(9)
    expect(shapes['log checkpoint']?.answer?.safeParse(JSON.parse(shown.stdout)).error).toBeUndefined()
  })
})
