import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killSequencers } from '../../tests/support/kill-sequencers.ts'
import type { Fault } from './support/fault.ts'

export const fault: Fault = {
  name: 'log-sequencer-killed',
  does: 'two processes that append to the transparency log killed together, on SQLite',
  limitMinutes: 60,
  run: async ({ times, onEnd, say }) => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-log-'))
    onEnd(() => rmSync(folder, { recursive: true, force: true }))
    const rounds = times(500)
    const entries = await killSequencers({
      databaseUrl: `sqlite:${join(folder, 'countersign.db')}`,
      rounds,
      onRound: (round, entries) => {
        if (round % 50 === 0) say(`${round} times, ${entries} entries`)
      },
    })
    return `${rounds} times, ${entries} entries, 0 lost, 0 doubled, 0 inconsistent trees`
  },
}
