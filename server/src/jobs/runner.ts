import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../db/engine.ts'
import type { JobOutcome, Metrics } from '../http/metrics.ts'

export interface Job {
  name: string
  everyMs: number
  /** Stops soon after the signal is aborted. Finished work must be consistent by itself: the next run continues from there. */
  run: (signal: AbortSignal) => Promise<void>
}

interface Deps {
  database: Database
  /** Milliseconds since 1970. */
  now: () => number
  log: Logger
  metrics: Pick<Metrics, 'observeJob'>
  /** Does the work of a job within its trace. */
  around?: ((name: string, work: () => Promise<void>) => Promise<void>) | undefined
  /** How long a job stays claimed without a renewal. */
  leaseMs?: number
  /** How often the runner checks what is due. */
  pollMs?: number
  /** Called when rows in the database are from the future, because this or another process had a clock that was ahead. */
  onClockBack?: (behindMs: number) => Promise<void>
}

/** How far the clocks of replicas may differ. */
const clockToleranceMs = 5_000
const clockPauseMs = 60_000

const patienceMs = 5_000
/** A failed job is retried sooner than its next time. */
const retryMs = 60_000

interface Seen {
  due_at: number
  leased_until: number | null
  last_run_at: number | null
}

/**
 * Runs jobs at their times. A job has one row in the database, and the process that claims its lease runs it, so that exactly one of any
 * number of replicas does. An interrupted job, after a stop or a crash, stays due: the next process to claim the lease continues.
 */
export const createJobRunner = ({
  database,
  now,
  log,
  metrics,
  around = (_name, work) => work(),
  leaseMs = 60_000,
  pollMs = 2_500,
  onClockBack,
}: Deps) => {
  const holder = randomUUID()
  const jobs = new Map<string, Job>()
  const underWay = new Map<string, Promise<unknown>>()
  const watched = new Map<string, { leased_until: number; since: number }>()
  let stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined

  const readRows = () =>
    database.read.selectFrom('jobs').select(['name', 'due_at', 'leased_until', 'last_run_at']).execute()

  /**
   * True if nothing changed since the row was read. Leases need not survive a power cut, which also ends the run: the job is due again.
   */
  const claim = (name: string, seen: Seen | undefined): Promise<boolean> =>
    database.quickTransaction(async (tx) => {
      const lease = { holder, leased_until: now() + leaseMs }
      const claimed = seen
        ? await tx
            .updateTable('jobs')
            .set(lease)
            .where('name', '=', name)
            .where('due_at', '=', seen.due_at)
            .where('leased_until', seen.leased_until === null ? 'is' : '=', seen.leased_until)
            .returning('name')
            .executeTakeFirst()
        : await tx
            .insertInto('jobs')
            .values({ name, due_at: now(), ...lease, last_run_at: null })
            .onConflict((conflict) => conflict.column('name').doNothing())
            .returning('name')
            .executeTakeFirst()
      return claimed !== undefined
    })

  const renew = (name: string) =>
    database.quickTransaction((tx) =>
      tx
        .updateTable('jobs')
        .set({ leased_until: now() + leaseMs })
        .where('name', '=', name)
        .where('holder', '=', holder)
        .returning('name')
        .executeTakeFirst(),
    )

  const release = ({ name, everyMs }: Job, outcome: JobOutcome) => {
    const at = now()
    const next = {
      done: { due_at: at + everyMs, last_run_at: at },
      failed: { due_at: at + Math.min(everyMs, retryMs) },
      interrupted: {},
    }[outcome]
    return database.quickTransaction((tx) =>
      tx
        .updateTable('jobs')
        .set({ holder: null, leased_until: null, ...next })
        .where('name', '=', name)
        .where('holder', '=', holder)
        .execute(),
    )
  }

  const runUnderLease = async (job: Job): Promise<unknown> => {
    const started = performance.now()
    const controller = new AbortController()
    const abort = () => controller.abort()
    stopping.signal.addEventListener('abort', abort, { once: true })
    let missed = 0
    const renewal = setInterval(() => {
      renew(job.name).then(
        (isRenewed) => {
          missed = 0
          // Another process claimed it: this process was away for longer than a lease.
          if (!isRenewed) abort()
        },
        () => {
          missed += 1
          if (missed >= 2) abort()
        },
      )
    }, leaseMs / 3)
    let outcome: JobOutcome = 'failed'
    let failure: unknown
    try {
      await around(job.name, () => job.run(controller.signal))
      outcome = controller.signal.aborted ? 'interrupted' : 'done'
    } catch (err) {
      failure = err ?? new Error('A job failed without an error')
      if (controller.signal.aborted) outcome = 'interrupted'
      log.error({ err, job: job.name }, 'a job failed')
    }
    metrics.observeJob(job.name, outcome, (performance.now() - started) / 1_000)
    clearInterval(renewal)
    stopping.signal.removeEventListener('abort', abort)
    await release(job, outcome).catch((err) => log.warn({ err, job: job.name }, 'the lease of a job expired'))
    return failure
  }

  /**
   * Whether the lease looks free from here. Clocks of replicas differ, so a lease has expired when it was not renewed for its whole
   * duration by the clock of the waiting process.
   */
  const isFree = (name: string, leased_until: number | null): boolean => {
    if (leased_until === null) {
      watched.delete(name)
      return true
    }
    const known = watched.get(name)
    if (known?.leased_until === leased_until) return performance.now() - known.since >= leaseMs
    watched.set(name, { leased_until, since: performance.now() })
    return false
  }

  const launch = (job: Job, seen: Seen | undefined) => {
    const run = claim(job.name, seen)
      .then((isOurs) => (isOurs ? runUnderLease(job) : undefined))
      .catch((err) => log.warn({ err, job: job.name }, 'a job could not be claimed'))
      .finally(() => underWay.delete(job.name))
    underWay.set(job.name, run)
  }

  /** No job is due later than its interval from now, unless the clock went back. */
  const isDue = ({ everyMs }: Job, { due_at }: Seen, at: number) =>
    due_at <= at || due_at > at + Math.max(everyMs, retryMs)

  let clockSeenAt = Number.NEGATIVE_INFINITY
  const checkClock = async (rows: readonly Seen[], at: number) => {
    const behindMs = Math.max(0, ...rows.map(({ last_run_at }) => last_run_at ?? 0)) - at
    if (behindMs <= clockToleranceMs || performance.now() - clockSeenAt < clockPauseMs) return
    clockSeenAt = performance.now()
    log.warn(
      { behind_seconds: Math.round(behindMs / 1_000) },
      'the clock is behind the last run of a job: it went back, or clocks differ',
    )
    await onClockBack?.(behindMs)
  }

  /** One job per check, so that a start does not run all of them at once. */
  const look = async () => {
    const rows = new Map((await readRows()).map((row) => [row.name, row]))
    const at = now()
    await checkClock([...rows.values()], at)
    const free = [...jobs.values()].filter((job) => {
      const row = rows.get(job.name)
      return !underWay.has(job.name) && (!row || (isFree(job.name, row.leased_until) && isDue(job, row, at)))
    })
    const [job] = free.toSorted((a, b) => (rows.get(a.name)?.due_at ?? 0) - (rows.get(b.name)?.due_at ?? 0))
    if (job && !stopping.signal.aborted) launch(job, rows.get(job.name))
    return free.length > 1
  }

  const lookLater = (delayMs: number) => {
    timer = setTimeout(async () => {
      const hasMore = await look().catch((err) => {
        log.warn({ err }, 'the jobs could not be read')
        return false
      })
      if (!stopping.signal.aborted) lookLater(hasMore ? pollMs / 10 : pollMs)
    }, delayMs)
    timer.unref()
  }

  return {
    add: (job: Job) => {
      jobs.set(job.name, job)
    },

    /** From now on each job runs when it is due. */
    start: () => {
      stopping = new AbortController()
      lookLater(pollMs / 5)
    },

    /** The next check runs it, whichever process that is. */
    makeDue: (name: string) =>
      database.quickTransaction((tx) =>
        tx.updateTable('jobs').set({ due_at: now() }).where('name', '=', name).where('due_at', '>', now()).execute(),
      ),

    /** Jobs whose time has come and that no process runs. */
    countDue: async () => {
      const at = now()
      const rows = (await readRows()).filter(({ name }) => jobs.has(name))
      return rows.filter(({ due_at, leased_until }) => due_at <= at && leased_until === null).length
    },

    /** Starts no more runs; those in progress are asked to stop and awaited. */
    stop: async () => {
      clearTimeout(timer)
      stopping.abort()
      const patience = new AbortController()
      const waited = wait(patienceMs, undefined, { signal: patience.signal }).catch(() => {})
      await Promise.race([Promise.all(underWay.values()), waited])
      patience.abort()
    },

    /** Runs a job now, due or not. Returns false if another process holds its lease. Throws what the job throws. */
    run: async (name: string): Promise<boolean> => {
      const job = jobs.get(name)
      if (!job) throw new Error(`There is no job ${name}; there are ${[...jobs.keys()].join(', ')}.`)
      const row = (await readRows()).find((one) => one.name === name)
      if (row && row.leased_until !== null && row.leased_until > now()) return false
      if (!(await claim(name, row))) return false
      const failure = await runUnderLease(job)
      if (failure !== undefined) throw failure
      return true
    },
  }
}

export type JobRunner = ReturnType<typeof createJobRunner>
