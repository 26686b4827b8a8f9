import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  formatCheckpoint,
  formatNote,
  formatProof,
  formatVkey,
  leafHash,
  nodeHash,
  signNote,
} from '@countersign/sdk/log'
import { formatEntry, hideEntry } from '@countersign/sdk/log/entries'
import { describe, expect, it } from 'vitest'
import { shapes } from '../../cli/src/shapes/index.ts'
import { createNoteSigner, createTestLog, serveLog, type TestLog } from '../support/transparency-log.ts'
import { createQuickCommandLine } from './in-process.ts'
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
import { createThirdParty } from './third-party.ts'

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

  it('reports entries that no honest log has, with any filter, and says how many it does not know', async () => {
    const log = createOpened(3)
    const { cli, options, monitor } = await createMonitor(log)
    const leaves = [
      '{"at":"2026-11-01T00:09:00.000Z","type":"domain.proven company_name domain method provider","v":1}',
      '{"at":"2026-11-01T00:09:00.000Z","type":"domain.proven","v":1}',
      '{"at":"2026-11-01T00:09:00.000Z","type":"domain.sold","v":1}',
      '{"at":"2026-11-01T00:09:00.000Z","type":"domain.proven","v":2}',
      'A leaf of another log',
    ]
    log.append(...leaves.map((leaf) => Buffer.from(leaf)))
    const { exit, answer } = await monitor('--domain', 'acme.example')
    expect([exit, answer.unknown_entries]).toEqual([0, 3])
    expect(answer.findings).toMatchObject([
      { index: 4, because: 'malformed', type: 'domain.proven company_name domain method provider', entry: null },
      { index: 5, because: 'malformed', type: 'domain.proven', entry: null },
    ])
    const { stdout, stderr } = await cli.call(['log', 'monitor', ...options, '--domain', 'acme.example'])
    expect(stderr).toContain('does not know: 3')
    expect(stdout).toContain('4  malformed entry  “domain.proven company_name domain method provider”')
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
    const checkpoint = await log.checkpoint(witness)
    const given = { index: 4, hashes: await log.inclusion(4), checkpoint, extra: log.entries[4] ?? new Uint8Array() }
    const other = createTestLog('other.example/log')
    other.append(...log.entries)
    const cosignatureOf = (note: string) => note.slice(note.indexOf('— witness'))
    const withCosignature = async (note: string) => (await log.checkpoint()) + cosignatureOf(note)
    const accepted = { kind: 'proof', index: 4, entry: { domain: 'd3.example' }, is_witnessed: true }
    const check = async (name: string, text: string, exit: number, answer?: object) => {
      await cli.write('file', text)
      const found = await verify('file')
      expect([name, found.exit]).toEqual([name, exit])
      if (answer) expect(found.answer, name).toMatchObject(answer)
      else expect(found.answer, name).toBeUndefined()
    }
    await check('a proof', formatProof(given), 0, accepted)
    await check('a checkpoint', checkpoint, 0, { kind: 'checkpoint', size: 7 })
    const unseen = formatProof({ ...given, checkpoint: await log.checkpoint() })
    await check('a proof that no witness saw', unseen, 9, { is_witnessed: false })
    await check('a proof for another index', formatProof({ ...given, index: 5 }), 3)
    await check('a proof for another leaf', formatProof({ ...given, extra: log.entries[5] ?? new Uint8Array() }), 3)
    const foreign = await other.checkpoint(witness)
    await check('a proof for another log', formatProof({ ...given, checkpoint: foreign }), 3)
    await check('a cosignature of another log', await withCosignature(foreign), 3)
    add(log, proven('later.example', 9))
    const later = await log.checkpoint(witness)
    await check('a proof for another size', formatProof({ ...given, checkpoint: later }), 3)
    await check('a cosignature that is replayed', await withCosignature(checkpoint), 3)
    await check('another file', 'hello', 3)
    const shown = await cli.call(['log', 'checkpoint', ...options, '--json'])
    expect(shown.exit).toBe(9)
    expect(shapes['log checkpoint']?.answer?.safeParse(JSON.parse(shown.stdout)).error).toBeUndefined()
  })

  it('check the proof of one entry among ten million, which has at most 2 kB', async () => {
    const size = 10_000_000
    const index = 7_654_321
    const entry = formatEntry(proven('acme.example'))
    const same = leafHash(Buffer.from('another entry'))
    const known = new Map<number, Uint8Array>([[1, same]])
    /** The root of a tree whose entries are all the same. */
    const rootOf = (count: number): Uint8Array => {
      const left = 2 ** Math.ceil(Math.log2(count) - 1)
      const root = known.get(count) ?? nodeHash(rootOf(left), rootOf(count - left))
      known.set(count, root)
      return root
    }
    /** The root of a tree with the entry at its place, and the entry’s proof. */
    const prove = (at: number, count: number): { root: Uint8Array; hashes: Uint8Array[] } => {
      if (count === 1) return { root: leafHash(entry), hashes: [] }
      const left = 2 ** Math.ceil(Math.log2(count) - 1)
      const isLeft = at < left
      const { root, hashes } = isLeft ? prove(at, left) : prove(at - left, count - left)
      const sibling = rootOf(isLeft ? count - left : left)
      return { root: isLeft ? nodeHash(root, sibling) : nodeHash(sibling, root), hashes: [...hashes, sibling] }
    }
    const signer = createNoteSigner(origin, 1)
    const witnesses = ['north', 'south', 'west'].map((name) => createNoteSigner(`${name}.example`, 4))
    const { root, hashes } = prove(index, size)
    const text = formatCheckpoint({ origin, size, root })
    const signatures = await Promise.all([signer, ...witnesses].map((each) => signNote(text, each, 1_795_824_000)))
    const given = { index, hashes, checkpoint: formatNote({ text, signatures }) }
    expect(formatProof(given).length).toBeLessThanOrEqual(2_000)

    const lines = witnesses.map(({ key }) => `witness ${key.name} ${formatVkey(key)}\n`).join('')
    const names = witnesses.map(({ key }) => key.name).join(' ')
    const verify = await createThirdParty(`log ${formatVkey(signer.key)}\n${lines}group all all ${names}\nquorum all\n`)
    const cli = await createQuickCommandLine('http://127.0.0.1:9')
    const check = async (change: object = {}) => {
      await cli.write('file', formatProof({ ...given, extra: entry, ...change }))
      return verify('file', cli.folder)
    }
    expect(await check()).toMatchObject({ exit: 0, answer: { size, index, is_witnessed: true } })
    expect(await check({ index: index + 1 })).toMatchObject({ exit: 3 })
    expect(await check({ hashes: hashes.slice(1) })).toMatchObject({ exit: 3 })
    expect(await check({ hashes: [...hashes, same] })).toMatchObject({ exit: 3 })
  })
})
