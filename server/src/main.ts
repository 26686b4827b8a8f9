import { availableParallelism } from 'node:os'
import { Refusal } from '@countersign/sdk/contract'
import { type Logger, pino } from 'pino'
import { createRegistry } from './app.ts'
import { runBackupCommand } from './backup/command.ts'
import { type Config, portSettingOf, readCommandConfig, readConfig, readDoctorConfig } from './config.ts'
import type { Database } from './db/engine.ts'
import { newestSchema } from './db/migrate.ts'
import { failureOf } from './db/retry.ts'
import { createDatabaseTrace } from './db/traced.ts'
import { placeOf } from './db/wait.ts'
import { runDemoCommand } from './demo/command.ts'
import { runDoctor } from './doctor/command.ts'
import { defaultPublicUrl, isLoopbackHost, isLoopbackUrl, otherLoopbackOf } from './hosts.ts'
import { limitConnections } from './http/connections.ts'
import { closeGracefully, openListener, openTlsListener } from './http/listen.ts'
import { proxiesAt } from './http/peer.ts'
import { createLog } from './log.ts'
import { helpOf, isOperatorCommand, operatorUsage, runOperatorCommand, usageLine } from './operator/command.ts'
import { openTracing } from './outbound/tracing.ts'
import { ConfigError } from './settings/setting.ts'
import { runKeysCommand } from './signing/command.ts'
import { ModuleError } from './signing/pkcs11/process.ts'
import { DamageError, markKeyUsed, openForStart } from './start-database.ts'
import { lowerCompilerThreads } from './thread.ts'
import { checkCredential, followTlsFiles } from './tls-files.ts'
import { findState } from './transparency/tree-store.ts'
import { build, version } from './version.ts'
import { isConsoleBuilt, webDir } from './web-dir.ts'

/** EX_SOFTWARE of sysexits: the supervisor restarts us. */
const brokenExit = 70

const usage = `countersign-server ${build}

Usage: countersign-server [COMMAND]

Without a command, it starts the registry. With --new-registry, it starts even
if the database is empty and the key encryption key was used before.

${[
  usageLine('keys list', 'list signing keys and their states'),
  usageLine('keys rotate [--force]', 'activate the next key, retire the active one'),
  usageLine('keys compromise KID', 'reject every token of a key from now on'),
  usageLine('keys confirm KID', 'trust a key that was suspended by a restore'),
  usageLine('keys reencrypt', 'replace the key encryption key; stop the registry first'),
  usageLine('keys reencrypt --log', 'the same for the key that encrypts the keys of the log'),
  usageLine('doctor', 'check settings, database, keys, DNS and email'),
  usageLine('backup FILE', 'write a verified backup while the registry runs'),
  usageLine('restore FILE [--replace]', 'restore a backup; stop the registry first'),
  usageLine('migrate --to-file FILE', 'copy SQLite to PostgreSQL; FILE has its URL'),
  usageLine('demo', 'add sample models, marked as such'),
].join('')}${operatorUsage}
Settings are read from the environment: see docs/self-hosting.md.
`

const start = async (args: readonly string[]) => {
  const config = readConfig()
  // Requests do not wait for the log; the rest is written when the process exits.
  const log = createLog(
    config.logLevel,
    pino.destination({ sync: false, minLength: 16_384, maxWrite: 65_536, periodicFlush: 100 }),
  )
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

const main = async (args: readonly string[]) => {
  // The registry's files are private: the database contains addresses and encrypted keys.
  process.umask(0o077)
  const [command] = args
  const isHelp = args.some((arg) => arg === '--help' || arg === '-h')
  if (!isHelp && (command === undefined || command === '--new-registry')) return start(args)
  // `countersign-server log show | head` closes the output early, and needs no more.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(0)
  })
  // Before any setting is read: `keys rotate --help` must change nothing.
  if (isHelp || command === undefined || command === 'help') {
    process.stdout.write(command !== undefined && isOperatorCommand(command) ? helpOf(command) : usage)
    return
  }
  if (command === 'keys') return runKeysCommand(args.slice(1), readCommandConfig())
  if (isOperatorCommand(command)) return runOperatorCommand(command, args.slice(1), readCommandConfig())
  if (['backup', 'restore', 'migrate'].includes(command)) return runBackupCommand(args, readCommandConfig())
  if (command === 'doctor') return runDoctor(readDoctorConfig)
  if (command === 'demo') return runDemoCommand(readConfig())
  process.stdout.write(command === '--version' ? `${build}, schema ${newestSchema}\n` : usage)
  if (command !== '--version') process.exitCode = 2
}

const describeFailure = (error: unknown) => {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'EADDRINUSE')
    return `${error.message}. Set ${portSettingOf('port' in error ? error.port : undefined)} to a free port.`
  const isExplained =
    error instanceof ConfigError ||
    error instanceof DamageError ||
    error instanceof Refusal ||
    error instanceof ModuleError ||
    // An unknown database or a rejected password.
    ('code' in error && /^(3D|28)[0-9A-Z]{3}$/.test(String(error.code))) ||
    failureOf(error) === 'connection'
  return isExplained ? error.message : (error.stack ?? error.message)
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`countersign-server: ${describeFailure(error)}\n`)
  process.exit(error instanceof DamageError ? brokenExit : 1)
})
