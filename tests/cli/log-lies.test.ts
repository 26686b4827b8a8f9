import { formatVkey } from '@countersign/sdk/log'
import { formatEntry, type OpenEntry } from '@countersign/sdk/log/entries'
import { expect, it } from 'vitest'
import { createRandom, type Random } from '../../scripts/random.ts'
import { isFull } from '../support/full.ts'
import { createNoteSigner, createTestLog, serveLog, type TestLog } from '../support/transparency-log.ts'
import { createQuickCommandLine } from './in-process.ts'
import { createThirdParty } from './third-party.ts'

const origin = 'registry.example/log'
const signer = createNoteSigner(origin, 1)
const at = (second: number) => new Date(Date.UTC(2026, 10, 1) + second * 1_000).toISOString()
const opened: OpenEntry = { v: 1, type: 'log.opened', at: at(0), origin, imported: 0 }
const disabled = (second: number, deployment = `dep_${second}`): Uint8Array =>
  formatEntry({ v: 1, type: 'deployment.disabled', at: at(second), provider: 'prv_1', deployment })

const createLog = (...entries: readonly Uint8Array[]) => {
  const log = createTestLog(origin, signer)
  log.append(...entries)
  return log
}
const entriesUpTo = (size: number) => [
  formatEntry(opened),
  ...Array.from({ length: size - 1 }, (_, index) => disabled(index + 1)),
]
const grow = (log: TestLog, more: number) =>
  log.append(...Array.from({ length: more }, (_, index) => disabled(log.size() + index)))

/** A different log from the honest one that the monitor has read. */
type Lie = (honest: TestLog, random: Random) => TestLog

const editOne = ({ entries }: TestLog, { below }: Random) => {
  const index = 1 + below(entries.length - 1)
  return entries.with(index, disabled(index, 'dep_edited'))
}

const lies: Readonly<Record<string, { lie: Lie; isProof: boolean }>> = {
  fork: {
    lie: (honest, random) => {
      const forked = createLog(...editOne(honest, random))
      grow(forked, random.pick([0, 1, 2, random.below(300)]))
      return forked
    },
    isProof: true,
  },
  rollback: {
    lie: (honest, { below }) => createLog(...honest.entries.slice(0, 1 + below(honest.size() - 1))),
    isProof: false,
  },
  changed_entry: {
    // The tree is the right one, but an entry that was not read before is served differently.
    lie: (honest, { below }) => {
      const edited = createLog(...honest.entries)
      grow(edited, 1 + below(300))
      const index = honest.size() + below(edited.size() - honest.size())
      edited.entries[index] = disabled(index, 'dep_edited')
      return edited
    },
    isProof: false,
  },
}

/** A monitor that follows what is served. */
const createMonitor = async () => {
  const source: { log: Pick<TestLog, 'file'> } = { log: createTestLog(origin, signer) }
  const address = await serveLog(source)
  const cli = await createQuickCommandLine(address)
  const policy = `log ${formatVkey(signer.key)}\nquorum none\n`
  await cli.write('acme.policy', policy)
  const log = ['--log', `${address}/log`]
  const args = [
    'log',
    'monitor',
    '--policy',
    'acme.policy',
    ...log,
    '--follow',
    '--every',
    '0',
    '--patience',
    '0',
    '--json',
  ]
  return { ...cli, source, args: [...args, '--domain', 'acme.example'], verify: await createThirdParty(policy) }
}

const lieCount = isFull ? 1_000 : 15

it(`the monitor catches ${lieCount} of ${lieCount} forks, rollbacks and edited entries, with evidence`, {
  timeout: 1_800_000,
}, async () => {
  const { source, args, call, verify } = await createMonitor()
  const random = createRandom(7)
  const kinds = Object.entries(lies)
  for (let count = 0; count < lieCount; count++) {
    const [kind, { lie, isProof }] = kinds[count % kinds.length] as (typeof kinds)[number]
    const honest = createLog(...entriesUpTo(2 + random.below(random.pick([8, 300, 700]))))
    const other = lie(honest, random)
    let looks = 0
    source.log = {
      file: (path) => {
        if (path === 'checkpoint') looks++
        return (looks === 1 ? honest : other).file(path)
      },
    }
    const { exit, stdout } = await call(args)
    const { evidence } = JSON.parse(stdout) as { evidence: { kind: string; file: string } }
    expect([exit, evidence.kind], String(count)).toEqual([3, kind])
    const verified = await verify(evidence.file)
    expect([verified.exit, verified.answer.is_proof], String(count)).toEqual([isProof ? 0 : 9, isProof])
  }
})

const honestCount = isFull ? 10_000 : 60

it(`the monitor follows ${honestCount} honest checkpoints without an alarm`, { timeout: 1_800_000 }, async () => {
  const { source, args, call } = await createMonitor()
  const random = createRandom(11)
  const log = createLog(formatEntry(opened))
  let shown = 0
  let forked: TestLog | undefined
  source.log = {
    file: async (path) => {
      if (path === 'checkpoint' && ++shown > 1) grow(log, random.pick([0, 1, 1, 2, random.below(20)]))
      // One lie at the end ends the monitor.
      if (shown > honestCount) forked ??= createLog(...editOne(log, random))
      return (forked ?? log).file(path)
    },
  }
  const { exit, stdout, stderr } = await call(args)
  expect([exit, stderr, stdout.trim().split('\n').length, shown]).toEqual([3, '', 1, honestCount + 1])
  expect(JSON.parse(stdout)).toMatchObject({ evidence: { kind: 'fork' }, size: log.size() })
})
