import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { DatabaseUsage } from '../db/engine.ts'
import type { StandbyStatus } from '../db/standby.ts'
import type { AbandonedMail } from '../mail/service.ts'
import type { ListSource } from '../search/service.ts'
import type { Load, Shares, ShedKind } from './shedding.ts'

/** An interrupted job was asked to stop, and stays due. */
export type JobOutcome = 'done' | 'failed' | 'interrupted'

/** What is read at each scrape. */
export interface State extends DatabaseUsage {
  /** Null without a standby. */
  standby: StandbyStatus | null
  waitingWrites: number
  /** Free space where DATA_DIR is; null without such a folder. */
  freeBytes: number | null
  /** Null if the database does not answer. */
  backlog: { jobsDue: number; mails: number; oldestMailMs: number } | null
  /** State of the transparency log; null if the database does not answer. */
  transparency: {
    size: number
    isHalted: boolean
    oldestPendingMs: number
    witnesses: { name: string; behind: number }[]
  } | null
}

export interface Metrics {
  observe: (route: string, status: number, seconds: number) => void
  countRejection: (route: string, code: string) => void
  countMint: () => void
  noteTlsExpiry: (at: number) => void
  countAbandonedMail: (reason: AbandonedMail) => void
  countListRead: (source: ListSource) => void
  countVerdict: (result: string, reason: string | null) => void
  observeJob: (job: string, outcome: JobOutcome, seconds: number) => void
  observeLoad: (load: Load, shares: Shares) => void
  countShed: (kind: ShedKind | 'waiting') => void
  listen: (at: { port: number; host: string; readState: () => Promise<State> }) => Promise<Server>
}

/** prom-client gives these gauges the suffix of a counter. */
const misnamed = ['handles', 'requests', 'resources'].map((of) => `nodejs_active_${of}_total`)

/** Names follow Prometheus: base units, with the unit as a suffix. docs/operating.md lists them. */
export const createMetrics = (version: string): Metrics => {
  const register = new Registry()
  const registers = [register]
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name: `countersign_${name}`, help, labelNames, registers })
  const counter = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name: `countersign_${name}`, help, labelNames, registers })

  gauge('build_info', 'Version of the server; always 1', ['version']).set({ version }, 1)
  const requests = new Histogram({
    name: 'countersign_http_request_duration_seconds',
    help: 'Response time, by route and status',
    labelNames: ['route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers,
  })
  const rejections = counter('http_rejections_total', 'Requests that got an error, by route and code', [
    'route',
    'code',
  ])
  const mints = counter('links_minted_total', 'Links minted')
  const verdicts = counter('verdicts_total', 'Verdicts on links, by result and reason', ['result', 'reason'])

  const jobs = new Histogram({
    name: 'countersign_job_duration_seconds',
    help: 'Job duration, by name and outcome',
    labelNames: ['job', 'outcome'],
    buckets: [0.01, 0.1, 1, 10, 60],
    registers,
  })
  const lastJobs = gauge('job_last_success_timestamp_seconds', 'When a job last succeeded in this process', ['job'])

  const utilization = gauge('event_loop_utilization_ratio', 'How busy the process was in the last second, from 0 to 1')
  const delay = gauge('event_loop_delay_seconds', 'How long requests waited for the event loop in the last second, p90')
  const shares = gauge('shed_ratio', 'Fraction of requests rejected because the process is too busy, by kind', ['kind'])
  const shed = counter('shed_requests_total', 'Requests rejected because the process was too busy, by kind', ['kind'])

  const databaseUp = gauge('database_up', '1 if the database answered this scrape, else 0')
  const connections = gauge('database_pool_connections', 'Connections to PostgreSQL, busy or idle', ['state'])
  const poolWaiting = gauge('database_pool_waiting', 'Queries that wait for a connection to PostgreSQL')
  const standbyUp = gauge('standby_up', '1 if lists are read from the standby, 0 if it is away or too far behind')
  const standbyLag = gauge('standby_lag_seconds', 'How far the standby is behind the primary')
  const listReads = counter('list_reads_total', 'Lists and searches, by where they were read and why', ['source'])
  const wal = gauge('sqlite_wal_bytes', 'Size of the write-ahead log of SQLite')
  const writes = gauge('write_queue_length', 'Links that wait to be committed')
  const free = gauge('data_free_bytes', 'Free space on the file system of DATA_DIR')
  const jobsDue = gauge('jobs_due', 'Jobs whose time has come and that no process runs')
  const mails = gauge('mails_waiting', 'Emails not sent yet, retries included')
  const abandoned = counter('mails_abandoned_total', 'Emails that will never be sent, by reason', ['reason'])
  // An increase is noticed only if there was a value before.
  for (const reason of ['rejected', 'given_up'] as const) abandoned.inc({ reason }, 0)
  const oldestMail = gauge('mail_oldest_age_seconds', 'Age of the oldest email not sent yet, or 0')

  const logSize = gauge('log_entries', 'Entries in the transparency log')
  const logLag = gauge(
    'log_oldest_pending_seconds',
    'Age of the oldest fact that is not in the transparency log yet, or 0',
  )
  const logHalted = gauge(
    'log_halted',
    '1 if the transparency log signs nothing until the operator recovers it, else 0',
  )
  const witnessLag = gauge('log_witness_behind_entries', 'How many entries a witness of the log has not seen', [
    'witness',
  ])

  const tlsExpiry = gauge('tls_certificate_expiry_timestamp_seconds', 'When the certificate of TLS_CERT_FILE expires')
  tlsExpiry.remove()

  /** A value that is not known is not exported. */
  const setOrRemove = (one: Gauge, value: number | undefined) => (value === undefined ? one.remove() : one.set(value))

  const applyState = ({ pool, walBytes, standby, waitingWrites, freeBytes, backlog, transparency }: State) => {
    databaseUp.set(backlog ? 1 : 0)
    if (pool) for (const state of ['busy', 'idle'] as const) connections.set({ state }, pool[state])
    setOrRemove(poolWaiting, pool?.waiting)
    setOrRemove(standbyUp, standby ? Number(standby.trouble === null) : undefined)
    setOrRemove(standbyLag, standby?.lagMs == null ? undefined : standby.lagMs / 1_000)
    setOrRemove(wal, walBytes ?? undefined)
    writes.set(waitingWrites)
    setOrRemove(free, freeBytes ?? undefined)
    setOrRemove(logSize, transparency?.size)
    setOrRemove(logLag, transparency ? transparency.oldestPendingMs / 1_000 : undefined)
    setOrRemove(logHalted, transparency ? Number(transparency.isHalted) : undefined)
    for (const { name, behind } of transparency?.witnesses ?? []) witnessLag.set({ witness: name }, behind)
    setOrRemove(jobsDue, backlog?.jobsDue)
    setOrRemove(mails, backlog?.mails)
    setOrRemove(oldestMail, backlog ? backlog.oldestMailMs / 1_000 : undefined)
  }

  return {
    observeLoad: (load, { reads, verify }) => {
      utilization.set(load.utilization)
      delay.set(load.delayMs / 1_000)
      shares.set({ kind: 'reads' }, reads)
      shares.set({ kind: 'verify' }, verify)
    },
    countShed: (kind) => shed.inc({ kind }),
    observeJob: (job, outcome, seconds) => {
      jobs.observe({ job, outcome }, seconds)
      if (outcome === 'done') lastJobs.setToCurrentTime({ job })
    },
    observe: (route, status, seconds) => requests.observe({ route, status }, seconds),
    countRejection: (route, code) => rejections.inc({ route, code }),
    countMint: () => mints.inc(),
    noteTlsExpiry: (at) => tlsExpiry.set(at / 1_000),
    countAbandonedMail: (reason) => abandoned.inc({ reason }),
    countListRead: (source) => listReads.inc({ source }),
    countVerdict: (result, reason) => verdicts.inc({ result, reason: reason ?? 'none' }),
    listen: ({ port, host, readState }) => {
      collectDefaultMetrics({ register })
      for (const name of misnamed) register.removeSingleMetric(name)
      const server = createServer(async (request, response) => {
        if (request.url !== '/metrics') {
          response.writeHead(404).end()
          return
        }
        applyState(await readState())
        response.writeHead(200, { 'Content-Type': register.contentType }).end(await register.metrics())
      })
      return new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => resolve(server))
      })
    },
  }
}
