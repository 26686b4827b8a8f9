import { randomUUID } from 'node:crypto'
import { contract, type Endpoint } from '@countersign/sdk/contract'
import { createActivityService } from '../activity/service.ts'
import { createAttentionService } from '../attention/service.ts'
import type { PasswordHasher } from '../auth/hashing.ts'
import type { Checker } from '../bundles/checker.ts'
import { createBundleService } from '../bundles/service.ts'
import { createChangeService } from '../changes/service.ts'
import { openFullText } from '../db/full-text/open.ts'
import type { ScopedDatabase } from '../db/scoped.ts'
import { createDeploymentService } from '../deployments/service.ts'
import { createDomainService } from '../domains/service.ts'
import { createEventRecorder } from '../events/service.ts'
import { createHealthService } from '../health/service.ts'
import { createHistoryService } from '../history/service.ts'
import type { Metrics } from '../http/metrics.ts'
import { createHubService } from '../hub/service.ts'
import type { NewId } from '../ids.ts'
import { createIncidentService } from '../incidents/service.ts'
import { createEncodeLogo } from '../logos/image.ts'
import { createLogoService } from '../logos/service.ts'
import { createMailService } from '../mail/service.ts'
import { createModelFileService } from '../model-files/service.ts'
import { createModelService } from '../models/service.ts'
import { createProtection } from '../names/rules.ts'
import { createNameService } from '../names/service.ts'
import { createResolveAddresses, createResolveTxt } from '../outbound/dns.ts'
import { createReadDomainFile } from '../outbound/domain-file.ts'
import { createEgress } from '../outbound/egress.ts'
import { createHub } from '../outbound/hub.ts'
import { createFetchImage } from '../outbound/image.ts'
import { createFindIssuerKey } from '../outbound/issuer-keys.ts'
import { createDeliverMail, defaultMailFrom } from '../outbound/mail.ts'
import { createReadRoot } from '../outbound/trusted-root.ts'
import { createProviderService } from '../providers/service.ts'
import { createPublisherService } from '../publishers/service.ts'
import { createReviewService } from '../reviews/service.ts'
import { createListings } from '../search/listings.ts'
import { createSearchService } from '../search/service.ts'
import { createKeyModule } from '../signing/pkcs11/process.ts'
import { createSigningService } from '../signing/service.ts'
import { createDisputes } from '../transparency/disputes.ts'
import { createLogFeeds } from '../transparency/feeds.ts'
import { createNearNames } from '../transparency/near.ts'
import { createNotices } from '../transparency/notices.ts'
import { createOwnEntries } from '../transparency/own-entries.ts'
import { createTransparencyService } from '../transparency/service.ts'
import { createVerdictProofs } from '../transparency/verdicts.ts'
import { createUsageService } from '../usage/service.ts'
import { createVerificationService } from '../verifications/service.ts'
import { createWeeklyService } from '../weekly/service.ts'
import { createWorkloadService } from '../workloads/service.ts'
import type { Deps } from './deps.ts'
import { outboxOf } from './outbox.ts'
import { createPeopleServices, createSignUpServices } from './people.ts'

interface ServiceDeps extends Pick<Deps, 'config' | 'standby' | 'log' | 'publicUrl' | 'now'> {
  database: ScopedDatabase
  newId: NewId
  checker: Checker
  passwords: PasswordHasher
  metrics: Metrics
  /** Visitors come from this machine only. */
  isDevelopment: boolean
}

/** The first words of an endpoint's summary, such as `Make a key`. */
const summaryOf = (name: string): string => {
  const [feature = '', endpoint = ''] = name.split('.')
  const { summary = name } = (contract as Record<string, Record<string, Endpoint>>)[feature]?.[endpoint] ?? {}
  return summary.split(/[;:.] /)[0] ?? summary
}

/** The services, in order of their dependencies. */
export const createServices = async ({
  config,
  database,
  standby,
  log,
  publicUrl,
  now,
  newId,
  checker,
  passwords,
  metrics,
  isDevelopment,
}: ServiceDeps) => {
  const protection = createProtection(config.protectedNames)
  const fullText = await openFullText(database)
  const listings = createListings({ database, fullText, protection, now })
  const search = createSearchService({ database, standby, fullText, protection, now, count: metrics.countListRead })
  const events = createEventRecorder({ now, newId })
  const keyModule = config.keyModule
    ? createKeyModule(config.keyModule, {
        onFailure: (err) => log.error({ err }, 'the PKCS#11 module failed; nothing can be signed without it'),
      })
    : undefined
  const signing = createSigningService({ database, events, encryptionKey: config.encryptionKey, keyModule, now })
  await signing.prepare()
  await signing.checkModule()
  const { hostname } = new URL(publicUrl)
  const mail = createMailService({
    database,
    publicUrl,
    now,
    newId,
    deliver: createDeliverMail({
      smtpUrl: config.smtpUrl,
      outbox: outboxOf(config),
      from: config.mailFrom ?? defaultMailFrom(hostname),
      host: hostname,
      // On a public registry, readers of the log must not be able to follow an email's link.
      onWritten: ({ file, link }) =>
        log.info({ file, link: isDevelopment ? link : undefined }, 'an email was written to the outbox'),
    }),
    onFailure: (id, err) => log.warn({ err, mail: id }, 'an email could not be sent'),
    onAbandoned: metrics.countAbandonedMail,
  })
  const resolveTxt = createResolveTxt(config.dnsServers)
  const shared = { config, database, events, mail, listings, signing, resolveTxt, log, publicUrl, now, newId }
  const isProxyTrusted = config.clientCertProxies.length > 0
  const accounts = createPeopleServices({ ...shared, passwords, protection, isProxyTrusted })
  const { keys, rateLimits, people, account, delays } = accounts
  const egress = createEgress({
    allow: config.egressAllow,
    own: hostname,
    resolve: createResolveAddresses(config.dnsServers),
  })
  const transparency = createTransparencyService({
    database,
    egress,
    encryptionKey: config.logEncryptionKey,
    policy: config.logPolicy,
    publicUrl,
    holder: randomUUID(),
    now,
    newId,
    onFailure: (err) => {
      log.error({ err }, 'the transparency log could not be written; it is tried again')
      return undefined
    },
    onHalt: (why) => log.error({ why }, 'the transparency log signs nothing until `countersign-server log recover`'),
  })
  await transparency.prepare()
  const notices = createNotices({ database, mail, publicUrl, now, newId })
  const domains = createDomainService({
    database,
    events,
    mail: notices,
    delays,
    listings,
    resolveTxt,
    readDomainFile: createReadDomainFile(egress),
    isDevelopment,
    now,
  })
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
    onFailure: (issuer, err) => log.warn({ issuer, err }, 'the keys of an issuer could not be fetched'),
  })
  const fetchImage = createFetchImage(egress)
  const logos = createLogoService({ database, events, encode: createEncodeLogo(), fetchImage, publicUrl, now, newId })
  const providers = createProviderService({
    database,
    events,
    keys,
    domains,
    logos,
    account,
    delays,
    listings,
    search,
    protection,
    now,
    newId,
  })
  const signUp = createSignUpServices({ ...shared, egress, providers, domains, isDevelopment }, accounts)
  const deployments = createDeploymentService({
    database,
    events,
    now,
    newId,
    onFailure: (err) => log.warn({ err }, 'the last use of a deployment could not be recorded'),
    isProxyTrusted,
  })
  const files = createModelFileService({ database })
  const usage = createUsageService({
    database,
    quotas: { linksPerDay: config.linksPerDay, modelsPerDay: config.modelsPerDay, modelsTotal: config.modelsTotal },
    isEnforced: config.rateLimits === 'on',
    now,
    onFailure: (err) => log.warn({ err }, 'the number of links could not be saved; it is tried again'),
  })
  const models = createModelService({
    database,
    events,
    deployments,
    files,
    listings,
    search,
    protection,
    usage,
    now,
    newId,
  })
  const history = createHistoryService({ database })
  const health = createHealthService({ database, events, models, egress, now })
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
    onFailure: (err) => log.warn({ err }, 'a bundle could not be checked at once'),
    onBadRoot: (why) =>
      log.error({ source: config.trustedRoot, why }, 'the trusted root cannot be used; the previous one stays in use'),
  })
  const workloads = createWorkloadService({
    database,
    events,
    keys,
    mail,
    deployments,
    tokens: publishers.tokens,
    issuers: config.oidcIssuers,
    publicUrl,
    now,
    newId,
  })
  const reviews = createReviewService({
    database,
    events,
    keys,
    deployments,
    publishers,
    workloads,
    people,
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
    listings,
    protection,
    isProxyTrusted,
    usage,
    standing: transparency.standing,
    publicUrl,
    now,
    newId,
    count,
  })
  const verdicts = createVerdictProofs({ transparency, verifications, signing, publicUrl, now })
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
  const activity = createActivityService({
    database,
    events,
    models,
    deployments,
    incidents,
    providers,
    mail,
    publicUrl,
    now,
  })
  const changes = createChangeService({ database, events, mail, summaryOf, publicUrl, now, newId })
  const weekly = createWeeklyService({ database, mail, publicUrl, now })

  return {
    ...accounts,
    ...signUp,
    activity,
    attention: createAttentionService({ database, usage, now, isProxyTrusted }),
    bundles,
    changes,
    deployments,
    domains,
    health,
    history,
    hub,
    incidents,
    listings,
    logFeeds: createLogFeeds({ database, protection, publicUrl, now }),
    logos,
    mail,
    models,
    names: createNameService({ database, mail, listings, protection, now }),
    disputes: createDisputes({ database, events, mail, publicUrl, now, newId }),
    nearNames: createNearNames({ database, now }),
    notices,
    ownEntries: createOwnEntries({ database, now }),
    providers,
    publishers,
    reviews,
    search,
    signing,
    transparency,
    usage,
    verdicts,
    verifications,
    weekly,
    workloads,
  }
}

export type Services = Awaited<ReturnType<typeof createServices>>
