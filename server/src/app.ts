import { createPasswordHasher, startHashing } from './auth/hashing.ts'
import { createChecker } from './bundles/checker.ts'
import type { Deps } from './compose/deps.ts'
import { createApp } from './compose/http.ts'
import { addJobs } from './compose/jobs.ts'
import { createServices } from './compose/services.ts'
import { createReadState } from './compose/state.ts'
import { scoped } from './db/scoped.ts'
import { isLoopbackUrl } from './hosts.ts'
import { createBodyParser } from './http/body.ts'
import { createMetrics } from './http/metrics.ts'
import { clientOf, proxiesAt } from './http/peer.ts'
import { createShedding } from './http/shedding.ts'
import { createSignatureCheck } from './http/signature-check.ts'
import { createTurns } from './http/turns.ts'
import { createNewId } from './ids.ts'
import { createClockRepair } from './jobs/clock.ts'
import { createJobRunner } from './jobs/runner.ts'
import { householdOf } from './networks.ts'
import { version } from './version.ts'
import { webDir as defaultWebDir } from './web-dir.ts'

/** The registry: services, jobs and the HTTP handlers. It does not listen. */
export const createRegistry = async ({
  webDir = defaultWebDir,
  checker = createChecker(),
  passwords = createPasswordHasher(),
  readLoad,
  ...deps
}: Deps) => {
  const database = scoped(deps.database)
  const { standby, now, log, publicUrl } = deps
  const state = { isDraining: false }
  const metrics = createMetrics(version)
  const newId = createNewId(now)
  const isDevelopment = isLoopbackUrl(publicUrl)
  const services = await createServices({ ...deps, database, newId, checker, passwords, metrics, isDevelopment })
  await services.publishers.settleIssuers()
  await services.workloads.settleIssuers()
  const jobs = createJobRunner({
    database,
    now,
    log,
    metrics: {
      observeJob: (name, outcome, seconds) => {
        metrics.observeJob(name, outcome, seconds)
        deps.tracing?.traceJob({ name, outcome, seconds, startedAt: Date.now() - seconds * 1_000 })
      },
    },
    around: deps.tracing?.aroundJob,
    onClockBack: createClockRepair({ database, now }),
  })
  addJobs(jobs, services, deps)
  if (await services.listings.isOutdated()) await jobs.makeDue('search-index')
  const readState = createReadState({ database, standby, dataDir: deps.config.dataDir, jobs, services })
  const shedding = createShedding({ metrics, readLoad })
  const isDraining = () => state.isDraining
  const bodies = createBodyParser()
  const signatures = createSignatureCheck()
  const app = createApp({
    ...deps,
    database,
    webDir,
    services,
    shedding,
    metrics,
    newId,
    isDevelopment,
    isDraining,
    bodies,
    signatures,
  })
  const isProxy = proxiesAt(deps.config.trustedProxies)
  const turns = createTurns({
    newRequestId: () => newId('req'),
    metrics,
    groupOf: (request) => householdOf(clientOf(request, isProxy)),
  })

  return {
    answer: turns.of(app),
    watch: turns.watch,
    jobs,
    listenForMetrics: (at: { port: number; host: string }) => metrics.listen({ ...at, readState }),
    noteTlsExpiry: metrics.noteTlsExpiry,
    shedding,
    signing: services.signing,
    usage: services.usage,
    transparency: services.transparency,
    /** Starts the threads for passwords and large bodies, so that their start delays no request. */
    startThreads: () => {
      startHashing()
      bodies.start()
    },
    /** From now on `/readyz` fails and responses close their connections. */
    drain: () => {
      state.isDraining = true
    },
    /** Stops background work; don't call anything after this. */
    close: async () => {
      services.signing.close()
      await Promise.all([checker.close(), bodies.close(), signatures.close(), services.usage.save()])
    },
  }
}
