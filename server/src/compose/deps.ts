import type { Logger } from 'pino'
import type { PasswordHasher } from '../auth/hashing.ts'
import type { Checker } from '../bundles/checker.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/engine.ts'
import type { Standby } from '../db/standby.ts'
import type { Load } from '../http/shedding.ts'
import type { Tracing } from '../outbound/tracing.ts'

/** What a registry is built from. Tests pass other clocks, folders and loads than a process does. */
export interface Deps {
  config: Pick<
    Config,
    | 'dataDir'
    | 'trustedProxies'
    | 'clientCertProxies'
    | 'encryptionKey'
    | 'logEncryptionKey'
    | 'logPolicy'
    | 'keyModule'
    | 'dnsServers'
    | 'egressAllow'
    | 'smtpUrl'
    | 'mailFrom'
    | 'contactEmail'
    | 'securityContact'
    | 'securityPolicy'
    | 'repositoryUrl'
    | 'eventRetentionDays'
    | 'hub'
    | 'github'
    | 'google'
    | 'oidcIssuers'
    | 'trustedRoot'
    | 'protectedNames'
    | 'rateLimits'
    | 'linksPerDay'
    | 'modelsPerDay'
    | 'modelsTotal'
    | 'linkRetentionDays'
    | 'checkAnswers'
  >
  database: Database
  /** Default: lists are read from the database as well. */
  standby?: Standby | undefined
  log: Logger
  publicUrl: string
  /** Milliseconds since 1970. */
  now: () => number
  webDir?: string
  /** Entries per file of the sitemap. */
  sitemapLength?: number | undefined
  /** Default: no traces. */
  tracing?: Tracing | undefined
  /** How busy the process is. Default: measured. */
  readLoad?: (() => Load) | undefined
  /** Where bundles are checked. Default: a thread of its own. */
  checker?: Checker | undefined
  /** Default: hashes as costly as they should be. */
  passwords?: PasswordHasher | undefined
}
