import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { formatNote, formatProof, formatVkey, type NoteSignature, noteKey, signNote } from '@countersign/sdk/log'
import { formatEntry, hideEntry, hideText, type OpenEntry } from '@countersign/sdk/log/entries'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createNoteSigner, createTestLog, serveLog, type TestLog } from '../support/transparency-log.ts'
import { createQuickCommandLine } from './in-process.ts'
import { add, createMonitor, createOpened, opened, origin, proven, salt } from './monitored-log.ts'
import { createThirdParty } from './third-party.ts'

const witness = createNoteSigner('witness.example', 4)
const witnessed = (log: TestLog) =>
  `log ${formatVkey(log.signer.key)}\nwitness w ${formatVkey(witness.key)}\nquorum w\n`

/** The log with another checkpoint of the same tree: one more signature. */
const signedAlso = (log: TestLog, sign: (text: string) => Promise<NoteSignature>): Pick<TestLog, 'file'> => ({
  file: async (path) => {
    if (path !== 'checkpoint') return log.file(path)
    const note = await log.checkpoint()
    const text = note.slice(0, note.indexOf('\n\n') + 1)
    return formatNote({ text, signatures: [await signNote(text, log.signer), await sign(text)] })
  },
})

const listen = async (answer: (path: string) => Promise<Uint8Array | string | undefined>) => {
  const asked: string[] = []
  const server = createServer(async ({ url = '' }, response) => {
    asked.push(url)
    const content = await answer(url)
    response.writeHead(content === undefined ? 404 : 200).end(content)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { asked, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

describe('a monitor of a hostile log', () => {
  it('reads a cosignature of any time, and ignores signatures of a type that it cannot check', async () => {
    const log = createOpened(3)
    const quantum = noteKey('quantum.example', 6, new Uint8Array(1_312))
    const policy = `${witnessed(log)}witness q ${formatVkey(quantum)}\n`
    const { cli, source, options, monitor } = await createMonitor(log, policy)
    source.log = signedAlso(log, (text) => signNote(text, witness, 2 ** 55))
    expect(await monitor()).toMatchObject({ exit: 0, answer: { witnesses: [{ at: '+275760-09-13T00:00:00.000Z' }] } })
    expect(await cli.call(['log', 'checkpoint', ...options])).toMatchObject({ exit: 0 })
    const { name, keyId } = quantum
    source.log = signedAlso(log, async () => ({ name, keyId, signature: new Uint8Array(2_428) }))
    expect(await monitor()).toMatchObject({ exit: 9, answer: { witnesses: [] } })
  })

  it('keeps a pinned policy although the registry suggests a weaker one', async () => {
    const log = createOpened(3)
    const vkey = formatVkey(log.signer.key)
    const suggested = JSON.stringify({ origin, vkeys: [vkey], policy: `log ${vkey}\nquorum none\n` })
    const registry = await listen(async (path) =>
      path === '/.well-known/countersign-log' ? suggested : log.file(path.replace('/log/', '')),
    )
    const cli = await createQuickCommandLine(registry.address)
    await cli.write('acme.policy', witnessed(log))
    for (const command of ['monitor', 'checkpoint'])
      expect(await cli.call(['log', command, '--policy', 'acme.policy']), command).toMatchObject({ exit: 9 })
  })

  it.each([
    { altered: 'entries', path: 'tile/entries/', exit: 3, kind: 'changed_entry' },
    { altered: 'hashes', path: 'tile/0/', exit: 0, kind: undefined },
    { altered: 'entries and hashes', path: 'tile/', exit: 3, kind: 'missing_tree' },
  ])('reports a proxy that alters $altered', async ({ path: altered, exit, kind }) => {
    const log = createOpened(300)
    const behind = await serveLog({ log })
    const proxy = await listen(async (path) => {
      const answer = await fetch(behind + path)
      const bytes = new Uint8Array(await answer.arrayBuffer())
      if (answer.ok && path.includes(altered)) bytes[40] = (bytes[40] ?? 0) ^ 1
      return answer.ok ? bytes : undefined
    })
    const cli = await createQuickCommandLine(proxy.address)
    const policy = `log ${formatVkey(log.signer.key)}\nquorum none\n`
    await cli.write('acme.policy', policy)
    const found = await cli.call(['log', 'monitor', '--policy', 'acme.policy', '--json'])
    const { evidence } = JSON.parse(found.stdout)
    expect([found.exit, evidence?.kind]).toEqual([exit, kind])
    if (!evidence) return
    const verify = await createThirdParty(policy)
    expect(await verify(evidence.file)).toMatchObject({ exit: 9, answer: { kind, is_proof: false } })
  })

  it('takes nothing but keys from the registry', async () => {
    const log = createOpened(3)
    const secret = await listen(async () => 'secret')
    const registry = await listen(async (path) =>
      path === '/.well-known/countersign-log'
        ? JSON.stringify({ origin, vkeys: [`${formatVkey(log.signer.key)} ${secret.address}`] })
        : log.file(path.replace('/log/', '')),
    )
    const cli = await createQuickCommandLine(registry.address)
    expect(await cli.call(['log', 'monitor', '--state', 'state'])).toMatchObject({ exit: 9 })
    expect([secret.asked, registry.asked]).toEqual([[], ['/.well-known/countersign-log']])
  })

  it('is not satisfied with a tree that too few witnesses have seen', async () => {
    const log = createOpened(3)
    const { cli, options, monitor } = await createMonitor(log, witnessed(log))
    expect(await monitor()).toMatchObject({ exit: 9, answer: { is_witnessed: false, evidence: null } })
    const { exit, stderr } = await cli.call(['log', 'monitor', ...options])
    expect([exit, stderr]).toEqual([9, expect.stringContaining('Too few of the policy’s witnesses')])
  })

  it('says how many names the registry withholds', async () => {
    const log = createOpened(2)
    const { source, monitor } = await createMonitor(log)
    const shown = { field: 'company_name', salt: Buffer.from(salt).toString('base64url') }
    const texts = { 1: [{ ...shown, value: 'A company' }], 2: [{ ...shown, value: 'Another company' }] }
    source.log = {
      file: async (path) => (path === 'revealed/000' ? JSON.stringify({ entries: texts }) : log.file(path)),
    }
    const { exit, answer } = await monitor('--name', 'Acme')
    expect([exit, answer.unnamed_entries]).toEqual([0, 1])
  })

  it('does not mistake another log of its policy, or a damaged state, for a fork', async () => {
    const log = createOpened(5)
    const other = createTestLog('other.example/log')
    add(other, opened(other.origin), ...Array.from({ length: 9 }, (_, index) => proven(`c${index}.example`, index)))
    const policy = `log ${formatVkey(log.signer.key)}\nlog ${formatVkey(other.signer.key)}\nquorum none\n`
    const { cli, source, monitor } = await createMonitor(log, policy)
    const otherAddress = await serveLog({ log: other })
    expect(await monitor('--source', `${otherAddress}/log`)).toMatchObject({
      exit: 0,
      answer: { sources: [{ state: 'could_not_check' }] },
    })
    source.log = other
    expect(await monitor()).toMatchObject({
      exit: 3,
      answer: undefined,
      stderr: expect.stringContaining('not registry.'),
    })
    source.log = log
    const file = join(cli.folder, 'state', 'monitor.json')
    const saved = JSON.parse(await readFile(file, 'utf8'))
    const wrong = Buffer.alloc(6 * 32, 1).toString('base64')
    for (const levels of [[wrong], ['AAAA'], []]) {
      await cli.write('state/monitor.json', JSON.stringify({ ...saved, levels }))
      expect(await monitor()).toMatchObject({ exit: 2, stderr: expect.stringContaining('cannot be read') })
    }
  })

  it.each([
    { name: 'are missing', tile: undefined },
    { name: 'are cut off', tile: new Uint8Array(3) },
    { name: 'are made up', tile: new Uint8Array(8_192) },
  ])('keeps both checkpoints of a fork whose tiles $name', async ({ tile }) => {
    const log = createOpened(300)
    const { source, monitor, verify } = await createMonitor(log)
    expect(await monitor()).toMatchObject({ exit: 0 })
    const fork = createTestLog(origin, log.signer)
    fork.append(...log.entries.with(1, formatEntry(proven('liar.example'))))
    add(fork, proven('next.example', 400))
    source.log = { file: async (path) => (/^tile\/\d/.test(path) ? tile : fork.file(path)) }
    const { exit, answer } = await monitor()
    expect([exit, answer.evidence?.kind]).toEqual([3, 'missing_tree'])
    expect(await verify(answer.evidence?.file ?? '')).toMatchObject({ exit: 9 })
  })
})

describe('countersign log proof', () => {
  const model = 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm'
  const registered = (subject: string): OpenEntry => ({
    v: 1,
    type: 'version.registered',
    at: '2026-11-01T00:00:00.000Z',
    provider: 'prv_1',
    model: subject,
    digest: null,
    identifier: hideText('identifier', 'acme-chat', salt),
    version: hideText('version', '1', salt),
    display_name: hideText('display_name', 'Acme Chat', salt),
  })
  const shown = (field: string, value: string) => ({ field, salt: Buffer.from(salt).toString('base64url'), value })

  it.each([
    { name: 'an entry that it does not open', opened: model, disclosures: [], exit: 3 },
    { name: 'the entry of another version', opened: 'mdl_other', disclosures: ['private'], exit: 3 },
    { name: 'a name other than the hidden one', opened: model, disclosures: ['private', 'identifier'], exit: 3 },
    { name: 'the entry', opened: model, disclosures: ['private'], exit: 0 },
  ])('exits $exit for a private version if the registry shows $name', async ({ opened, disclosures, exit }) => {
    const log = createOpened(3)
    const hidden = registered(opened)
    const leaf = formatEntry(hideEntry(hidden, salt))
    log.append(leaf)
    const texts = { private: Buffer.from(formatEntry(hidden)).toString(), identifier: 'another-chat' }
    const fact = {
      subject: model,
      fact: 'version',
      state: 'logged_privately',
      type: 'version.registered',
      at: hidden.at,
      index: 4,
      entry: Buffer.from(leaf).toString(),
      disclosures: disclosures.map((field) => shown(field, texts[field as keyof typeof texts])),
      proof: formatProof({ index: 4, hashes: await log.inclusion(4), checkpoint: await log.checkpoint() }),
    }
    const answer = { origin, state: 'logged_privately', facts: [fact], statement: null }
    const { address } = await listen(async (path) =>
      path.includes('/log/proofs/') ? JSON.stringify(answer) : undefined,
    )
    const cli = await createQuickCommandLine(address)
    await cli.write('acme.policy', `log ${formatVkey(log.signer.key)}\nquorum none\n`)
    expect(await cli.call(['log', 'proof', model, '--policy', 'acme.policy', '--json'])).toMatchObject({ exit })
  })

  it.each([
    { name: 'the entry', lie: {}, exit: 0, says: origin },
    {
      name: 'another domain',
      lie: { fact: 'domain northwind.example' },
      exit: 3,
      says: 'something else for “domain northwind.example”',
    },
    { name: 'a fact of another kind', lie: { fact: 'provider' }, exit: 3, says: 'something else' },
    { name: 'another time', lie: { at: '2020-01-01T00:00:00.000Z' }, exit: 3, says: 'different entries' },
    { name: 'another log', lie: {}, shown: 'log.example/2', exit: 3, says: `is of the log “${origin}”` },
    { name: 'an unknown log, without a proof', lie: { proof: null }, shown: 'log.example/3', exit: 3, says: 'no log' },
  ])('exits $exit for a domain if the registry shows $name', async ({ lie, shown: named, exit, says }) => {
    const log = createOpened(3)
    const provider = 'prv_06dh0e3x7c9bw4vjz2n8qk5ytm'
    const entry = { ...proven('acme.example'), provider } as OpenEntry
    const leaf = formatEntry(entry)
    log.append(leaf)
    const fact = {
      subject: provider,
      fact: 'domain acme.example',
      state: 'logged',
      type: entry.type,
      at: entry.at,
      index: 4,
      entry: Buffer.from(leaf).toString(),
      disclosures: [],
      proof: formatProof({ index: 4, hashes: await log.inclusion(4), checkpoint: await log.checkpoint() }),
      ...lie,
    }
    const answer = { origin: named ?? origin, state: 'logged', facts: [fact], statement: null }
    const { address } = await listen(async (path) =>
      path.includes('/log/proofs/') ? JSON.stringify(answer) : undefined,
    )
    const cli = await createQuickCommandLine(address)
    const keys = [log.signer.key, createNoteSigner('log.example/2', 1).key].map((key) => `log ${formatVkey(key)}\n`)
    await cli.write('acme.policy', `${keys.join('')}quorum none\n`)
    const called = await cli.call(['log', 'proof', provider, '--policy', 'acme.policy', '--json'])
    expect([called.exit, called.stdout + called.stderr]).toEqual([exit, expect.stringContaining(says)])
  })

  it('does not call a fact logged that has no proof', async () => {
    const log = createOpened(1)
    const subject = 'prv_06dh0e3x7c9bw4vjz2n8qk5ytm'
    const nothing = { type: null, at: null, index: null, entry: null, disclosures: [], proof: null }
    const fact = { subject, fact: 'domain acme.example', state: 'logged', ...nothing }
    const answer = JSON.stringify({ origin, state: 'logged', facts: [fact], statement: null })
    const { address } = await listen(async (path) => (path.includes('/log/proofs/') ? answer : undefined))
    const cli = await createQuickCommandLine(address)
    await cli.write('acme.policy', `log ${formatVkey(log.signer.key)}\nquorum none\n`)
    const { exit, stdout } = await cli.call(['log', 'proof', subject, '--policy', 'acme.policy'])
    expect([exit, stdout]).toEqual([9, expect.stringMatching(/no proof +“domain acme\.example of/)])
    expect(stdout).not.toMatch(/\blogged\b/)
  })
})
