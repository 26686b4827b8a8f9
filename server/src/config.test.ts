import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readConfig, settings } from './config.ts'
import { defaultPublicUrl, isLoopbackUrl, otherLoopbackOf } from './hosts.ts'
import { ConfigError } from './settings/setting.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-config-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const read = (environment: NodeJS.ProcessEnv = {}) => readConfig({ DATA_DIR: folder, ...environment })

it('has a default for everything', () => {
  expect(read()).toMatchObject({
    port: 4_100,
    host: '127.0.0.1',
    publicUrl: null,
    databaseUrl: `sqlite:${join(folder, 'countersign.db')}`,
    tls: null,
    trustedProxies: [],
    clientCertProxies: [],
    metricsPort: 0,
    dnsServers: [],
    github: { url: 'https://github.com', apiUrl: 'https://api.github.com', client: null },
    google: { issuer: 'https://accounts.google.com', client: null },
    logLevel: 'info',
    checkAnswers: false,
  })
  expect(read({ PORT: '', PUBLIC_URL: ' ' })).toMatchObject({ port: 4_100, publicUrl: null })
})

it('takes a standby only beside a PostgreSQL primary', () => {
  const standby = { DATABASE_READ_URL: 'postgres://standby.example/registry' }
  expect(() => read(standby)).toThrow('DATABASE_READ_URL needs DATABASE_URL')
  expect(() => read({ ...standby, DATABASE_URL: 'sqlite:registry.db' })).toThrow('DATABASE_READ_URL needs')
  const primary = { DATABASE_URL: 'postgres://db.example/registry' }
  expect(read({ ...standby, ...primary }).standby).toEqual({ url: standby.DATABASE_READ_URL, maxLagMs: 5_000 })
  expect(read(primary).standby).toBeNull()
  expect(() => read({ ...standby, ...primary, DATABASE_READ_MAX_LAG: '1' })).toThrow('DATABASE_READ_MAX_LAG')
})

it('reads the given values', () => {
  const config = read({
    PORT: '0',
    HOST: '::1',
    PUBLIC_URL: 'http://localhost:4100/',
    DATABASE_URL: 'postgres://user@db.example/registry',
    TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.1,2001:db8::/32',
    DEV_DNS_SERVERS: '127.0.0.1:5353,[::1]:53',
    DEV_EGRESS_ALLOW: '127.0.0.1:8080, acme.example=[::1]:8081',
    RATE_LIMITS: 'off',
    KEY_ENCRYPTION_KEY: 'ab'.repeat(32),
    GITHUB_CLIENT_ID: 'registry',
    GITHUB_CLIENT_SECRET: 'quiet',
    GITHUB_URL: 'https://git.acme.example/',
    GITHUB_API_URL: 'https://git.acme.example/api/v3/',
    GOOGLE_ISSUER: 'http://127.0.0.1:9000',
    CHECK_ANSWERS: 'true',
  })
  expect(config).toMatchObject({
    port: 0,
    host: '::1',
    publicUrl: 'http://localhost:4100',
    databaseUrl: 'postgres://user@db.example/registry',
    trustedProxies: [
      { address: '10.0.0.0', prefix: 8, family: 'ipv4' },
      { address: '192.0.2.1', prefix: 32, family: 'ipv4' },
      { address: '2001:db8::', prefix: 32, family: 'ipv6' },
    ],
    dnsServers: [
      { host: '127.0.0.1', port: 5_353 },
      { host: '::1', port: 53 },
    ],
    egressAllow: [
      { name: null, host: '127.0.0.1', port: 8_080 },
      { name: 'acme.example', host: '::1', port: 8_081 },
    ],
    rateLimits: 'off',
    linksPerDay: { proven: 1_000_000, unproven: 1_000 },
    modelsPerDay: { proven: 10_000, unproven: 1_000 },
    modelsTotal: { proven: 100_000, unproven: 2_000 },
    linkRetentionDays: 30,
    github: {
      url: 'https://git.acme.example',
      apiUrl: 'https://git.acme.example/api/v3',
      client: { id: 'registry', secret: 'quiet' },
    },
    google: { issuer: 'http://127.0.0.1:9000', client: null },
    checkAnswers: true,
  })
  expect(config.encryptionKey.toString('hex')).toBe('ab'.repeat(32))
})

it.each<[name: keyof typeof settings, value: string]>([
  ['PORT', 'http'],
  ['LINKS_PER_DAY', '0'],
  ['LINK_RETENTION_DAYS', '0'],
  ['LINKS_PER_DAY', '1e6'],
  ['MODELS_TOTAL_UNPROVEN', '0'],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '80.5'],
  ['HOST', 'a b'],
  ['PUBLIC_URL', 'registry.example'],
  ['PUBLIC_URL', 'ftp://registry.example'],
  ['PUBLIC_URL', 'https://registry.example/path'],
  ['PUBLIC_URL', 'https://user:secret@registry.example'],
  ['PUBLIC_URL', 'https://:secret@registry.example'],
  ['PUBLIC_URL', 'https://registry.example/#x'],
  ['CONTACT_EMAIL', 'nobody'],
  ['CONTACT_EMAIL', 'a@b.example\nBcc: c@d.example'],
  ['DATABASE_URL', 'mysql://db.example'],
  ['GITHUB_URL', 'http://git.acme.example'],
  ['GITHUB_API_URL', 'https://api.acme.example?x=1'],
  ['GOOGLE_ISSUER', 'https://user:secret@issuer.example'],
  ['TLS_PORT', 'yes'],
  ['TLS_CERT_FILE', '/nowhere/cert.pem'],
  ['TRUSTED_PROXIES', 'true'],
  ['CLIENT_CERT_PROXIES', 'true'],
  ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ['TRUSTED_PROXIES', '10.0.0.0/8,proxy.example'],
  ['TRUSTED_PROXIES', '10.0.0.0/'],
  ['METRICS_PORT', 'x'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://user:secret@traces.example'],
  ['SECURITY_CONTACT', 'javascript:alert(1)'],
  ['SECURITY_POLICY', 'http://registry.example/policy'],
  ['REPOSITORY_URL', 'javascript:alert(1)'],
  ['EVENT_RETENTION_DAYS', '7'],
  ['METRICS_HOST', '0.0.0.0/0'],
  ['KEY_ENCRYPTION_KEY', 'too short'],
  ['KEY_ENCRYPTION_KEY', 'ab'.repeat(31)],
  ['DEV_DNS_SERVERS', 'localhost:53'],
  ['DEV_DNS_SERVERS', '127.0.0.1'],
  ['DEV_EGRESS_ALLOW', '127.0.0.1'],
  ['DEV_EGRESS_ALLOW', 'acme.example=localhost:80'],
  ['RATE_LIMITS', 'none'],
  ['LOG_LEVEL', 'loud'],
  ['CHECK_ANSWERS', 'yes'],
])('rejects %s=%j and says what was expected', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(ConfigError)
  expect(() => read({ [name]: value })).toThrow(`${name} must be ${settings[name].expected}`)
})

it('does not print an invalid secret', () => {
  for (const [name, value] of [
    ['KEY_ENCRYPTION_KEY', 'c2VjcmV0LXNlY3JldA=='],
    ['DATABASE_URL', 'mysql://user:hunter2@db.example'],
  ]) {
    expect(() => read({ [name ?? '']: value })).toThrow(
      expect.not.objectContaining({ message: expect.stringMatching(/c2VjcmV0|hunter2/) }),
    )
  }
})

it.each([
  { name: 'TLS without its files', environment: { TLS_PORT: '4143' } },
  {
    name: 'a development DNS server on a public registry',
    environment: { DEV_DNS_SERVERS: '127.0.0.1:53', PUBLIC_URL: 'https://registry.example' },
  },
  {
    name: 'unlimited requests on a public registry',
    environment: { RATE_LIMITS: 'off', PUBLIC_URL: 'https://registry.example' },
  },
  { name: 'unlimited requests on all addresses', environment: { RATE_LIMITS: 'off', HOST: '0.0.0.0' } },
  {
    name: 'private addresses on a public registry',
    environment: { DEV_EGRESS_ALLOW: '127.0.0.1:8080', PUBLIC_URL: 'https://registry.example' },
  },
  {
    name: 'one DNS resolver on a public registry',
    environment: { DNS_RESOLVERS: '192.0.2.53', PUBLIC_URL: 'https://registry.example' },
  },
  {
    name: 'the same DNS resolver twice on a public registry',
    environment: { DNS_RESOLVERS: '192.0.2.53,192.0.2.53', PUBLIC_URL: 'https://registry.example' },
  },
  { name: 'a DNS resolver by name', environment: { DNS_RESOLVERS: 'dns.example' } },
  {
    name: 'a development DNS server on all addresses',
    environment: { DEV_DNS_SERVERS: '127.0.0.1:53', HOST: '0.0.0.0' },
  },
])('rejects $name', ({ environment }) => {
  expect(() => read(environment)).toThrow(ConfigError)
})

it('makes a key once, readable only by its owner', () => {
  const { encryptionKey } = read()
  const file = join(folder, 'key-encryption-key')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(read().encryptionKey).toEqual(encryptionKey)
  expect(Buffer.from(readFileSync(file, 'utf8').trim(), 'base64')).toEqual(encryptionKey)
  writeFileSync(file, 'broken')
  expect(() => read()).toThrow(/must contain 32 bytes/)
})

it.each([
  ['http://localhost:4100', true],
  ['http://127.8.9.1', true],
  ['http://[::1]:4100', true],
  ['http://app.localhost', true],
  ['https://registry.example', false],
  ['https://127.0.0.1.registry.example', false],
  ['https://localhost.registry.example', false],
])('decides whether %s is loopback: %s', (url, isLoopback) => {
  expect(isLoopbackUrl(url)).toBe(isLoopback)
})

it.each([{ GITHUB_CLIENT_ID: 'registry' }, { GITHUB_CLIENT_SECRET: 'quiet' }, { GOOGLE_CLIENT_ID: 'registry' }])(
  'rejects half of an OAuth client: %j',
  (environment) => {
    expect(() => read(environment)).toThrow(/together/)
  },
)

it('reads a secret from the file that NAME_FILE names', () => {
  const file = join(folder, 'secret')
  writeFileSync(file, `${'ab'.repeat(32)}\n`)
  expect(read({ KEY_ENCRYPTION_KEY_FILE: file }).encryptionKey).toEqual(Buffer.from('ab'.repeat(32), 'hex'))
  expect(() => read({ KEY_ENCRYPTION_KEY_FILE: file, KEY_ENCRYPTION_KEY: 'ab'.repeat(32) })).toThrow(/not both/)
  expect(() => read({ SMTP_URL_FILE: join(folder, 'none') })).toThrow(/SMTP_URL_FILE must be a readable file/)
  writeFileSync(file, 'quiet')
  expect(() => read({ SMTP_URL_FILE: file })).toThrow(/^((?!quiet).)*$/)
})

it.each([
  ['127.0.0.1', 'http://localhost:4100', '::1'],
  ['::1', 'http://localhost:4100', '127.0.0.1'],
  ['192.0.2.7', 'http://192.0.2.7:4100', undefined],
  ['2001:db8::7', 'http://[2001:db8::7]:4100', undefined],
])('listens on %s as %s', (host, url, other) => {
  expect(defaultPublicUrl(host, 4_100)).toBe(url)
  expect(otherLoopbackOf(host)).toBe(other)
})
