import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Database } from '../db/engine.ts'
import type { Metrics } from '../http/metrics.ts'

export interface Job {
  name: string
  everyMs: number
  /** Ends soon after the signal is aborted. What it did before must stand by itself: the next run goes on from there. */
  run: (signal: AbortSignal) => Promise<void>
}

interface Needs {
  database: Database
  /** Milliseconds since 1970. */
  now: () => number
  log: Logger
  metrics: Pick<Metrics, 'observeJob'>
}

const leaseMs = 60_000
const patienceMs = 5_000

/**
 * Runs jobs at their times. A job has one row in the database, and whoever takes its lease runs it, so that of any number
 * of replicas one does; a holder that dies loses the lease when it expires, and the next goes on.
 */
export const createJobRunner = ({ database, now, log, metrics }: Needs) => {
  const holder = randomUUID()
  const jobs = new Map<string, Job>()
  const timers = new Set<NodeJS.Timeout>()
  const running = new Set<Promise<unknown>>()
  let stopping = new AbortController()

  const claim = (name: string, isForced: boolean) =>
    database.transaction(async (tx) => {
      const at = now()
      const row = await tx
        .insertInto('jobs')
        .values({ name, due_at: at, holder, leased_until: at + leaseMs, last_run_at: null })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ holder, leased_until: at + leaseMs })
            .where((where) =>
              where.and([
                where.or([where('jobs.leased_until', 'is', null), where('jobs.leased_until', '<=', at)]),
                ...(isForced ? [] : [where('jobs.due_at', '<=', at)]),
              ]),
            ),
        )
        .returning('name')
        .executeTakeFirst()
      return row !== undefined
    })

  const renew = (name: string) =>
    database.transaction((tx) =>
      tx
        .updateTable('jobs')
        .set({ leased_until: now() + leaseMs })
        .where('name', '=', name)
        .where('holder', '=', holder)
        .returning('name')
        .executeTakeFirst(),
    )

  const finish = ({ name, everyMs }: Job) =>
    database.transaction((tx) =>
      tx
        .updateTable('jobs')
        .set({ holder: null, leased_until: null, last_run_at: now(), due_at: now() + everyMs })
        .where('name', '=', name)
        .where('holder', '=', holder)
        .execute(),
    )

  /** Answers whether this process ran it. */
  const runOnce = async (job: Job, isForced: boolean): Promise<boolean> => {
    if (!(await claim(job.name, isForced))) return false
    const started = performance.now()
    const controller = new AbortController()
    const abort = () => controller.abort()
    stopping.signal.addEventListener('abort', abort, { once: true })
    const renewal = setInterval(() => {
      // A lease that another took meanwhile, or that nobody could renew, is not ours any more.
      renew(job.name).then((held) => held ?? abort(), abort)
    }, leaseMs / 3)
    try {
      await job.run(controller.signal)
      metrics.observeJob(job.name, true, (performance.now() - started) / 1_000)
    } catch (err) {
      metrics.observeJob(job.name, false, (performance.now() - started) / 1_000)
      log.error({ err, job: job.name }, 'a job failed')
      if (isForced) throw err
    } finally {
      clearInterval(renewal)
      stopping.signal.removeEventListener('abort', abort)
      await finish(job).catch((err) => log.warn({ err, job: job.name }, 'the lease of a job was left to expire'))
    }
    return true
  }

  const schedule = (job: Job, delayMs: number) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      const run = runOnce(job, false).catch((err) => log.warn({ err, job: job.name }, 'a job could not be claimed'))
      running.add(run)
      run.finally(() => {
        running.delete(run)
        if (!stopping.signal.aborted) schedule(job, job.everyMs)
      })
    }, delayMs)
    timer.unref()
    timers.add(timer)
  }

  return {
    add: (job: Job) => {
      jobs.set(job.name, job)
    },

    /** From now on each job runs when it is due. The first runs are spread, so that a start does not do everything at once. */
    start: () => {
      stopping = new AbortController()
      let index = 0
      for (const job of jobs.values()) schedule(job, 500 + 250 * index++)
    },

    /** No more runs; those that are under way are told to end, and waited for. */
    stop: async () => {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
      stopping.abort()
      let timer: NodeJS.Timeout | undefined
      const patience = new Promise((resolve) => {
        timer = setTimeout(resolve, patienceMs)
      })
      await Promise.race([Promise.all(running), patience])
      clearTimeout(timer)
    },

    /** Runs a job now, due or not. False where another holds its lease. Throws what the job throws. */
    run: (name: string): Promise<boolean> => {
      const job = jobs.get(name)
      if (!job) throw new Error(`There is no job ${name}; there are ${[...jobs.keys()].join(', ')}.`)
      return runOnce(job, true)
    },
  }
}

export type JobRunner = ReturnType<typeof createJobRunner>
