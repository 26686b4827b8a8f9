import { availableParallelism } from 'node:os'
import type { Logger } from 'pino'
import { createRegistry } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { brokenExit } from './damage.ts'
import type { Database } from './db/engine.ts'
import { failureOf } from './db/retry.ts'
import { createDatabaseTrace } from './db/traced.ts'
import { placeOf } from './db/wait.ts'
import { defaultPublicUrl, isLoopbackHost, isLoopbackUrl, otherLoopbackOf } from './hosts.ts'
import { limitConnections } from './http/connections.ts'
import { closeGracefully, openListener, openTlsListener } from './http/listen.ts'
import { proxiesAt } from './http/peer.ts'
import { createLog } from './log.ts'
import { openLogDestination } from './log-portions.ts'
import { openTracing } from './outbound/tracing.ts'
import { markKeyUsed, openForStart } from './start-database.ts'
import { lowerCompilerThreads } from './thread.ts'
import { checkCredential, followTlsFiles } from './tls-files.ts'
import { findState } from './transparency/tree-store.ts'
import { version } from './version.ts'
import { isConsoleBuilt, webDir } from './web-dir.ts'

/** Starts the registry, and ends it on a signal. */
export const start = async (args: readonly string[]) => {
  const config = readConfig()
  const log = createLog(config.logLevel, openLogDestination())
  const now = Date.now
  const listener = await openListener(config.port, config.host, { alsoOn: otherLoopbackOf(config.host), sockets: 8 })
  const publicUrl = config.publicUrl ?? defaultPublicUrl(config.host, listener.port)
  const tracing =
    config.tracesEndpoint === null ? undefined : await openTracing({ endpoint: config.tracesEndpoint, version })
  const trace = tracing && createDatabaseTrace(tracing.traceTransaction)
  const opened = await openForStart(config, {
    log,
    now,
    isNew: args.includes('--new-registry'),
    // The next start checks the file, and knows what is on the disk.
    onBroken: (err) => exitBroken(log, { err }, 'the database is damaged or its disk has failed'),
    listen: trace?.listen,
  })
  const database = trace?.of(opened) ?? opened
  if (config.publicUrl === null) await warnOfFormerAddress(database, { publicUrl, log })
  const standby = await openListStandby(config, database, log)
  const registry = await createRegistry({ config, database, standby, log, publicUrl, now, tracing })
  markKeyUsed(config, log)
  registry.startThreads()
  if (availableParallelism() === 1) lowerCompilerThreads()
  listener.serve(registry.answer)
  const tls = config.tls && (await openTls(config.tls, { host: config.host, registry, log }))
  const servers = [...listener.servers, ...(tls ? [tls.server] : [])]
  servers.forEach(registry.watch)
  if (config.rateLimits === 'on')
    limitConnections(servers, { isProxy: proxiesAt([...config.trustedProxies, ...config.clientCertProxies]) })
  registry.jobs.start()
  registry.transparency.start()
  registry.shedding.start()
  const metrics =
    config.metricsPort > 0
      ? await registry.listenForMetrics({ port: config.metricsPort, host: config.metricsHost })
      : undefined
  if (metrics && !isLoopbackHost(config.metricsHost))
    log.warn({ metrics_host: config.metricsHost }, 'the metrics need no login: restrict who can reach this address')
  log.info(
    {
      url: publicUrl,
      tls_port: tls?.port,
      metrics_port: config.metricsPort || undefined,
      database: database.engine,
      version,
    },
    'the registry is running',
  )

  if (!isConsoleBuilt()) log.warn({ folder: webDir }, 'the console is missing: the addresses of links return 404')

  let isStopping = false
  const stop = async (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1)
    isStopping = true
    log.info({ signal }, 'draining')
    registry.drain()
    await Promise.all([registry.jobs.stop(), registry.transparency.stop(), closeGracefully(servers)])
    metrics?.close()
    await registry.close()
    await tracing?.close()
    await Promise.all([database.close(), standby?.close()])
    log.info('stopped')
    log.flush(() => process.exit(0))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  exitOnUnexpectedErrors(log)
}

const openTls = async (
  tls: NonNullable<Config['tls']>,
  { host, registry, log }: { host: string; registry: Awaited<ReturnType<typeof createRegistry>>; log: Logger },
) => {
  registry.noteTlsExpiry(checkCredential(tls))
  const listener = await openTlsListener(tls, host, registry.answer)
  followTlsFiles({
    tls,
    replace: listener.replace,
    onReplaced: (expiresAt) => {
      registry.noteTlsExpiry(expiresAt)
      log.info({ expires_at: new Date(expiresAt) }, 'the TLS certificate was replaced')
    },
    onFailure: (err) => log.error({ err }, 'the TLS certificate cannot be replaced; the previous one stays in use'),
  })
  return listener
}

/** The default was the address of HOST before it was `localhost`. */
const warnOfFormerAddress = async (database: Database, { publicUrl, log }: { publicUrl: string; log: Logger }) => {
  const former = (await findState(database.read))?.origin.replace(/\/log$/, '')
  if (former === undefined || former === new URL(publicUrl).host || !isLoopbackUrl(`http://${former}`)) return
  log.warn(
    { former: `http://${former}`, url: publicUrl },
    'the address of this registry has changed: links minted under the former one no longer verify. PUBLIC_URL can keep it',
  )
}

const openListStandby = async ({ standby: settings }: Config, database: Database, log: Logger) => {
  if (settings === null) return undefined
  const { openStandby } = await import('./db/standby.ts')
  const standby = openStandby({ ...settings, primary: database })
  const place = placeOf(settings.url)
  standby.watch((trouble) =>
    trouble === null
      ? log.info({ standby: place }, 'lists are read from the standby')
      : log.warn({ standby: place, trouble }, 'lists are read from the primary'),
  )
  return standby
}

const exitBroken = (log: Logger, about: object, message: string) => {
  log.fatal(about, message)
  log.flush(() => process.exit(brokenExit))
}

const exitOnUnexpectedErrors = (log: Logger) => {
  for (const event of ['unhandledRejection', 'uncaughtException']) {
    process.on(event, (err) => {
      // A lost connection concerns the work that used it, which was repeated or rejected.
      if (failureOf(err) === 'connection') {
        log.error({ err }, event)
        return
      }
      exitBroken(log, { err }, event)
    })
  }
}
