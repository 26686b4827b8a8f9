// A process that claims a job, says so, and never finishes it, for tests that kill it.
import { pino } from 'pino'
import { openDatabase } from '../../server/src/db/open.ts'
import { createJobRunner } from '../../server/src/jobs/runner.ts'

const [url = '', name = '', leaseMs = ''] = process.argv.slice(2)

const database = await openDatabase(url)
const jobs = createJobRunner({
  database,
  now: Date.now,
  log: pino({ level: 'silent' }),
  metrics: { observeJob: () => {} },
  leaseMs: Number(leaseMs),
  pollMs: 20,
})
jobs.add({
  name,
  everyMs: 3_600_000,
  run: () => {
    process.stdout.write('taken\n')
    return new Promise(() => {})
  },
})
jobs.start()
// Keeps the process alive.
setInterval(() => {}, 60_000)
