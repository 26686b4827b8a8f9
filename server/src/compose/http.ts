import type { RequestListener } from 'node:http'
import { contract, errors, Refusal } from '@countersign/sdk/contract'
import { openApiDocument } from '@countersign/sdk/contract/openapi'
import express, { type Express, type NextFunction, type Request, type Response } from 'express'
import { accountRoutes } from '../account/routes.ts'
import { activityRoutes } from '../activity/routes.ts'
import { authRoutes } from '../auth/routes.ts'
import { bundleRoutes, signerRoutes } from '../bundles/routes.ts'
import { createGate } from '../changes/decide.ts'
import { changeRoutes } from '../changes/routes.ts'
import { proveWrite } from '../db/prove-write.ts'
import type { ScopedDatabase } from '../db/scoped.ts'
import { deploymentRoutes } from '../deployments/routes.ts'
import { deviceRoutes } from '../devices/routes.ts'
import { domainRoutes } from '../domains/routes.ts'
import { factorRoutes } from '../factors/routes.ts'
import { createAdmission } from '../http/admission.ts'
import { type Api, createApi } from '../http/api.ts'
import type { BodyParser } from '../http/body.ts'
import { mountConsole } from '../http/console.ts'
import { mountHealth } from '../http/health.ts'
import { createIdempotency } from '../http/idempotency.ts'
import { mountLogos } from '../http/logos.ts'
import type { Metrics } from '../http/metrics.ts'
import { proxiesAt } from '../http/peer.ts'
import { refusalOf, sendProblem } from '../http/problems.ts'
import { createRequestLog } from '../http/request-log.ts'
import type { Shedding } from '../http/shedding.ts'
import type { SignatureCheck } from '../http/signature-check.ts'
import { createKeyReader } from '../http/signature-keys.ts'
import { refusingOtherThanPaths, startAnswer } from '../http/start.ts'
import type { NewId } from '../ids.ts'
import { incidentRoutes } from '../incidents/routes.ts'
import { keyRoutes } from '../keys/routes.ts'
import { modelRoutes } from '../models/routes.ts'
import { mountSignIn } from '../oauth/pages.ts'
import { oauthRoutes } from '../oauth/routes.ts'
import { memberRoutes } from '../people/routes.ts'
import { providerRoutes } from '../providers/routes.ts'
import { publisherRoutes } from '../publishers/routes.ts'
import { searchRoutes } from '../search/routes.ts'
import { signingRoutes } from '../signing/routes.ts'
import { mountFeeds } from '../site/feeds.ts'
import { createPages } from '../site/pages.ts'
import { securityText } from '../site/security-text.ts'
import { createSiteService } from '../site/service.ts'
import { mountLog } from '../transparency/pages.ts'
import { logRoutes } from '../transparency/routes.ts'
import { verificationRoutes } from '../verifications/routes.ts'
import { version } from '../version.ts'
import { workloadRoutes } from '../workloads/routes.ts'
import type { Deps } from './deps.ts'
import type { Services } from './services.ts'

interface HttpDeps
  extends Pick<Deps, 'config' | 'log' | 'publicUrl' | 'now' | 'sitemapLength' | 'tracing'>,
    Required<Pick<Deps, 'webDir'>> {
  database: ScopedDatabase
  services: Services
  shedding: Shedding
  metrics: Metrics
  newId: NewId
  isDevelopment: boolean
  isDraining: () => boolean
  bodies: BodyParser
  signatures: SignatureCheck
}

const addEndpoints = (api: Api, services: Services) => {
  const {
    account,
    activity,
    attention,
    auth,
    bundles,
    changes,
    delays,
    deployments,
    devices,
    domains,
    factors,
    health,
    history,
    hub,
  } = services
  const {
    incidents,
    keys,
    logos,
    mailboxes,
    models,
    oauth,
    people,
    providers,
    publishers,
    recovery,
    registrations,
    reviews,
    search,
    sessions,
    signing,
    usage,
    verifications,
    workloads,
  } = services
  api.add(contract.verifications, verificationRoutes(verifications))
  api.add(contract.signing, signingRoutes(signing))
  api.add(contract.log, logRoutes(services.verdicts, services.ownEntries, services.nearNames, services.disputes))
  api.add(contract.providers, providerRoutes({ providers, domains, logos, account, models }))
  api.add(contract.account, accountRoutes(account, attention, usage, mailboxes))
  api.add(contract.auth, { ...authRoutes({ auth, registrations, sessions, domains }), ...oauthRoutes(oauth) })
  api.add(contract.keys, keyRoutes(keys, reviews))
  api.add(contract.publishers, publisherRoutes(publishers))
  api.add(contract.workloads, workloadRoutes(workloads))
  api.add(contract.members, memberRoutes(people))
  api.add(contract.devices, deviceRoutes(devices))
  api.add(contract.factors, factorRoutes(factors, recovery))
  api.add(contract.domains, domainRoutes(domains))
  api.add(contract.models, modelRoutes({ models, deployments, history, health, hub }))
  api.add(contract.bundles, bundleRoutes(bundles))
  api.add(contract.signers, signerRoutes(bundles))
  api.add(contract.search, searchRoutes(search))
  api.add(contract.deployments, deploymentRoutes(deployments))
  api.add(contract.incidents, incidentRoutes(incidents))
  api.add(contract.activity, activityRoutes(activity))
  api.add(
    contract.changes,
    changeRoutes(
      changes,
      delays,
      recovery,
      (approval) =>
        ({ name, ...call }) =>
          api.repeat(name, { ...call, ...approval }),
      api.checkMay,
    ),
  )
}

const mountOpenApi = (app: Express, publicUrl: string) => {
  let text: string | undefined
  app.get('/openapi.json', (_request, response) => {
    response.locals.route = 'GET /openapi.json'
    text ??= JSON.stringify(openApiDocument({ serverUrl: publicUrl, version }))
    response.setHeader('Access-Control-Allow-Origin', '*')
    response.setHeader('Content-Type', 'application/json')
    response.end(text)
  })
}

const mountSecurityText = (
  app: Express,
  { config, publicUrl, now }: Pick<HttpDeps, 'config' | 'publicUrl' | 'now'>,
) => {
  const email = config.contactEmail ?? `contact@${new URL(publicUrl).hostname}`
  const contact = config.securityContact ?? `mailto:${email}`
  app.get('/.well-known/security.txt', (_request, response) => {
    response.locals.route = 'GET /.well-known/security.txt'
    response.setHeader('Content-Type', 'text/plain; charset=utf-8')
    response.setHeader('Cache-Control', 'public, max-age=3600')
    response.end(securityText({ publicUrl, contact, policyUrl: config.securityPolicy, now: now() }))
  })
}

/** All HTTP handlers, in the order in which they run: an `app.use` here applies to every path after it, except endpoints of the contract. */
export const createApp = ({
  config,
  database,
  log,
  publicUrl,
  now,
  sitemapLength,
  tracing,
  webDir,
  services,
  shedding,
  metrics,
  newId,
  isDevelopment,
  isDraining,
  bodies,
  signatures,
}: HttpDeps): RequestListener => {
  const { keys, logos, models, oauth, providers, rateLimits, sessions, signing, transparency, verifications } = services
  const isHttps = publicUrl.startsWith('https:')
  const hasSecureCookies = isHttps || isDevelopment
  const limiting = { rateLimits, shedding: config.rateLimits === 'on' ? shedding : undefined }
  const newRequestId = () => newId('req')

  const app = express()
  app.set('x-powered-by', false)
  app.set('etag', false)
  app.set('query parser', 'simple')
  app.set('trust proxy', proxiesAt(config.trustedProxies))

  const api = createApi({
    authenticate: (credential, circumstances) =>
      credential.startsWith('csk_') ? keys.authenticate(credential) : sessions.authenticate(credential, circumstances),
    bodies,
    idempotency: createIdempotency({ database, now }),
    isCertificateProxy: proxiesAt(config.clientCertProxies),
    readKey: createKeyReader(),
    signatures,
    publicUrl,
    now,
    hasSecureCookies,
    checkAnswers: config.checkAnswers,
    gate: createGate({ database, changes: services.changes, presence: services.presence, now }),
    ...limiting,
  })
  addEndpoints(api, services)

  const start = startAnswer({
    newRequestId,
    requestLog: createRequestLog(log, metrics, tracing?.traceRequest),
    isDraining,
    isHttps,
  })
  app.use((request, response, next) => {
    start(request, response)
    next()
  })
  mountLogos(app, logos)
  mountSignIn(app, oauth, {
    publicUrl,
    hasSecureCookies,
    checkRate: rateLimits.of({ method: 'GET', path: '/api/v1/auth/:provider' }),
    onFailure: (err) => log.error({ err }, 'a sign-in failed'),
  })
  mountHealth(app, {
    database,
    proveWrite: () => proveWrite(database, now),
    hasKeys: async () => (await signing.jwks()).keys.length > 0,
    isDraining,
  })
  const admissionOf = createAdmission(limiting)
  mountLog(app, transparency, services.logFeeds, {
    tile: admissionOf(contract.log.proofs),
    feed: admissionOf(contract.models.list),
  })
  mountOpenApi(app, publicUrl)
  mountSecurityText(app, { config, publicUrl, now })
  app.use(api.refuse)

  const admit = {
    record: admissionOf(contract.models.get),
    list: admissionOf(contract.models.list),
    link: admissionOf(contract.verifications.get),
  }
  const site = createSiteService({ database, models, providers, verifications, now, sitemapLength })
  mountFeeds(app, { site, publicUrl, admit })
  mountConsole(app, {
    webDir,
    isHttps,
    hubOrigin: new URL(config.hub.endpoint).origin,
    describe: createPages({
      site,
      publicUrl,
      isDevelopment,
      contactEmail: config.contactEmail,
      repositoryUrl: config.repositoryUrl,
      hubEndpoint: config.hub.endpoint,
      signInBy: (['github', 'google'] as const).filter((service) => config[service].client !== null),
      admit,
      onFailure: (err) => log.error({ err }, 'the facts of a page could not be read'),
    }),
  })
  app.use(() => {
    throw new Refusal('not_found', errors.not_found.title)
  })
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const refusal = refusalOf(error)
    response.locals.refusal = refusal
    sendProblem(response, refusal, response.locals.requestId ?? newRequestId())
  })
  const listener = refusingOtherThanPaths(api.inFrontOf(app, start), newRequestId)
  return tracing?.aroundRequests(listener) ?? listener
}
