import { getServers } from 'node:dns'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { publisherIssuers } from '@countersign/sdk/contract'
import { isLoopbackHost, isLoopbackUrl } from './hosts.ts'
import { logKeyFileOf, type MissingKey, readEncryptionKey, readLogEncryptionKey } from './key-files.ts'
import { identities } from './settings/identities.ts'
import { keys } from './settings/keys.ts'
import { limits } from './settings/limits.ts'
import { listening } from './settings/listening.ts'
import { logging } from './settings/logging.ts'
import { operator } from './settings/operator.ts'
import { outgoing } from './settings/outgoing.ts'
import { ConfigError, postgresUrl, type Setting } from './settings/setting.ts'
import { storage } from './settings/storage.ts'

/** Every environment variable that the server reads. `docs/self-hosting.md` is generated from this table. */
export const settings = {
  ...listening,
  ...storage,
  ...keys,
  ...outgoing,
  ...identities,
  ...operator,
  ...limits,
  ...logging,
} as const satisfies Record<string, Setting<unknown>>

type Settings = typeof settings
type Values = { [Name in keyof Settings]: Exclude<ReturnType<Settings[Name]['parse']>, undefined> }

/** A secret can also be read from the file that `NAME_FILE` names, as containers mount them. */
const givenOf = (environment: NodeJS.ProcessEnv, name: string, isSecret: boolean): string | undefined => {
  const given = environment[name]?.trim()
  const file = isSecret ? environment[`${name}_FILE`]?.trim() : undefined
  if (file === undefined || file === '') return given
  if (given !== undefined && given !== '') throw new ConfigError(`Set ${name} or ${name}_FILE, not both.`)
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new ConfigError(`${name}_FILE must be a readable file: ${(error as Error).message}`)
  }
}

const readSettings = (environment: NodeJS.ProcessEnv): Values =>
  Object.fromEntries(
    Object.entries(settings).map(([name, row]) => {
      const given = givenOf(environment, name, 'isSecret' in row)
      const value = row.parse(given === undefined || given === '' ? row.default : given)
      if (value === undefined)
        throw new ConfigError(
          `${name} must be ${row.expected}${row.isSecret ? '' : `; it is ${JSON.stringify(given)}`}.`,
        )
      return [name, value]
    }),
  ) as Values

/** The setting that a port in an error comes from. */
export const portSettingOf = (port: unknown): string =>
  ['METRICS_PORT', 'TLS_PORT'].find((name) => process.env[name]?.trim() === String(port)) ?? 'PORT'

/** With one resolver, a single hijacked or poisoned one could prove any domain to anyone. */
const checkResolvers = (given: Values['DNS_RESOLVERS']) => {
  const resolvers = new Set(given.length > 0 ? given.map(({ host, port }) => `${host} ${port}`) : getServers())
  if (resolvers.size < 2)
    throw new ConfigError(
      `DNS_RESOLVERS must name at least two resolvers; ${given.length > 0 ? `${given.length} is given` : `the system has ${resolvers.size}`}.`,
    )
}

export interface OauthClient {
  id: string
  secret: string
}

const oauthClientOf = (values: Values, name: 'GITHUB' | 'GOOGLE'): OauthClient | null => {
  const id = values[`${name}_CLIENT_ID`]
  const secret = values[`${name}_CLIENT_SECRET`]
  if ((id === null) !== (secret === null))
    throw new ConfigError(`Set ${name}_CLIENT_ID and ${name}_CLIENT_SECRET together.`)
  return id !== null && secret !== null ? { id, secret } : null
}

/** A PKCS#11 module reads its own settings. The registry's, some of them secret, are not passed on. */
const withoutSettings = (environment: NodeJS.ProcessEnv) => {
  const own = new Set(Object.keys(settings).flatMap((name) => [name, `${name}_FILE`]))
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !own.has(name)))
}

const keyModuleOf = (values: Values, environment: NodeJS.ProcessEnv) => {
  const { PKCS11_MODULE: module, PKCS11_TOKEN: token, PKCS11_PIN: pin, PKCS11_KEY_LABEL: keyLabel } = values
  if (module === null) return null
  if (token === null || pin === null) throw new ConfigError('PKCS11_MODULE needs PKCS11_TOKEN and PKCS11_PIN.')
  return { module, token, pin, keyLabel, environment: withoutSettings(environment) }
}

export type Config = ReturnType<typeof readConfig>

/**
 * Reads and checks the environment. Throws `ConfigError` at the first invalid value. At the first start it creates the key encryption key.
 */
export const readConfig = (environment: NodeJS.ProcessEnv = process.env, missingKey: MissingKey = 'create') => {
  const values = readSettings(environment)
  const publicUrl = values.PUBLIC_URL
  if (values.TLS_PORT !== null && !(values.TLS_CERT_FILE && values.TLS_KEY_FILE)) {
    throw new ConfigError('TLS_PORT needs TLS_CERT_FILE and TLS_KEY_FILE.')
  }
  if (values.DATABASE_READ_URL !== null && !postgresUrl(values.DATABASE_URL ?? ''))
    throw new ConfigError('DATABASE_READ_URL needs DATABASE_URL with the address of the PostgreSQL primary.')
  const developmentOnly = {
    DEV_DNS_SERVERS: values.DEV_DNS_SERVERS.length > 0,
    DEV_EGRESS_ALLOW: values.DEV_EGRESS_ALLOW.length > 0,
    'RATE_LIMITS=off': values.RATE_LIMITS === 'off',
  }
  for (const [name, isUsed] of Object.entries(developmentOnly)) {
    if (!isUsed) continue
    if (publicUrl !== null && !isLoopbackUrl(publicUrl))
      throw new ConfigError(`${name} works only while PUBLIC_URL is a loopback address.`)
    if (publicUrl === null && !isLoopbackHost(values.HOST)) {
      throw new ConfigError(`${name} works only while PUBLIC_URL or HOST is a loopback address.`)
    }
  }
  if (publicUrl !== null && !isLoopbackUrl(publicUrl)) checkResolvers(values.DNS_RESOLVERS)
  return {
    port: values.PORT,
    host: values.HOST,
    publicUrl,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL ?? `sqlite:${join(values.DATA_DIR, 'countersign.db')}`,
    databaseWaitMs: values.DATABASE_WAIT * 1_000,
    standby:
      values.DATABASE_READ_URL === null
        ? null
        : { url: values.DATABASE_READ_URL, maxLagMs: values.DATABASE_READ_MAX_LAG * 1_000 },
    tls:
      values.TLS_PORT !== null && values.TLS_CERT_FILE && values.TLS_KEY_FILE
        ? {
            port: values.TLS_PORT,
            cert: values.TLS_CERT_FILE.content,
            key: values.TLS_KEY_FILE.content,
            files: { cert: values.TLS_CERT_FILE.file, key: values.TLS_KEY_FILE.file },
          }
        : null,
    trustedProxies: values.TRUSTED_PROXIES,
    clientCertProxies: values.CLIENT_CERT_PROXIES,
    metricsPort: values.METRICS_PORT,
    metricsHost: values.METRICS_HOST,
    encryptionKey: readEncryptionKey(values.KEY_ENCRYPTION_KEY, values.DATA_DIR, missingKey),
    newEncryptionKey: values.NEW_KEY_ENCRYPTION_KEY,
    logEncryptionKey: readLogEncryptionKey(
      { given: values.LOG_KEY_ENCRYPTION_KEY, tokens: values.KEY_ENCRYPTION_KEY, dataDir: values.DATA_DIR },
      missingKey === 'create',
    ),
    newLogEncryptionKey: values.NEW_LOG_KEY_ENCRYPTION_KEY,
    /** Null: it is in a file in DATA_DIR, or derived. */
    givenLogEncryptionKey: values.LOG_KEY_ENCRYPTION_KEY,
    isLogKeyDerived:
      values.LOG_KEY_ENCRYPTION_KEY === null &&
      values.KEY_ENCRYPTION_KEY !== null &&
      !existsSync(logKeyFileOf(values.DATA_DIR)),
    logPolicy: values.LOG_POLICY,
    /** Null: the key is in a file in DATA_DIR. */
    givenEncryptionKey: values.KEY_ENCRYPTION_KEY,
    keyModule: keyModuleOf(values, environment),
    dnsServers: values.DEV_DNS_SERVERS.length > 0 ? values.DEV_DNS_SERVERS : values.DNS_RESOLVERS,
    egressAllow: values.DEV_EGRESS_ALLOW,
    protectedNames: values.PROTECTED_NAMES,
    rateLimits: values.RATE_LIMITS,
    linksPerDay: { proven: values.LINKS_PER_DAY, unproven: values.LINKS_PER_DAY_UNPROVEN },
    modelsPerDay: { proven: values.MODELS_PER_DAY, unproven: values.MODELS_PER_DAY_UNPROVEN },
    modelsTotal: { proven: values.MODELS_TOTAL, unproven: values.MODELS_TOTAL_UNPROVEN },
    linkRetentionDays: values.LINK_RETENTION_DAYS,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    contactEmail: values.CONTACT_EMAIL,
    securityContact: values.SECURITY_CONTACT,
    securityPolicy: values.SECURITY_POLICY,
    repositoryUrl: values.REPOSITORY_URL,
    eventRetentionDays: values.EVENT_RETENTION_DAYS,
    github: { url: values.GITHUB_URL, apiUrl: values.GITHUB_API_URL, client: oauthClientOf(values, 'GITHUB') },
    google: { issuer: values.GOOGLE_ISSUER, client: oauthClientOf(values, 'GOOGLE') },
    oidcIssuers: [
      ...(['github', 'gitlab'] as const).map((kind) => ({ kind, issuer: publisherIssuers[kind] })),
      ...values.OIDC_ISSUERS,
    ],
    trustedRoot: values.TRUSTED_ROOT,
    hub: { endpoint: values.HF_ENDPOINT, token: values.HF_TOKEN },
    logLevel: values.LOG_LEVEL,
    checkAnswers: values.CHECK_ANSWERS,
    tracesEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
  }
}

/** For a command that works on an existing registry, and must not create a key. */
export const readCommandConfig = () => readConfig(process.env, 'reject')

/** For `doctor`, which also checks the settings of a registry that was never started. */
export const readDoctorConfig = () => readConfig(process.env, 'ignore')
