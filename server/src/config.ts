import { hkdfSync, randomBytes } from 'node:crypto'
import { getServers } from 'node:dns'
import { chmodSync, existsSync, linkSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { publisherIssuers } from '@countersign/sdk/contract'
import { type LogPolicy, parsePolicy } from '@countersign/sdk/log'
import { createFileDurably, syncFolder } from './durable-file.ts'
import { readProtectedNames } from './names/rules.ts'

/** An invalid setting; names what was expected. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

interface Setting<T> {
  /** The expected value, for people. */
  expected: string
  means: string
  default: string
  parse: (text: string) => T | undefined
  /** An invalid value is not printed, because it contains a secret. */
  isSecret?: true
}

const setting = <T>(row: Setting<T>) => row

const port = (text: string) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined)
const count = (most: number) => (text: string) =>
  /^[1-9]\d{0,9}$/.test(text) && Number(text) <= most ? Number(text) : undefined
const optional =
  <T>(parse: (text: string) => T | undefined) =>
  (text: string) =>
    text === '' ? null : parse(text)
const list =
  <T>(parse: (text: string) => T | undefined) =>
  (text: string) => {
    const items = text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
      .map(parse)
    return items.every((item) => item !== undefined) ? (items as T[]) : undefined
  }

const webOrigin = (text: string) => {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  return ['http:', 'https:'].includes(url.protocol) && url.href === `${url.origin}/` ? url.origin : undefined
}

/** The base address of a service. Without TLS only on this machine. */
const serviceUrl = (text: string) => {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const isBare = url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackUrl(text))
  return isBare && isSafe ? url.href.replace(/\/+$/, '') : undefined
}

/** `https://ci.example`, or `gitlab=https://gitlab.example` if its tokens have the format of GitLab's. */
const issuer = (text: string) => {
  const [, kind = 'other', address = ''] = /^(?:(github|gitlab|other)=)?(.+)$/.exec(text) ?? []
  const url = serviceUrl(address)
  return url === undefined ? undefined : { kind: kind as 'github' | 'gitlab' | 'other', issuer: url }
}

const emailAddress = /^[^\s@<>"]+@[^\s@<>"]+$/

const readableFile = (text: string) => (existsSync(text) ? readFileSync(text) : undefined)

const logPolicy = (text: string): LogPolicy | undefined => {
  try {
    return parsePolicy(readFileSync(text, 'utf8'))
  } catch {
    return undefined
  }
}

const addressAndPort = (text: string) => {
  const [, host = '', digits = ''] = /^\[?([0-9a-fA-F:.]+?)\]?:(\d{1,5})$/.exec(text) ?? []
  return isIP(host) && port(digits) !== undefined ? { host, port: Number(digits), text } : undefined
}

/** `192.0.2.53`, or `192.0.2.53:5353`. */
const resolver = (text: string) => addressAndPort(text) ?? (isIP(text) ? { host: text, port: 53, text } : undefined)

/** `127.0.0.1:8080`, or `acme.example=127.0.0.1:8080` to map a name to that address. */
const egressException = (text: string) => {
  const [, name, address = ''] = /^(?:([a-z0-9.-]+)=)?(.+)$/.exec(text) ?? []
  const found = addressAndPort(address)
  return found && { name: name ?? null, host: found.host, port: found.port }
}

const subnet = (text: string) => {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0) return undefined
  const widest = family === 4 ? 32 : 128
  // An empty number of bits would mean 0: every address.
  const prefix = bits === undefined ? widest : /^\d{1,3}$/.test(bits) ? Number(bits) : -1
  return rest.length === 0 && prefix >= 0 && prefix <= widest
    ? { address, prefix, family: family === 4 ? ('ipv4' as const) : ('ipv6' as const) }
    : undefined
}

const databaseUrl = (text: string) =>
  /^(postgres|postgresql):\/\/.+/.test(text) || /^sqlite:.+/.test(text) ? text : undefined

const postgresUrl = (text: string) => (/^(postgres|postgresql):\/\/.+/.test(text) ? text : undefined)

const encryptionKey = (text: string) => {
  const isBase64 = /^[A-Za-z0-9+/]{43}=$/.test(text)
  if (!isBase64 && !/^[0-9a-f]{64}$/i.test(text)) return undefined
  const bytes = Buffer.from(text, isBase64 ? 'base64' : 'hex')
  return bytes.length === 32 ? bytes : undefined
}

const oneOf =
  <const T extends string>(...values: readonly T[]) =>
  (text: string) =>
    values.find((value) => value === text)

/** Every environment variable that the server reads. `docs/self-hosting.md` is generated from this table. */
export const settings = {
  PORT: setting({
    expected: 'a port from 0 to 65535',
    means: 'Port of the API and the console',
    default: '4100',
    parse: port,
  }),
  HOST: setting({
    expected: 'an address or host name to listen on',
    means: 'Address to listen on',
    default: '127.0.0.1',
    parse: (text) => (/^[\w.:-]+$/.test(text) ? text : undefined),
  }),
  PUBLIC_URL: setting({
    expected: 'an http or https origin such as https://registry.example',
    means:
      'Address under which people reach the registry; issuer of its tokens. Default: localhost and PORT if HOST is 127.0.0.1 or ::1, else HOST and PORT',
    default: '',
    parse: optional(webOrigin),
  }),
  DATA_DIR: setting({
    expected: 'a folder',
    means: 'Folder of the embedded database and generated keys',
    default: '.data',
    parse: (text) => resolve(text),
  }),
  DATABASE_URL: setting({
    expected: 'postgres://… or sqlite:FILE',
    means: 'Database. Default: SQLite in DATA_DIR',
    default: '',
    parse: optional(databaseUrl),
    isSecret: true,
  }),
  DATABASE_READ_URL: setting({
    expected: 'postgres://…',
    means:
      'Streaming standby of DATABASE_URL. Lists and searches of requests without credentials are read there; see docs/operating.md. Unset: everything is read from DATABASE_URL',
    default: '',
    parse: optional(postgresUrl),
    isSecret: true,
  }),
  DATABASE_READ_MAX_LAG: setting({
    expected: 'a number of seconds from 2 to 3600',
    means: 'While the standby is further behind than this, everything is read from DATABASE_URL',
    default: '5',
    parse: (text) => (/^\d{1,4}$/.test(text) && Number(text) >= 2 && Number(text) <= 3_600 ? Number(text) : undefined),
  }),
  DATABASE_WAIT: setting({
    expected: 'a number of seconds up to 3600',
    means: 'How long a start waits for PostgreSQL to answer; the log says what it waits for',
    default: '60',
    parse: (text) => (/^\d{1,4}$/.test(text) && Number(text) <= 3_600 ? Number(text) : undefined),
  }),
  TLS_PORT: setting({
    expected: 'a port from 0 to 65535',
    means: 'Port of the mutual TLS listener. Unset: no such listener',
    default: '',
    parse: optional(port),
  }),
  TLS_CERT_FILE: setting({
    expected: 'a readable PEM file',
    means: 'Certificate chain of the TLS listener',
    default: '',
    parse: optional(readableFile),
  }),
  TLS_KEY_FILE: setting({
    expected: 'a readable PEM file',
    means: 'Private key of the TLS listener',
    default: '',
    parse: optional(readableFile),
  }),
  TRUSTED_PROXIES: setting({
    expected: 'addresses or subnets such as 10.0.0.0/8, separated by commas',
    means:
      "Proxies whose X-Forwarded-For header is trusted, so that rate limits apply to each visitor behind them. They can't prove a client certificate",
    default: '',
    parse: list(subnet),
  }),
  CLIENT_CERT_PROXIES: setting({
    expected: 'addresses or subnets such as 10.0.0.7, separated by commas',
    means:
      'Proxies that terminate mutual TLS: only their Client-Cert and X-Client-Cert-* headers prove a deployment. They must remove these headers from incoming requests',
    default: '',
    parse: list(subnet),
  }),
  METRICS_PORT: setting({
    expected: 'a port from 0 to 65535',
    means: 'Port of the Prometheus metrics; 0 for none',
    default: '0',
    parse: port,
  }),
  METRICS_HOST: setting({
    expected: 'an address or host name to listen on',
    means:
      'Address of the metrics. They need no login: use another address than loopback only if nothing but Prometheus can reach it',
    default: '127.0.0.1',
    parse: (text) => (/^[\w.:-]+$/.test(text) ? text : undefined),
  }),
  KEY_ENCRYPTION_KEY: setting({
    expected: '32 bytes as 64 hex characters or base64',
    means: 'Encrypts the signing keys at rest. Default: generated once into DATA_DIR/key-encryption-key',
    default: '',
    parse: optional(encryptionKey),
    isSecret: true,
  }),
  NEW_KEY_ENCRYPTION_KEY: setting({
    expected: '32 bytes as 64 hex characters or base64',
    means: 'New key for `countersign-server keys reencrypt`. Default: generated in DATA_DIR',
    default: '',
    parse: optional(encryptionKey),
    isSecret: true,
  }),
  LOG_KEY_ENCRYPTION_KEY: setting({
    expected: '32 bytes as 64 hex characters or base64',
    means:
      'Encrypts the keys of the transparency log, so that one stolen key does not open both. Default: in DATA_DIR/log-key-encryption-key, generated once; without that file, derived from KEY_ENCRYPTION_KEY if that is set',
    default: '',
    parse: optional(encryptionKey),
    isSecret: true,
  }),
  LOG_POLICY: setting({
    expected: 'a readable policy file (c2sp.org/tlog-policy)',
    means:
      'Witnesses of the transparency log with their addresses, and which of them are a quorum. Unset: the log has no witnesses',
    default: '',
    parse: optional(logPolicy),
  }),
  PKCS11_MODULE: setting({
    expected: 'a readable file: the library of a PKCS#11 module',
    means:
      'Library of the hardware security module in which signing keys are made and used; see docs/operating.md. Unset: signing keys are in the database, encrypted',
    default: '',
    parse: optional((text) => (existsSync(text) ? resolve(text) : undefined)),
  }),
  PKCS11_TOKEN: setting({
    expected: 'up to 32 bytes',
    means: 'Label of its token',
    default: '',
    parse: optional((text) => (Buffer.byteLength(text) <= 32 ? text : undefined)),
  }),
  PKCS11_PIN: setting({
    expected: 'a PIN',
    means: 'PIN of the token’s user',
    default: '',
    parse: optional((text) => text),
    isSecret: true,
  }),
  PKCS11_KEY_LABEL: setting({
    expected: 'a label',
    means: 'Label of the keys that are made there',
    default: 'countersign',
    parse: (text) => text,
  }),
  DNS_RESOLVERS: setting({
    expected: 'at least two addresses, or address:port, separated by commas',
    means:
      "DNS resolvers for domain proofs; all must agree. Choose ones run by different operators. Default: the system's resolvers; at least two, unless PUBLIC_URL is a loopback address",
    default: '',
    parse: list(resolver),
  }),
  DEV_DNS_SERVERS: setting({
    expected: 'address:port, separated by commas',
    means:
      'DNS servers that a development registry asks for domain proofs and addresses; only while PUBLIC_URL is a loopback address',
    default: '',
    parse: list(addressAndPort),
  }),
  GITHUB_CLIENT_ID: setting({
    expected: 'a client id',
    means: 'OAuth application for signing in with GitHub; see docs/sign-in.md. Unset: no sign-in with GitHub',
    default: '',
    parse: optional((text) => text),
  }),
  GITHUB_CLIENT_SECRET: setting({
    expected: 'a client secret',
    means: 'Secret of that application',
    default: '',
    parse: optional((text) => text),
    isSecret: true,
  }),
  GITHUB_URL: setting({
    expected: 'an https address',
    means: 'GitHub, or a GitHub Enterprise Server',
    default: 'https://github.com',
    parse: serviceUrl,
  }),
  GITHUB_API_URL: setting({
    expected: 'an https address',
    means: 'Its REST API',
    default: 'https://api.github.com',
    parse: serviceUrl,
  }),
  GOOGLE_CLIENT_ID: setting({
    expected: 'a client id',
    means: 'OAuth client for signing in with Google; see docs/sign-in.md. Unset: no sign-in with Google',
    default: '',
    parse: optional((text) => text),
  }),
  GOOGLE_CLIENT_SECRET: setting({
    expected: 'a client secret',
    means: 'Secret of that client',
    default: '',
    parse: optional((text) => text),
    isSecret: true,
  }),
  GOOGLE_ISSUER: setting({
    expected: 'an https address',
    means: 'OpenID Connect issuer of Google',
    default: 'https://accounts.google.com',
    parse: serviceUrl,
  }),
  OIDC_ISSUERS: setting({
    expected: 'https addresses, separated by commas, prefixed with github= or gitlab= for servers of those kinds',
    means:
      'Issuers whose CI jobs may publish and whose identities providers may trust, in addition to GitHub Actions and gitlab.com: gitlab=https://gitlab.acme.example for your own GitLab; see docs/ci.md',
    default: '',
    parse: list(issuer),
  }),
  SMTP_URL: setting({
    expected: 'smtp://host:port or smtps://user:password@host',
    means:
      'Server for outgoing email. Default: each email is written to DATA_DIR/outbox and, while PUBLIC_URL is a loopback address, its link to the log',
    default: '',
    parse: optional((text) => (/^smtps?:\/\/.+/.test(text) && URL.canParse(text) ? text : undefined)),
    isSecret: true,
  }),
  MAIL_FROM: setting({
    expected: 'an address such as Countersign <no-reply@registry.example>',
    means: 'Sender of emails. Default: no-reply at the host of PUBLIC_URL',
    default: '',
    parse: optional((text) => (/^[^\r\n]*@[^\r\n]+$/.test(text) ? text : undefined)),
  }),
  CONTACT_EMAIL: setting({
    expected: 'an email address',
    means: "Contact address of the operator; shown on the registry's pages. Default: contact at the host of PUBLIC_URL",
    default: '',
    parse: optional((text) => (emailAddress.test(text) ? text : undefined)),
  }),
  SECURITY_CONTACT: setting({
    expected: 'an email address or an https address',
    means: 'Where to report vulnerabilities, in /.well-known/security.txt. Default: CONTACT_EMAIL',
    default: '',
    parse: optional((text) =>
      emailAddress.test(text)
        ? `mailto:${text}`
        : /^https:\/\/\S+$/.test(text) && URL.canParse(text)
          ? text
          : undefined,
    ),
  }),
  SECURITY_POLICY: setting({
    expected: 'an https address',
    means: 'Page with your rules for reporting vulnerabilities, in /.well-known/security.txt. Default: no such line',
    default: '',
    parse: optional((text) => (/^https:\/\/\S+$/.test(text) && URL.canParse(text) ? text : undefined)),
  }),
  EVENT_RETENTION_DAYS: setting({
    expected: 'a number of days from 30 to 36500',
    means:
      'Days after which entries of the audit trail are deleted. They show what a leaked key did, so keep a year or more. Default: kept forever',
    default: '',
    parse: optional((text) =>
      /^\d{2,5}$/.test(text) && Number(text) >= 30 && Number(text) <= 36_500 ? Number(text) : undefined,
    ),
  }),
  RATE_LIMITS: setting({
    expected: 'on or off',
    means: 'Off only for load tests, while PUBLIC_URL is a loopback address',
    default: 'on',
    parse: oneOf('on', 'off'),
  }),
  DEV_EGRESS_ALLOW: setting({
    expected: 'address:port or name=address:port, separated by commas',
    means:
      'Addresses of this machine that the registry may connect to, without TLS; only while PUBLIC_URL is a loopback address',
    default: '',
    parse: list(egressException),
  }),
  HF_ENDPOINT: setting({
    expected: 'an https address',
    means:
      "Model hub from which model cards are read at a provider's request; the console lets browsers connect to it as well",
    default: 'https://huggingface.co',
    parse: serviceUrl,
  }),
  HF_TOKEN: setting({
    expected: 'a token of the hub',
    means:
      'Read token that raises the hub’s rate limit. It is sent to HF_ENDPOINT only, and never used to read private or gated models',
    default: '',
    parse: optional((text) => (/^[\x21-\x7e]+$/.test(text) ? text : undefined)),
    isSecret: true,
  }),
  TRUSTED_ROOT: setting({
    expected: 'a file or an https address of a trusted_root.json',
    means:
      'Trusted certificate authorities and logs for signed bundles. A file is read again when it changes, an address every hour. Default: the public Sigstore’s, as of this release',
    default: '',
    parse: optional((text) =>
      /^https:\/\/./.test(text) && URL.canParse(text) ? text : existsSync(text) ? resolve(text) : undefined,
    ),
  }),
  PROTECTED_NAMES: setting({
    expected: 'a file whose lines contain a name and its domain, such as: Acme Labs acme.example',
    means:
      'Company names reserved for their domains, look-alikes included. Other providers that request such a name are rejected; those that already have it are not listed',
    default: '',
    parse: (text) => (text === '' ? [] : existsSync(text) ? readProtectedNames(readFileSync(text, 'utf8')) : undefined),
  }),
  LINKS_PER_DAY: setting({
    expected: 'a number from 1 to 1000000000',
    means: 'Links that a provider with a proven domain may mint per day (UTC)',
    default: '1000000',
    parse: count(1_000_000_000),
  }),
  LINKS_PER_DAY_UNPROVEN: setting({
    expected: 'a number from 1 to 1000000000',
    means: 'Links that a provider without a proven domain may mint per day (UTC)',
    default: '1000',
    parse: count(1_000_000_000),
  }),
  LINK_RETENTION_DAYS: setting({
    expected: 'a number from 1 to 3650',
    means:
      'Days that links are stored after they expire. Meanwhile, their providers see them, and their pages say that they have expired',
    default: '30',
    parse: count(3_650),
  }),
  LOG_LEVEL: setting({
    expected: 'fatal, error, warn, info, debug or silent',
    means: 'How much to log',
    default: 'info',
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent'),
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting({
    expected: 'an http or https address without a password',
    means:
      'Base address of an OpenTelemetry collector (OTLP over HTTP). It gets a span for each request and job, without addresses or identities. Unset: no traces',
    default: '',
    parse: optional((text) => {
      if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return undefined
      const url = new URL(text)
      return url.username === '' && url.search === '' ? url.href.replace(/\/+$/, '') : undefined
    }),
  }),
  CHECK_ANSWERS: setting({
    expected: 'true or false',
    means: 'Check every response against its schema before it is sent: for tests and development',
    default: 'false',
    parse: (text) => ({ true: true, false: false })[text],
  }),
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

const loopback = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/

export const isLoopbackUrl = (url: string) => loopback.test(new URL(url).hostname)

const inUrl = (host: string) => (host.includes(':') ? `[${host}]` : host)

export const isLoopbackHost = (host: string) => loopback.test(inUrl(host))

/** `localhost` may mean either address: if another program had the second one, it would get our requests. */
const twins: Readonly<Record<string, string>> = { '127.0.0.1': '::1', '::1': '127.0.0.1' }

/** The other loopback address, on which the registry listens as well. */
export const twinOf = (host: string): string | undefined => twins[host]

/** On loopback a name, because browsers do not bind passkeys to addresses. */
export const defaultPublicUrl = (host: string, port: number) =>
  `http://${twinOf(host) === undefined ? inUrl(host) : 'localhost'}:${port}`

const keyFileOf = (dataDir: string) => join(dataDir, 'key-encryption-key')

/** Completes a replacement: the file has the new key once everything is encrypted with it. */
export const replaceKeyFile = ({ dataDir }: Pick<Config, 'dataDir'>) => {
  const file = keyFileOf(dataDir)
  // At each moment there is a key in the file: a start without one would generate another.
  rmSync(`${file}.old`, { force: true })
  linkSync(file, `${file}.old`)
  renameSync(`${file}.new`, file)
  syncFolder(dataDir)
}

/** The key to encrypt with from now on: the given one, or one in a file beside the present one. */
export const readNewKey = ({ dataDir, newEncryptionKey }: Pick<Config, 'dataDir' | 'newEncryptionKey'>): Buffer => {
  if (newEncryptionKey) return newEncryptionKey
  const file = `${keyFileOf(dataDir)}.new`
  createFileDurably(file, `${randomBytes(32).toString('base64')}\n`)
  const key = encryptionKey(readFileSync(file, 'utf8').trim())
  if (!key) throw new ConfigError(`${file} must hold 32 bytes as base64. Delete it.`)
  return key
}

const readEncryptionKey = (given: Buffer | null, dataDir: string, isStart: boolean): Buffer => {
  if (given) return given
  const file = keyFileOf(dataDir)
  if (!existsSync(file)) {
    // A command works on a registry that exists, so a new key would be the wrong one.
    if (!isStart) throw new ConfigError(`There is no ${file}. Set KEY_ENCRYPTION_KEY or DATA_DIR.`)
    createFileDurably(file, `${randomBytes(32).toString('base64')}\n`)
  }
  chmodSync(file, 0o600)
  const key = encryptionKey(readFileSync(file, 'utf8').trim())
  if (!key) throw new ConfigError(`${file} must hold 32 bytes as base64. It was changed; restore it from a backup.`)
  return key
}

const logKeyFileOf = (dataDir: string) => join(dataDir, 'log-key-encryption-key')

/** Null for a command on a registry that has no log yet. */
const readLogEncryptionKey = (values: Values, isStart: boolean): Buffer | null => {
  const { LOG_KEY_ENCRYPTION_KEY: given, KEY_ENCRYPTION_KEY: tokens, DATA_DIR: dataDir } = values
  if (given) return given
  const file = logKeyFileOf(dataDir)
  if (!existsSync(file)) {
    if (tokens) return deriveLogKey(tokens)
    if (!isStart) return null
    createFileDurably(file, `${randomBytes(32).toString('base64')}\n`)
  }
  chmodSync(file, 0o600)
  const key = encryptionKey(readFileSync(file, 'utf8').trim())
  if (!key) throw new ConfigError(`${file} must hold 32 bytes as base64. It was changed; restore it from a backup.`)
  return key
}

/** Replicas share KEY_ENCRYPTION_KEY, but not the files in DATA_DIR. */
export const deriveLogKey = (tokens: Buffer) => Buffer.from(hkdfSync('sha256', tokens, '', 'countersign log keys', 32))

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
export const readConfig = (environment: NodeJS.ProcessEnv = process.env, { isStart = true } = {}) => {
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
        ? { port: values.TLS_PORT, cert: values.TLS_CERT_FILE, key: values.TLS_KEY_FILE }
        : null,
    trustedProxies: values.TRUSTED_PROXIES,
    clientCertProxies: values.CLIENT_CERT_PROXIES,
    metricsPort: values.METRICS_PORT,
    metricsHost: values.METRICS_HOST,
    encryptionKey: readEncryptionKey(values.KEY_ENCRYPTION_KEY, values.DATA_DIR, isStart),
    newEncryptionKey: values.NEW_KEY_ENCRYPTION_KEY,
    logEncryptionKey: readLogEncryptionKey(values, isStart),
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
    linkRetentionDays: values.LINK_RETENTION_DAYS,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    contactEmail: values.CONTACT_EMAIL,
    securityContact: values.SECURITY_CONTACT,
    securityPolicy: values.SECURITY_POLICY,
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
export const readCommandConfig = () => readConfig(process.env, { isStart: false })
