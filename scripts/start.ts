// `npm start`: runs the registry and plays the main job through the command line, step by step. `-- --plain`: only the registry.
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { defaultPublicUrl } from '../server/src/hosts.ts'
import { type DnsServers, startDnsServers } from '../tests/support/dns-server.ts'
import { createCommandLine, shellWord } from './start/command-line.ts'
import { makeTlsFiles } from './start/files.ts'
import { lockFolder } from './start/folder-lock.ts'
import { playMainJob } from './start/main-job.ts'
import { prepareObservers } from './start/observers.ts'
import { choosePorts, readAddress } from './start/ports.ts'
import { type Registry, startRegistry } from './start/registry.ts'
import { readZoneFile } from './start/zone-file.ts'

const say = (text = '') => process.stdout.write(`${text}\n`)

const dataDir = process.env.DATA_DIR ?? '.data'
/** People who try the registry add their own DNS records here. */
const zoneFile = join(dataDir, 'dns.txt')

const startPlain = async (host: string, port: number) => {
  const registry = await startRegistry({
    env: { HOST: host, PORT: String(port) },
    url: urlOf(host, port),
    log: 'inherit',
  })
  say(`The registry is at ${process.env.PUBLIC_URL ?? urlOf(host, port)}. Stop it with Ctrl-C.`)
  return registry
}

const startWithMainJob = async (host: string, port: number, tlsPort: number, dns: DnsServers) => {
  const tls = await makeTlsFiles(join(dataDir, 'tls'))
  const log = join(dataDir, 'registry.log')
  const url = urlOf(host, port)
  const observers = process.env.LOG_POLICY ? undefined : await prepareObservers(join(dataDir, 'log'), process.env)
  const registry = await startRegistry({
    env: {
      ...observers?.env,
      HOST: host,
      PORT: String(port),
      DATA_DIR: dataDir,
      // People repeat steps here, and would soon reach the limit of five registrations an hour.
      RATE_LIMITS: process.env.RATE_LIMITS ?? 'off',
      DEV_DNS_SERVERS: dns.addresses.join(','),
      TLS_PORT: String(tlsPort),
      TLS_CERT_FILE: tls.certFile,
      TLS_KEY_FILE: tls.keyFile,
    },
    url,
    log,
  })
  say(`The registry is running at ${url}.`)
  say(`Its log is ${log}.`)
  if (process.env.RATE_LIMITS === undefined) say('Rate limits are off. RATE_LIMITS=on npm start turns them on.')
  const tlsUrl = `https://${host.includes(':') ? `[${host}]` : host}:${tlsPort}`
  const commandLine = createCommandLine({ apiUrl: url, configDir: join(dataDir, 'main-job', 'countersign'), say })
  try {
    await observers?.startWitnesses(url)
    const { link } = await playMainJob({
      commandLine,
      dns,
      folder: join(dataDir, 'main-job'),
      tlsUrl,
      caFile: tls.caFile,
      observers,
      say,
    })
    observers?.startMonitor()
    say()
    say(
      'To try your own model, open another terminal and follow "Five minutes with\nyour own model" in README.md, with these settings:',
    )
    for (const [name, value] of [
      ['API_URL', url],
      ['TLS_URL', tlsUrl],
      ['CA_FILE', resolve(tls.caFile)],
      ['CONFIG_DIR', resolve(dataDir, 'me')],
    ] as const)
      say(`  export COUNTERSIGN_${name}=${shellWord(value)}`)
    say(`The development DNS servers read records from ${zoneFile}.`)
    if (!process.env.SMTP_URL) say(`No email is sent; messages are saved in ${join(dataDir, 'outbox')}.`)
    if (observers) say(`A monitor of the log writes each entry to ${observers.monitorFile}.`)
    say()
    say(`Console            ${process.env.PUBLIC_URL ?? url}`)
    say(`Verification link  ${link}\n                   valid for 15 minutes`)
    say()
    say('The registry stays up. Stop it with Ctrl-C.')
    return registry
  } catch (error) {
    await registry.stop()
    throw error
  }
}

const urlOf = (host: string, port: number) => defaultPublicUrl(reachable(host), port)

/** A wildcard address is reachable at loopback. */
const reachable = (host: string) => (host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host)

const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host)

const readOptions = () => {
  try {
    return parseArgs({ options: { plain: { type: 'boolean' } } }).values
  } catch {
    throw new Error(
      `npm start does not know ${process.argv.slice(2).join(' ')}. Its only option starts the registry without the demo: npm start -- --plain`,
    )
  }
}

const start = async (): Promise<{ registry: Registry; dns?: DnsServers }> => {
  const { plain } = readOptions()
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const { host, port } = readAddress(process.env)
  // Before the ports: a free port would not help.
  lockFolder(dataDir, urlOf(host, port))
  const tlsPort = await choosePorts({ host, port }, process.env)
  if (plain) return { registry: await startPlain(host, port) }
  const publicHost = process.env.PUBLIC_URL ? new URL(process.env.PUBLIC_URL).hostname : host
  if (!isLoopback(publicHost)) {
    say('The demo runs only on loopback addresses, with its own DNS servers. Starting only the registry.')
    return { registry: await startPlain(host, port) }
  }
  const dns = await startDnsServers({ otherwise: readZoneFile(zoneFile) })
  return { registry: await startWithMainJob(host, port, tlsPort, dns), dns }
}

/** npm forwards a signal only to its shell. The shell exits and leaves this process running. */
const whenNpmEnds = (act: () => void) => {
  if (process.env.npm_lifecycle_event !== 'start') return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    act()
  }, 200)
  watch.unref()
}

try {
  // The registry ends with this process.
  let stop: (signal: NodeJS.Signals) => void = () => process.exit(1)
  whenNpmEnds(() => stop('SIGTERM'))
  const { registry, dns } = await start()
  let isStopping = false
  stop = (signal) => {
    // In a terminal, the registry gets Ctrl-C itself; a second signal would stop it without draining.
    if (isStopping || signal !== 'SIGINT' || !process.stdin.isTTY) void registry.stop()
    isStopping = true
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  process.exitCode = await registry.ended
  await dns?.close()
} catch (error) {
  if (!(error instanceof Error)) throw error
  process.stderr.write(`\n${error.message}\n`)
  process.exit(1)
}
