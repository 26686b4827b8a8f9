import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@countersign/sdk'
import { pino } from 'pino'
import { SMTPServer } from 'smtp-server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Database } from '../../server/src/db/engine.ts'
import { migrate } from '../../server/src/db/migrate.ts'
import { openDatabase } from '../../server/src/db/open.ts'
import type { JobOutcome } from '../../server/src/http/metrics.ts'
import { createJobRunner } from '../../server/src/jobs/runner.ts'
import { createMailService } from '../../server/src/mail/service.ts'
import { createDeliverMail } from '../../server/src/outbound/mail.ts'
import { createClock } from '../support/clock.ts'
import { createTestDatabase, describeEachEngine, type Engine } from '../support/databases.ts'
import { startServer } from '../support/server-process.ts'

const silent = pino({ level: 'silent' })
const everyMs = 3_600_000

const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 15_000, interval: 10 })

/** A database, and runners with a connection each, like replicas. */
const prepare = async (engine: Engine) => {
  const { url, remove } = await createTestDatabase(engine)
  const undo: (() => Promise<unknown>)[] = [remove]
  onTestFinished(async () => {
    for (const step of undo.reverse()) await step()
  })
  const open = async () => {
    const database = await openDatabase(url)
    undo.push(() => database.close())
    await migrate(database, Date.now)
    return database
  }
  const database = await open()
  const createRunner = async ({
    now = Date.now,
    leaseMs = 60_000,
    run,
  }: {
    now?: () => number
    leaseMs?: number
    run: (signal: AbortSignal) => Promise<void>
  }) => {
    const outcomes: JobOutcome[] = []
    let looks = 0
    const own = await open()
    const watched: Database = {
      ...own,
      get read() {
        looks += 1
        return own.read
      },
    }
    const runner = createJobRunner({
      database: watched,
      now,
      log: silent,
      metrics: { observeJob: (_job, outcome) => outcomes.push(outcome) },
      leaseMs,
      pollMs: 5,
    })
    runner.add({ name: 'work', everyMs, run })
    undo.push(runner.stop)
    return {
      ...runner,
      outcomes,
      /** Resolves once it has read the table this many more times. */
      hasLooked: (times: number) => {
        const goal = looks + times
        return eventually(() => expect(looks).toBeGreaterThanOrEqual(goal))
      },
    }
  }
  const startRunner = async (options: Parameters<typeof createRunner>[0]) => {
    const runner = await createRunner(options)
    runner.start()
    return runner
  }
  const readRow = () => database.read.selectFrom('jobs').selectAll().where('name', '=', 'work').executeTakeFirst()
  /** Resolves once the lease was renewed this many times. */
  const renewals = async (count: number) => {
    const seen = new Set<number | null | undefined>()
    await eventually(async () => {
      seen.add((await readRow())?.leased_until)
      expect(seen.size).toBeGreaterThan(count)
    })
  }
  return { url, createRunner, startRunner, readRow, renewals }
}

/** Work that the test finishes, with the number of times it was started. */
const createWork = () => {
  const work = { begun: 0, atOnce: 0, most: 0 }
  let gate = Promise.withResolvers<void>()
  const run = async (signal: AbortSignal) => {
    work.begun += 1
    work.atOnce += 1
    work.most = Math.max(work.most, work.atOnce)
    await Promise.race([gate.promise, once(signal, 'abort')])
    work.atOnce -= 1
  }
  const reset = () => {
    gate = Promise.withResolvers<void>()
  }
  return { work, run, open: () => gate.resolve(), reset }
}

describeEachEngine('a job', (engine) => {
  it('is run once by one of many replicas each time it is due', async () => {
    const { startRunner } = await prepare(engine)
    const clock = createClock()
    const { work, run, open } = createWork()
    open()
    const replicas = await Promise.all([1, 2, 3].map(() => startRunner({ now: clock.now, run })))
    const settle = () => Promise.all(replicas.map(({ hasLooked }) => hasLooked(4)))
    for (const times of [1, 2, 3]) {
      await eventually(() => expect(replicas.flatMap(({ outcomes }) => outcomes)).toHaveLength(times))
      await settle()
      expect(work).toEqual({ begun: times, atOnce: 0, most: 1 })
      clock.advance('1h')
    }
  })

  it('is given to one runner if many claim it concurrently', async () => {
    const { createRunner } = await prepare(engine)
    const replicas = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const own = createWork()
        return { ...own, runner: await createRunner({ run: own.run }) }
      }),
    )
    for (let round = 0; round < 5; round++) {
      const begun = () => replicas.reduce((sum, { work }) => sum + work.begun, 0)
      const before = begun()
      const runs = replicas.map(({ runner }) => runner.run('work'))
      const settled: boolean[] = []
      for (const run of runs) void run.then((isRun) => settled.push(isRun))
      await eventually(() => expect(settled).toHaveLength(5))
      expect(settled).not.toContain(true)
      expect(begun() - before).toBe(1)
      for (const { open, reset } of replicas) {
        open()
        reset()
      }
      expect((await Promise.all(runs)).filter(Boolean)).toHaveLength(1)
    }
  })

  it('that is interrupted by a stop stays due, and the next replica continues at once', async () => {
    const { startRunner, readRow } = await prepare(engine)
    const { work, run, open } = createWork()
    const first = await startRunner({ run })
    await eventually(() => expect(work.begun).toBe(1))
    await first.stop()
    expect(first.outcomes).toEqual(['interrupted'])
    expect(await readRow()).toMatchObject({ holder: null, leased_until: null, last_run_at: null })
    open()
    const second = await startRunner({ run })
    await eventually(() => expect(second.outcomes).toEqual(['done']))
    expect(work.begun).toBe(2)
  })

  it('that fails is retried after a minute, and the failure is counted', async () => {
    const { startRunner, readRow } = await prepare(engine)
    const clock = createClock()
    const runner = await startRunner({ now: clock.now, run: () => Promise.reject(new Error('no')) })
    await eventually(() => expect(runner.outcomes).toEqual(['failed']))
    await eventually(async () =>
      expect(await readRow()).toMatchObject({ holder: null, due_at: clock.now() + 60_000, last_run_at: null }),
    )
    await expect(runner.run('work')).rejects.toThrow('no')
  })

  it('belongs to the process that renews its lease, regardless of other clocks', async () => {
    const { startRunner, renewals } = await prepare(engine)
    const mine = createWork()
    const theirs = createWork()
    theirs.open()
    const first = await startRunner({ run: mine.run, leaseMs: 1_500 })
    await eventually(() => expect(mine.work.begun).toBe(1))
    const early = await startRunner({ run: theirs.run, leaseMs: 1_500, now: () => Date.now() + 300_000 })
    await renewals(3)
    expect(theirs.work.begun).toBe(0)
    mine.open()
    await eventually(() => expect(first.outcomes).toEqual(['done']))
    expect(early.outcomes).toEqual([])
  })

  it('is taken over from a killed process, but not before its lease expires', async () => {
    const { url, startRunner, renewals, readRow } = await prepare(engine)
    const leaseMs = 1_500
    const program = fileURLToPath(new URL('../support/job-process.ts', import.meta.url))
    const child = spawn(process.execPath, ['--conditions=@countersign/source', program, url, 'work', String(leaseMs)], {
      env: { PATH: process.env.PATH ?? '', NODE_NO_WARNINGS: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    const { work, run, open } = createWork()
    open()
    const heir = await startRunner({ run, leaseMs })
    await renewals(3)
    expect(work.begun).toBe(0)
    const { holder } = (await readRow()) ?? {}
    child.kill('SIGKILL')
    await exited
    await eventually(() => expect(heir.outcomes).toEqual(['done']))
    expect(work.begun).toBe(1)
    await eventually(async () =>
      expect(await readRow()).toMatchObject({ holder: null, leased_until: null, last_run_at: expect.any(Number) }),
    )
    expect(holder).toEqual(expect.any(String))
  })
})

describe('an email', () => {
  /** Accepts each email completely, but responds only on the test's command. */
  const startMailServer = async () => {
    const received: string[] = []
    const state = { answers: false }
    const server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      onData: (stream, _session, callback) => {
        let text = ''
        stream.on('data', (chunk: Buffer) => {
          text += chunk.toString()
        })
        stream.on('end', () => {
          received.push(text)
          if (state.answers) callback()
        })
      },
    })
    server.on('error', () => {})
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
    const { port } = server.server.address() as { port: number }
    return { url: `smtp://127.0.0.1:${port}`, port, received, state }
  }

  it.each(['sqlite', 'postgres'] as const)(
    'in transit when the process is killed is sent again as the same email, on %s',
    async (engine) => {
      const smtp = await startMailServer()
      const dataDir = await mkdtemp(join(tmpdir(), 'countersign-jobs-'))
      onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
      const { url, remove } = await createTestDatabase(engine)
      const server = await startServer({ DATA_DIR: dataDir, DATABASE_URL: url, SMTP_URL: smtp.url, RATE_LIMITS: 'off' })
      await createClient({ baseURL: server.url }).auth.sendVerification({ email: 'ada@acme.example' })
      await eventually(() => expect(smtp.received).toHaveLength(1))
      await server.end('SIGKILL')

      const database = await openDatabase(url)
      onTestFinished(async () => {
        await database.close()
        await remove()
      })
      const clock = createClock()
      smtp.state.answers = true
      const mail = createMailService({
        database,
        deliver: createDeliverMail({
          smtpUrl: smtp.url,
          outbox: dataDir,
          from: 'no-reply@localhost',
          host: 'localhost',
          onWritten: () => {},
        }),
        publicUrl: server.url,
        now: clock.now,
        newId: (prefix) => `${prefix}_1`,
        onFailure: (_id, error) => {
          throw error
        },
        onAbandoned: () => {},
      })
      const jobs = createJobRunner({ database, now: clock.now, log: silent, metrics: { observeJob: () => {} } })
      jobs.add({ name: 'mails', everyMs: 5_000, run: mail.sendDue })
      expect(await jobs.run('mails')).toBe(false)
      clock.advance('61s')
      expect(await jobs.run('mails')).toBe(true)
      clock.advance('1d')
      expect(await jobs.run('mails')).toBe(true)
      const ids = smtp.received.map((text) => /^Message-ID: (.+)$/im.exec(text)?.[1])
      expect(ids).toHaveLength(2)
      expect(new Set(ids).size).toBe(1)
    },
  )
})
