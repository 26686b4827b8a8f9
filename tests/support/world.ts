import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@countersign/sdk'
import { type Logger, pino } from 'pino'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { createRegistry } from '../../server/src/app.ts'
import { createPasswordHasher, type PasswordHasher } from '../../server/src/auth/hashing.ts'
import { type Checker, createChecker } from '../../server/src/bundles/checker.ts'
import type { Config } from '../../server/src/config.ts'
import type { Database } from '../../server/src/db/engine.ts'
import { migrate } from '../../server/src/db/migrate.ts'
import { openDatabase } from '../../server/src/db/open.ts'
import { openListener, openTlsListener } from '../../server/src/http/listen.ts'
import type { Load } from '../../server/src/http/shedding.ts'
import type { Tracing } from '../../server/src/outbound/tracing.ts'
import { createActors, type ProviderActor } from './actors.ts'
import { blankPath, sendBlankPage } from './blank-page.ts'
import { type Credential, createAuthority } from './certificates.ts'
import { createClock } from './clock.ts'
import { createTestDatabase, type Engine } from './databases.ts'
import { startDnsServers } from './dns-server.ts'
import { startHubServer } from './hub-server.ts'
import { startJobIssuer } from './job-issuer.ts'
import { readOutbox } from './mails.ts'
import { recordStatement } from './statements.ts'

export interface WorldOptions {
  engine?: Engine
  trustedProxies?: Config['trustedProxies']
  /** The proxies whose headers prove a client certificate. */
  clientCertProxies?: Config['clientCertProxies']
  /** A public name other than the listening address. */
  publicUrl?: string
  /** The public name is `localhost`, as passkeys need one. */
  isNamed?: true
  log?: Logger
  webDir?: string
  /** The number of entries per sitemap file. */
  sitemapLength?: number
  /** Exceptions to the rules for outgoing requests: `address:port` or `name=address:port`. */
  egressAllow?: readonly string[]
  smtpUrl?: string
  contactEmail?: string
  repositoryUrl?: string
  securityContact?: string
  eventRetentionDays?: number
  /** Default: off, because a test makes more requests in a second than a visitor in an hour. */
  rateLimits?: Config['rateLimits']
  linksPerDay?: Config['linksPerDay']
  modelsPerDay?: Config['modelsPerDay']
  modelsTotal?: Config['modelsTotal']
  linkRetentionDays?: number
  /** Names that the operator protects. */
  protectedNames?: Config['protectedNames']
  /** The simulated load, measured when `registry.shedding.look` is called. */
  readLoad?: () => Load
  /** The token with which the registry reads the model hub. */
  hubToken?: string
  /** The trusted certificates and logs. */
  trustedRoot?: string
  tracing?: Tracing
  /** Wraps the database of the registry, not that of the test. */
  wrapDatabase?: (database: Database) => Database
  /** Replaces the bundle checker. */
  checker?: Checker
  /** Default: the same algorithm with hardly any memory, because a proper hash takes as long as five requests. */
  passwords?: PasswordHasher
  github?: Config['github']
  google?: Config['google']
  /** The witnesses of the transparency log. */
  logPolicy?: Config['logPolicy']
  /** Additional issuers whose CI jobs may publish. */
  oidcIssuers?: Config['oidcIssuers']
}

/** All worlds of a file share one checking thread, because starting one takes longer than a test. On a busy machine it comes last. */
const sharedChecker = createChecker({ timeoutMs: 60_000 })

const quickPasswords = createPasswordHasher({ cost: { memoryCost: 64, timeCost: 1, parallelism: 1 } })

/** Ports of worlds that ended. The next world has the same address, for which a browser has cached the console's scripts. */
const freePorts: number[] = []

type Undo = () => Promise<unknown>

/**
 * The real registry on free ports, with an empty database, a DNS server, a model hub, a clock that the test moves, and a
 * listener for mutual TLS. Everything ends with the test.
 */
export const createWorld = async (options: WorldOptions = {}): Promise<World> => {
  const undo: Undo[] = []
  onTestFinished(() => undoAll(undo))
  return startWorld(options, undo)
}

/** The same for all tests of a suite: those that change something act for a provider of their own. */
export const shareWorld = (options: WorldOptions = {}) => {
  let world: World
  const undo: Undo[] = []
  beforeAll(async () => {
    world = await startWorld(options, undo)
  })
  afterAll(() => undoAll(undo))
  return () => world
}

const undoAll = async (undo: Undo[]) => {
  for (const step of undo.reverse()) await step()
}

const startWorld = async (
  {
    engine = 'sqlite',
    trustedProxies = [],
    clientCertProxies = [],
    log = pino({ level: 'silent' }),
    ...options
  }: WorldOptions,
  undo: Undo[],
) => {
  const clock = createClock()
  const dns = await startDnsServers()
  undo.push(dns.close)
  const hub = await startHubServer()
  undo.push(hub.close)
  const jobIssuer = await startJobIssuer(clock.now)
  undo.push(jobIssuer.close)
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-world-'))
  undo.push(() => rm(dataDir, { recursive: true, force: true }))
  const { url, remove } = await createTestDatabase(engine)
  undo.push(remove)
  const encryptionKey = randomBytes(32)
  const config = {
    dataDir,
    trustedProxies,
    clientCertProxies,
    encryptionKey,
    logEncryptionKey: randomBytes(32),
    logPolicy: options.logPolicy ?? null,
    keyModule: null,
    dnsServers: dns.servers,
    egressAllow: [...(options.egressAllow ?? []), hub.hostAndPort, jobIssuer.hostAndPort].map(exceptionOf),
    smtpUrl: options.smtpUrl ?? null,
    mailFrom: null,
    contactEmail: options.contactEmail ?? null,
    repositoryUrl: options.repositoryUrl ?? null,
    securityContact: options.securityContact ?? null,
    securityPolicy: null,
    eventRetentionDays: options.eventRetentionDays ?? null,
    rateLimits: options.rateLimits ?? 'off',
    linkRetentionDays: options.linkRetentionDays ?? 30,
    linksPerDay: options.linksPerDay ?? { proven: 1_000_000, unproven: 1_000 },
    modelsPerDay: options.modelsPerDay ?? { proven: 1_000, unproven: 50 },
    modelsTotal: options.modelsTotal ?? { proven: 20_000, unproven: 200 },
    protectedNames: options.protectedNames ?? [],
    hub: { endpoint: hub.endpoint, token: options.hubToken ?? null },
    trustedRoot: options.trustedRoot ?? null,
    github: options.github ?? { url: 'https://github.invalid', apiUrl: 'https://api.github.invalid', client: null },
    google: options.google ?? { issuer: 'https://google.invalid', client: null },
    oidcIssuers: [{ kind: 'github' as const, issuer: jobIssuer.issuer }, ...(options.oidcIssuers ?? [])],
    checkAnswers: true,
  }
  const listeners: (() => Promise<unknown>)[] = []

  /** Another replica of the same registry: its own process state, the same database. */
  const startReplica = async (publicUrl?: string, port = 0, changes: Partial<Config> = {}) => {
    const database = await openDatabase(url, recordStatement)
    await migrate(database, clock.now)
    const listener = await openListener(port, '127.0.0.1').catch(() => openListener(0, '127.0.0.1'))
    const address = `http://127.0.0.1:${listener.port}`
    const ownUrl = options.isNamed ? `http://localhost:${listener.port}` : address
    const registry = await createRegistry({
      config: { ...config, ...changes },
      database: options.wrapDatabase?.(database) ?? database,
      log,
      publicUrl: publicUrl ?? ownUrl,
      now: clock.now,
      // A console built elsewhere, while another is being built.
      webDir: options.webDir ?? process.env.TEST_WEB_DIST,
      sitemapLength: options.sitemapLength,
      readLoad: options.readLoad,
      tracing: options.tracing,
      checker: options.checker ?? sharedChecker,
      passwords: options.passwords ?? quickPasswords,
    })
    listener.serve((request, response) =>
      request.url === blankPath ? sendBlankPage(response) : registry.answer(request, response),
    )
    const stop = async () => {
      listener.server.closeAllConnections()
      await new Promise((resolve) => listener.server.close(resolve))
      await database.close()
    }
    listeners.push(stop)
    undo.push(stop)
    return {
      address,
      port: listener.port,
      publicUrl: publicUrl ?? ownUrl,
      database,
      registry,
      server: listener.server,
      jobs: registry.jobs,
      client: (apiKey?: string) => clientFor(address, apiKey),
    }
  }

  undo.push(async () => freePorts.push(main.port))
  const main = await startReplica(options.publicUrl, freePorts.pop())

  /** Starts the listener for mutual TLS, with a certificate of a CA made for this world. */
  const startTls = async ({ registry }: Pick<typeof main, 'registry'> = main) => {
    const authority = await createAuthority()
    const credential: Credential = await authority.issueServer(['127.0.0.1', 'localhost'])
    const tls = await openTlsListener(
      { port: 0, cert: Buffer.from(credential.cert), key: Buffer.from(credential.key) },
      '127.0.0.1',
      registry.answer,
    )
    undo.push(async () => {
      tls.server.closeAllConnections()
      await new Promise((resolve) => tls.server.close(resolve))
    })
    return { url: `https://127.0.0.1:${tls.port}`, ca: authority.cert, authority }
  }

  const actors = createActors({ clientFor: (apiKey) => clientFor(main.address, apiKey), dns })
  return {
    ...main,
    engine,
    dataDir,
    clock,
    dns,
    hub,
    jobIssuer,
    databaseUrl: url,
    encryptionKey,
    config,
    /** With changed settings, as after a restart. */
    startReplica: (changes?: Partial<Config>, publicUrl = main.publicUrl) => startReplica(publicUrl, 0, changes),
    startTls,
    /** Sends pending emails, and returns all emails to an address, or to anyone; newest last. */
    mails: async (to?: string) => {
      await main.jobs.run('mails')
      return readOutbox(dataDir, to)
    },
    /** A session of a provider, started as its owner would: address verified, password set by email. */
    session: async (owner: ProviderActor) => {
      const { email } = await owner.client.providers.me()
      const mailed = async () => {
        await main.jobs.run('mails')
        return (await readOutbox(dataDir, email ?? '')).at(-1)
      }
      await owner.client.auth.sendVerification({})
      await owner.client.auth.verifyEmail({ verification_code: (await mailed())?.code ?? '' }).catch(() => {})
      await clientFor(main.address).auth.forgotPassword({ email: email ?? '' })
      const token = new URL((await mailed())?.link ?? '').searchParams.get('token') ?? ''
      const begun = await clientFor(main.address).auth.setPassword({ token, password: 'a quiet heron at dawn' })
      const client = clientFor(main.address, begun.token)
      const [own] = (await client.auth.sessions()).sessions
      return { ...begun, id: own?.id ?? '', client }
    },
    /** A client without a key. */
    anyone: clientFor(main.address),
    ...actors,
  }
}

export type World = Awaited<ReturnType<typeof startWorld>>

const clientFor = (baseURL: string, apiKey?: string) => createClient({ baseURL, apiKey, maxRetries: 0 })

const exceptionOf = (text: string) => {
  const [, name, host = '', port] = /^(?:(.+)=)?(.+):(\d+)$/.exec(text) ?? []
  return { name: name ?? null, host, port: Number(port) }
}
