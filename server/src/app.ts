import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contract, type Endpoint, errors, Refusal } from '@countersign/sdk/contract'
import { openApiDocument } from '@countersign/sdk/contract/openapi'
import express, { type NextFunction, type Request, type Response } from 'express'
import type { Logger } from 'pino'
import { accountRoutes } from './account/routes.ts'
import { createAccountService } from './account/service.ts'
import { createAttentionService } from './attention/service.ts'
import { createPasswordHasher } from './auth/hashing.ts'
import { authRoutes } from './auth/routes.ts'
import { createAuthService } from './auth/service.ts'
import { type Checker, createChecker } from './bundles/checker.ts'
import { bundleRoutes, signerRoutes } from './bundles/routes.ts'
import { createBundleService } from './bundles/service.ts'
import { type Config, isLoopbackUrl } from './config.ts'
import type { Database } from './db/engine.ts'
import { openFullText } from './db/full-text/open.ts'
import { deploymentRoutes } from './deployments/routes.ts'
import { createDeploymentService } from './deployments/service.ts'
import { domainRoutes } from './domains/routes.ts'
import { createDomainService } from './domains/service.ts'
import { createEventRecorder } from './events/service.ts'
import { createHealthService } from './health/service.ts'
import { createHistoryService } from './history/service.ts'
import { createAdmission } from './http/admission.ts'
import { mountConsole } from './http/console.ts'
import { mountHealth } from './http/health.ts'
import { createIdempotency } from './http/idempotency.ts'
import { mountLogos } from './http/logos.ts'
import type { Messages } from './http/messages.ts'
import { createMetrics } from './http/metrics.ts'
import { answerPlain, mount, mountRefusals, prepare } from './http/mount.ts'
import { proxiesAt } from './http/peer.ts'
import { problemOf, refusalOf, sendProblem } from './http/problems.ts'
import { createRateLimits, noRateLimits } from './http/rate-limits.ts'
import { createRequestLog } from './http/request-log.ts'
import { createRowTable } from './http/row-table.ts'
import { createShedding, type Load } from './http/shedding.ts'
import { createHubService } from './hub/service.ts'
import { createNewId } from './ids.ts'
import { incidentRoutes } from './incidents/routes.ts'
import { createIncidentService } from './incidents/service.ts'
import { createCleanup } from './jobs/cleanup.ts'
import { createJobRunner } from './jobs/runner.ts'
import { keyRoutes } from './keys/routes.ts'
import { isSameHash } from './keys/rules.ts'
import { createKeyService } from './keys/service.ts'
import { createEncodeLogo } from './logos/image.ts'
import { createLogoService } from './logos/service.ts'
import { createMailService } from './mail/service.ts'
import { createModelFileService } from './model-files/service.ts'
import { modelRoutes } from './models/routes.ts'
import { createModelService } from './models/service.ts'
import { createProtection } from './names/rules.ts'
import { createNameService, createTrailFollower } from './names/service.ts'
import { mountSignIn } from './oauth/pages.ts'
import { oauthRoutes } from './oauth/routes.ts'
import { callbackPathOf } from './oauth/rules.ts'
import { createOauthService } from './oauth/service.ts'
import { createResolveAddresses, createResolveTxt } from './outbound/dns.ts'
import { createReadDomainFile } from './outbound/domain-file.ts'
import { createEgress } from './outbound/egress.ts'
import { createHub } from './outbound/hub.ts'
import { createIdentityClients } from './outbound/identity-providers.ts'
import { createFetchImage } from './outbound/image.ts'
import { createFindIssuerKey } from './outbound/issuer-keys.ts'
import { createDeliverMail } from './outbound/mail.ts'
import { createReadRoot } from './outbound/trusted-root.ts'
import { providerRoutes } from './providers/routes.ts'
import { createProviderService } from './providers/service.ts'
import { publisherRoutes } from './publishers/routes.ts'
import { createPublisherService } from './publishers/service.ts'
import { createRegistrationService } from './registrations/service.ts'
import { createReviewService } from './reviews/service.ts'
import { searchRoutes } from './search/routes.ts'
import { createSearchService } from './search/service.ts'
import { createSessionService } from './sessions/service.ts'
import { signingRoutes } from './signing/routes.ts'
import { createSigningService } from './signing/service.ts'
import { mountFeeds } from './site/feeds.ts'
import { createPages } from './site/pages.ts'
import { createSiteService } from './site/service.ts'
import { verificationRoutes } from './verifications/routes.ts'
import { decideLink } from './verifications/rules.ts'
import { createVerificationService } from './verifications/service.ts'
import { version } from './version.ts'
import { createWeeklyService } from './weekly/service.ts'

interface Needs {
  config: Pick<
    Config,
    | 'dataDir'
    | 'trustedProxies'
    | 'clientCertProxies'
    | 'encryptionKey'
    | 'dnsServers'
    | 'egressAllow'
    | 'smtpUrl'
    | 'mailFrom'
    | 'contactEmail'
    | 'hub'
    | 'github'
    | 'google'
    | 'oidcIssuers'
    | 'trustedRoot'
    | 'protectedNames'
    | 'rateLimits'
    | 'checkAnswers'
  >
  database: Database
  log: Logger
  publicUrl: string
  /** Milliseconds since 1970. */
  now: () => number
  webDir?: string
  /** Entries of one file of the sitemap. */
  sitemapLength?: number | undefined
  /** Of the listeners that will call `answer`. */
  messages: Messages
  /** How busy the process is. Default: as it finds itself. */
  readLoad?: (() => Load) | undefined
  /** Where bundles are checked. Default: a thread of its own. */
  checker?: Checker | undefined
}

const defaultWebDir = fileURLToPath(new URL('../../web/dist', import.meta.url))

/** The registry, put together: services from what they need, routes from services, in that order. It does not listen. */
export const createRegistry = async ({
  config,
  database,
  log,
  publicUrl,
  now,
  webDir = defaultWebDir,
  sitemapLength,
  messages,
  readLoad,
  checker = createChecker(),
}: Needs) => {
  const state = { isDraining: false }
  const isDraining = () => state.isDraining
  const newId = createNewId(now)
  const metrics = createMetrics()
  const isDevelopment = isLoopbackUrl(publicUrl)

  const protection = createProtection(config.protectedNames)
  const search = createSearchService({ database, fullText: await openFullText(database), protection })
  const events = createEventRecorder({ now, newId, follow: createTrailFollower({ search, now }) })
  const signing = createSigningService({ database, events, encryptionKey: config.encryptionKey, now })
  await signing.prepare()
  const { hostname } = new URL(publicUrl)
  const outbox = join(config.dataDir, 'outbox')
  const mail = createMailService({
    database,
    publicUrl,
    now,
    newId,
    deliver: createDeliverMail({
      smtpUrl: config.smtpUrl,
      outbox,
      from: config.mailFrom ?? `Countersign <no-reply@${hostname}>`,
      host: hostname,
      onWritten: (written) => log.info(written, 'a mail was written to the outbox'),
    }),
    onFailure: (id, err) => log.warn({ err, mail: id }, 'a mail could not be sent'),
  })
  const keys = createKeyService({
    database,
    events,
    mail,
    now,
    newId,
    onFailure: (err) => log.warn({ err }, 'the use of a key was not noted'),
  })
  const jobs = createJobRunner({ database, now, log, metrics })
  jobs.add({ name: 'search-index', everyMs: 24 * 3_600_000, run: search.repair })
  jobs.add({ name: 'cleanup', everyMs: 6 * 3_600_000, run: createCleanup({ database, outbox, now }) })
  jobs.add({ name: 'mails', everyMs: 5_000, run: mail.sendDue })
  const egress = createEgress({ allow: config.egressAllow, own: hostname, resolve: createResolveAddresses(config.dnsServers) })
  const resolveTxt = createResolveTxt(config.dnsServers)
  const account = createAccountService({ database, events, search, decideLink, now })
  const domains = createDomainService({
    database,
    events,
    mail,
    resolveTxt,
    readDomainFile: createReadDomainFile(egress),
    isDevelopment,
    now,
  })
  jobs.add({ name: 'domains', everyMs: 600_000, run: domains.recheckDue })
  jobs.add({ name: 'erasure', everyMs: 3_600_000, run: account.eraseLinks })
  const publishers = createPublisherService({
    database,
    events,
    keys,
    mail,
    findIssuerKey: createFindIssuerKey({ egress, now }),
    issuers: config.oidcIssuers,
    publicUrl,
    now,
    newId,
    onFailure: (issuer, err) => log.warn({ issuer, err }, 'the keys of an issuer could not be read'),
  })
  jobs.add({ name: 'names', everyMs: 3_600_000, run: createNameService({ database, mail, search, protection }).run })
  const fetchImage = createFetchImage(egress)
  const logos = createLogoService({ database, events, encode: createEncodeLogo(), fetchImage, publicUrl, now, newId })
  const providers = createProviderService({ database, events, keys, domains, logos, account, search, protection, now, newId })
  const sessions = createSessionService({
    database,
    events,
    secret: signing.deriveSecret('console keys'),
    isSame: isSameHash,
    now,
    newId,
    onFailure: (err) => log.warn({ err }, 'the use of a session was not noted'),
  })
  const auth = createAuthService({ database, events, sessions, mail, passwords: createPasswordHasher(), publicUrl, now })
  const registrations = createRegistrationService({
    database,
    events,
    providers,
    domains,
    sessions,
    auth,
    mail,
    secret: signing.deriveSecret('mailed codes'),
    publicUrl,
    now,
    newId,
  })
  const clients = createIdentityClients({
    config,
    egress,
    callbackUrlOf: (provider) => `${publicUrl}${callbackPathOf(provider)}`,
    allowsHttp: isDevelopment,
    onFailure: (provider, reason) => log.warn({ provider, reason }, 'a sign-in failed at its identity provider'),
  })
  const oauth = createOauthService({ database, events, sessions, providers, mail, clients, publicUrl, now })
  const deployments = createDeploymentService({
    database,
    events,
    now,
    newId,
    onFailure: (err) => log.warn({ err }, 'the use of a deployment was not noted'),
  })
  const files = createModelFileService({ database })
  const models = createModelService({ database, events, deployments, files, search, protection, now, newId })
  const history = createHistoryService({ database })
  const health = createHealthService({ database, events, models, egress, now })
  jobs.add({ name: 'health', everyMs: 15_000, run: health.run })
  const bundles = createBundleService({
    database,
    events,
    mail,
    models,
    egress,
    checker,
    publicUrl,
    readRoot: createReadRoot({ egress, source: config.trustedRoot, folder: config.dataDir, now }),
    now,
    newId,
    onFailure: (err) => log.warn({ err }, 'a bundle was not checked at once'),
    onBadRoot: (why) => log.error({ source: config.trustedRoot, why }, 'the trusted root cannot be used; the one before counts on'),
  })
  jobs.add({ name: 'bundles', everyMs: 2_500, run: bundles.run })
  const reviews = createReviewService({
    database,
    events,
    keys,
    deployments,
    publishers,
    bundles,
    models,
    domains,
    providers,
    mail,
    now,
    newId,
  })
  const hub = createHubService({ models, hub: createHub({ egress, ...config.hub }) })
  const count = {
    mint: metrics.countMint,
    verdict: ({ result, reason }: { result: string; reason: string | null }) => metrics.countVerdict(result, reason),
  }
  const verifications = createVerificationService({
    database,
    events,
    signing,
    deployments,
    domains,
    search,
    protection,
    publicUrl,
    now,
    newId,
    count,
  })
  const rateLimits = config.rateLimits === 'on' ? createRateLimits({ database, now }) : noRateLimits
  const incidents = createIncidentService({
    database,
    events,
    models,
    verifications,
    mail,
    capReports: rateLimits.capReports,
    secret: signing.deriveSecret('reporters'),
    publicUrl,
    now,
    newId,
  })
  jobs.add({ name: 'incident-digest', everyMs: 24 * 3_600_000, run: incidents.sendDigests })
  const weekly = createWeeklyService({ database, mail, publicUrl, now })
  jobs.add({ name: 'weekly-report', everyMs: 3_600_000, run: weekly.sendDue })

  const app = express()
  messages.adopt(app)
  app.set('x-powered-by', false)
  app.set('etag', false)
  app.set('query parser', 'simple')
  app.set('trust proxy', proxiesAt(config.trustedProxies))

  const shedding = createShedding({ metrics, readLoad })
  const options = {
    authenticate: (credential: string) =>
      credential.startsWith('csk_') ? keys.authenticate(credential) : sessions.authenticate(credential),
    idempotency: createIdempotency({ database, now }),
    isCertificateProxy: proxiesAt(config.clientCertProxies),
    now,
    newRequestId: () => newId('req'),
    requestLog: createRequestLog(log, metrics),
    rateLimits,
    shedding: config.rateLimits === 'on' ? shedding : undefined,
    isDraining,
    hasSecureCookies: publicUrl.startsWith('https:') || isDevelopment,
    checkAnswers: config.checkAnswers,
    table: createRowTable<(request: Request, response: Response) => Promise<void>>(),
  }
  mount(app, contract.verifications, verificationRoutes(verifications), options)
  mount(app, contract.signing, signingRoutes(signing), options)
  mount(app, contract.providers, providerRoutes({ providers, domains, logos, account, models }), options)
  mount(app, contract.account, accountRoutes(account, createAttentionService({ database, now })), options)
  mount(app, contract.auth, { ...authRoutes({ auth, registrations, sessions, domains }), ...oauthRoutes(oauth) }, options)
  mount(app, contract.keys, keyRoutes(keys, reviews), options)
  mount(app, contract.publishers, publisherRoutes(publishers), options)
  mount(app, contract.domains, domainRoutes(domains), options)
  mount(app, contract.models, modelRoutes({ models, deployments, history, health, hub }), options)
  mount(app, contract.bundles, bundleRoutes(bundles), options)
  mount(app, contract.signers, signerRoutes(bundles), options)
  mount(app, contract.search, searchRoutes(search), options)
  mount(app, contract.deployments, deploymentRoutes(deployments), options)
  mount(app, contract.incidents, incidentRoutes(incidents), options)
  mountLogos(app, logos)
  mountSignIn(app, oauth, {
    publicUrl,
    hasSecureCookies: options.hasSecureCookies,
    checkRate: options.rateLimits.of({ method: 'GET', path: '/api/v1/auth/:provider' }),
    onFailure: (err) => log.error({ err }, 'a sign-in failed'),
  })
  mountHealth(app, { database, dataDir: config.dataDir, hasKeys: async () => (await signing.jwks()).keys.length > 0, isDraining })

  let openApi: string | undefined
  app.get('/openapi.json', (_request, response) => {
    response.locals.route = 'GET /openapi.json'
    openApi ??= JSON.stringify(openApiDocument({ serverUrl: publicUrl, version }))
    response.setHeader('Access-Control-Allow-Origin', '*')
    response.setHeader('Content-Type', 'application/json')
    response.end(openApi)
  })

  mountRefusals(
    app,
    Object.values(contract).flatMap((rows) => Object.values<Endpoint>(rows)),
  )
  const admissionOf = createAdmission(options)
  const admit = {
    record: admissionOf(contract.models.get),
    list: admissionOf(contract.models.list),
    link: admissionOf(contract.verifications.get),
  }
  const site = createSiteService({ database, models, providers, verifications, now, sitemapLength })
  mountFeeds(app, { site, publicUrl, admit })
  mountConsole(app, {
    webDir,
    isHttps: publicUrl.startsWith('https:'),
    hubOrigin: new URL(config.hub.endpoint).origin,
    describe: createPages({
      site,
      publicUrl,
      isDevelopment,
      contactEmail: config.contactEmail,
      hubEndpoint: config.hub.endpoint,
      signInBy: (['github', 'google'] as const).filter((service) => config[service].client !== null),
      admit,
      onFailure: (err) => log.error({ err }, 'what a page says could not be read'),
    }),
  })
  app.use(() => {
    throw new Refusal('not_found', errors.not_found.title)
  })
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const refusal = refusalOf(error)
    response.locals.refusal = refusal
    sendProblem(response, refusal, response.locals.requestId ?? newId('req'))
  })

  const begin = prepare(options)
  // An address that is no path never reaches the rows: Express would answer it in HTML.
  const answer: RequestListener = (request, response) => {
    if (request.url?.startsWith('/')) {
      begin(request, response as Response)
      if (!answerPlain(options.table, request as Request, response as Response)) app(request, response)
      return
    }
    const refusal = new Refusal('bad_request', 'The address must be a path.')
    response.writeHead(400, { 'Content-Type': 'application/problem+json', Connection: 'close' })
    response.end(JSON.stringify(problemOf(refusal, newId('req'))))
  }

  return {
    answer,
    jobs,
    metrics,
    shedding,
    signing,
    /** From now on `/readyz` says no and answers close their connections. */
    drain: () => {
      state.isDraining = true
    },
    /** Ends what runs beside the process; nothing is asked of it any more. */
    close: () => checker.close(),
  }
}
