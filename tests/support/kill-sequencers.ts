import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parsePolicy, verifyCheckpoint } from '@countersign/sdk/log'
import { emptyEdge } from '@countersign/sdk/log/tiles'
import { advance } from '../../cli/src/commands/log/monitor/follow-log.ts'
import type { MonitorState } from '../../cli/src/commands/log/monitor/monitor-state.ts'
import type { Database } from '../../server/src/db/engine.ts'
import { migrate } from '../../server/src/db/migrate.ts'
import { openDatabase } from '../../server/src/db/open.ts'
import { createNewId } from '../../server/src/ids.ts'
import { createTransparencyService } from '../../server/src/transparency/service.ts'
import { bundleProgram } from './server-bundle.ts'

/** Longer than a lease, so that no round waits for the one before it. */
const aheadPerRoundMs = 10_000

/** Runs two sequencers until both have committed something, and kills them a moment later. Returns the IDs that they acknowledged. */
const runAndKill = async (
  program: string,
  args: readonly (readonly string[])[],
  afterMs: number,
): Promise<string[]> => {
  const acknowledged: string[] = []
  await Promise.all(
    args.map(async (each) => {
      const child = spawn(process.execPath, ['--conditions=@countersign/source', program, ...each], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let output = ''
      const hasBegun = new Promise<void>((resolve) =>
        child.stdout.on('data', (chunk) => {
          output += chunk
          // Between two entries, it appends to the tree.
          if (output.split('\n').length > 3) resolve()
        }),
      )
      const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
      await Promise.race([hasBegun, ended])
      await wait(afterMs)
      child.kill('SIGKILL')
      await ended
      acknowledged.push(...output.split('\n').slice(0, -1))
    }),
  )
  return acknowledged
}

const checkRows = async ({ read }: Database, acknowledged: ReadonlySet<string>) => {
  const entries = await read.selectFrom('log_entries').select(['id', 'position']).orderBy('position').execute()
  const pending = await read.selectFrom('log_pending').select('id').execute()
  if (entries.some(({ position }, index) => Number(position) !== index)) throw new Error('The positions have a gap')
  const ids = new Set([...entries, ...pending].map(({ id }) => id))
  if (ids.size !== entries.length + pending.length) throw new Error('An entry is there twice')
  const lost = [...acknowledged].filter((id) => !ids.has(id))
  if (lost.length > 0) throw new Error(`${lost.length} acknowledged entries are lost`)
  return entries.length
}

interface Kills {
  databaseUrl: string
  rounds: number
  onRound?: (round: number, entries: number) => void
}

/**
 * Kills two sequencers of one log, again and again. After each round, a monitor that knows the tree of the round before must find it
 * consistent, and no acknowledged entry may be lost or doubled. Throws otherwise. Returns the number of entries.
 */
export const killSequencers = async ({ databaseUrl, rounds, onRound }: Kills): Promise<number> => {
  const encryptionKey = randomBytes(32)
  const database = await openDatabase(databaseUrl)
  const folder = await mkdtemp(join(tmpdir(), 'countersign-sequencer-'))
  try {
    const program = await bundleProgram(new URL('sequencer-process.ts', import.meta.url), folder)
    await migrate(database, Date.now)
    const log = createTransparencyService({
      database,
      egress: { fetch: () => Promise.reject(new Error('There are no witnesses')) },
      encryptionKey,
      policy: null,
      publicUrl: 'http://registry.example',
      holder: 'parent',
      now: Date.now,
      newId: createNewId(Date.now),
      onFailure: () => undefined,
      onHalt: () => {},
    })
    await log.prepare()
    await log.sequence()
    const policy = parsePolicy((await log.describe())?.policy ?? '')
    const bytesOf = async (tile: Parameters<typeof log.tile>[0]) => (await log.tile(tile)) ?? new Uint8Array()
    const source = {
      url: '',
      checkpoint: async () => (await log.checkpoint())?.note ?? '',
      tile: bytesOf,
      bundle: async (tile: Parameters<typeof log.tile>[0]) => ({ bytes: await bytesOf(tile), width: tile.width }),
      json: async () => undefined,
    }
    let seen: MonitorState = {
      checkpoint: null,
      edge: emptyEdge,
      opened: null,
      latest: null,
      providers: [],
      policy: null,
    }
    const acknowledged = new Set<string>()
    let entries = 0
    for (let round = 0; round < rounds; round++) {
      const start = (round + 1) * aheadPerRoundMs
      const argsOf = (holder: string, aheadMs: number) => [
        databaseUrl,
        encryptionKey.toString('hex'),
        `${holder}-${round}`,
        String(aheadMs),
      ]
      // For the second, the lease of the first has always expired: both write at the same time.
      const both = [argsOf('first', start), argsOf('second', start + aheadPerRoundMs / 2)]
      for (const id of await runAndKill(program, both, Math.random() * 100)) acknowledged.add(id)
      entries = await checkRows(database, acknowledged)
      const note = await source.checkpoint()
      const shown = { ...(await verifyCheckpoint(note, policy)), note }
      if (shown.size !== entries) throw new Error(`The tree has ${shown.size} of ${entries} entries`)
      seen = await advance(seen, shown, { source, policy }, async () => {})
      onRound?.(round + 1, entries)
    }
    return entries
  } finally {
    await database.close()
    await rm(folder, { recursive: true })
  }
}
