import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Load, Shares, ShedKind } from './shedding.ts'

/** An interrupted job was asked to stop, and stays due. */
export type JobOutcome = 'done' | 'failed' | 'interrupted'

export interface Metrics {
  observe: (route: string, status: number, seconds: number) => void
  countMint: () => void
  countVerdict: (result: string, reason: string | null) => void
  observeJob: (job: string, outcome: JobOutcome, seconds: number) => void
  observeLoad: (load: Load, shares: Shares) => void
  countShed: (kind: ShedKind) => void
  listen: (port: number) => Promise<Server>
}

export const createMetrics = (): Metrics => {
  const register = new Registry()
  const requests = new Histogram({
    name: 'countersign_http_request_seconds',
    help: 'Response time, by route and status',
    labelNames: ['route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers: [register],
  })
  const mints = new Counter({
    name: 'countersign_links_issued_total',
    help: 'Verification links issued',
    registers: [register],
  })
  const verdicts = new Counter({
    name: 'countersign_verdicts_total',
    help: 'Verdicts on links, by result and reason',
    labelNames: ['result', 'reason'],
    registers: [register],
  })

  const jobs = new Histogram({
    name: 'countersign_job_seconds',
    help: 'Job duration, by name and outcome',
    labelNames: ['job', 'outcome'],
    buckets: [0.01, 0.1, 1, 10, 60],
    registers: [register],
  })
  const lastJobs = new Gauge({
    name: 'countersign_job_last_success_seconds',
    help: 'When a job last succeeded, in seconds since 1970',
    labelNames: ['job'],
    registers: [register],
  })

  const utilization = new Gauge({
    name: 'countersign_event_loop_utilization',
    help: 'How busy the process was in the last second, from 0 to 1',
    registers: [register],
  })
  const shares = new Gauge({
    name: 'countersign_shed_share',
    help: 'Fraction of requests of a kind that are rejected because the process is too busy',
    labelNames: ['kind'],
    registers: [register],
  })
  const shed = new Counter({
    name: 'countersign_shed_total',
    help: 'Requests rejected because the process was too busy',
    labelNames: ['kind'],
    registers: [register],
  })

  return {
    observeLoad: (load, { reads, verify }) => {
      utilization.set(load.utilization)
      shares.set({ kind: 'reads' }, reads)
      shares.set({ kind: 'verify' }, verify)
    },
    countShed: (kind) => shed.inc({ kind }),
    observeJob: (job, outcome, seconds) => {
      jobs.observe({ job, outcome }, seconds)
      if (outcome === 'done') lastJobs.setToCurrentTime({ job })
    },
    observe: (route, status, seconds) => requests.observe({ route, status }, seconds),
    countMint: () => mints.inc(),
    countVerdict: (result, reason) => verdicts.inc({ result, reason: reason ?? 'none' }),
    listen: (port) => {
      collectDefaultMetrics({ register })
      const server = createServer(async (request, response) => {
        if (request.url !== '/metrics') {
          response.writeHead(404).end()
          return
        }
        response.writeHead(200, { 'Content-Type': register.contentType }).end(await register.metrics())
      })
      return new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, '127.0.0.1', () => resolve(server))
      })
    },
  }
}
