import { createHash, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import { createNewId } from '../../server/src/ids.ts'
import { createApiKey } from '../../server/src/keys/rules.ts'
import { skeletonOf } from '../../server/src/names/rules.ts'
import { type Server, startServer } from './processes.ts'

export const root = fileURLToPath(new URL('../../', import.meta.url))
/** What starts the server in production. */
export const registryProgram = ['--initial-old-space-size=128', join(root, 'server/bin/countersign-server.cjs')]

/** The server creates one provider, one model and one deployment; all others are copies of their rows. */
const providerCount = 1_000
const modelsOfEach = 10
const requestCount = 2_000

export interface World {
  /** A folder on the repository's disk: on an in-memory file system, commits would cost nothing. */
  folder: string
  issuer: string
  /** Environment variables for every server that opens a copy of the database. */
  env: (copy: string) => Record<string, string>
  /** File with requests that mint links for all providers in turn. */
  mintRequests: string
  /** Providers whose deployments have keys, in the order of the requests. */
  tenants: readonly Tenant[]
  /** An owner, and two of its models. */
  owner: { apiKey: string; models: readonly [string, string] }
  /** Starts the built server, with production settings, on a copy of the database. */
  startRegistry: (copy: string, env?: Record<string, string>, core?: 'any') => Promise<Server>
  /** The file for a server's output. */
  log: (name: string) => string
  databaseOf: (copy: string) => string
  /** A fresh copy of the database under that name. */
  copy: (name: string) => string
  write: (name: string, text: string) => string
  remove: () => Promise<void>
}

const issuer = 'https://registry.example'

const call = async (server: Server, path: string, body: unknown, apiKey = ''): Promise<Record<string, string>> => {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(apiKey && { 'X-API-Key': apiKey }) },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as Record<string, string>
  if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`)
  return answer
}

const registerOne = async (server: Server) => {
  const { provider_id = '', api_key = '' } = await call(server, '/api/v1/providers/register', {
    company_name: 'Acme Labs',
    email: 'ops@acme.example',
    website: 'https://acme.example',
  })
  const { model_id = '' } = await call(
    server,
    '/api/v1/models/register',
    {
      display_name: 'Atlas Chat',
      api_model_identifier: 'atlas-chat',
      version: '1.0.0',
      description: 'A model that answers questions about maps.',
      endpoint: 'https://api.acme.example/v1',
      model_digest: `sha256:${'9f2c41d7'.repeat(8)}`,
    },
    api_key,
  )
  const { deployment_id = '' } = await call(
    server,
    '/api/v1/deployments/register',
    { spki_fingerprint: randomBytes(32).toString('hex') },
    api_key,
  )
  await call(server, `/api/v1/models/${model_id}/allow-deployment`, { deployment_id }, api_key)
  return provider_id
}

type Row = Record<string, unknown>

export interface Tenant {
  key: string
  domain: string
  fingerprint: string
  /** The key of its deployment: ECDSA P-256, as `deployments keygen` makes it. */
  pair: { publicKey: KeyObject; privateKey: KeyObject }
  models: string[]
}

/** Copies the provider's rows until the database is as large as a busy registry's. */
const multiply = (file: string, provider_id: string): Tenant[] => {
  const database = new Sqlite(file)
  const newId = createNewId(Date.now)
  const templateOf = (table: string, owner: string): Row =>
    database
      .prepare(`select * from ${table} where ${table === 'providers' ? 'id' : 'provider_id'} = ?`)
      .get(owner) as Row
  const adder = (table: string, of = provider_id) => {
    const template = templateOf(table, of)
    const columns = Object.keys(template)
    const insert = database.prepare(
      `insert into ${table} (${columns.map((name) => `"${name}"`).join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    )
    return (changes: Row) => insert.run(Object.values({ ...template, ...changes }))
  }
  const add = {
    provider: adder('providers'),
    domain: adder('provider_domains'),
    key: adder('api_keys'),
    model: adder('models'),
    deployment: adder('deployments'),
    authorization: adder('authorizations'),
    // The transparency log has what links rest on, for all of them in the one entry about the registry's key.
    fact: adder('log_facts', 'registry'),
  }
  const tenants = database.transaction(() =>
    Array.from({ length: providerCount }, (_, number): Tenant => {
      const created_at = Date.now() - number * 3_600_000
      const owner = newId('prv')
      const deployment_id = newId('dep')
      const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const spki = pair.publicKey.export({ type: 'spki', format: 'der' })
      const fingerprint = createHash('sha256').update(spki).digest('hex')
      const { key, lookup, hash, prefix } = createApiKey()
      const domain = `acme-${number}.example`
      const company_name = `Acme Labs ${number}`
      add.provider({
        id: owner,
        created_at,
        company_name,
        name_skeleton: skeletonOf(company_name),
        domain,
        website: `https://${domain}`,
        domain_verified_at: Date.now(),
        domain_checked_at: Date.now(),
        name_since: Date.now(),
        domain_since: Date.now(),
        domain_verification_method: 'dns',
      })
      add.domain({
        provider_id: owner,
        domain,
        method: 'dns',
        verified_at: Date.now(),
        proven_since: Date.now(),
        checked_at: Date.now(),
        due_at: null,
      })
      add.fact({ provider_id: owner, subject: owner, fact: `domain ${domain}`, type: 'domain.proven' })
      add.key({ provider_id: owner, id: newId('key'), lookup, hash, key_prefix: prefix, last_used_at: Date.now() })
      add.deployment({
        provider_id: owner,
        id: deployment_id,
        spki_fingerprint: fingerprint,
        proven_at: Date.now(),
        proven_by: 'mtls',
        last_proven_at: Date.now(),
      })
      const models = Array.from({ length: modelsOfEach }, (_, index) => {
        const id = newId('mdl')
        add.model({ provider_id: owner, id, created_at: created_at + index, api_model_identifier: `atlas-${index}` })
        add.authorization({ provider_id: owner, model_id: id, deployment_id })
        add.fact({ provider_id: owner, subject: id, fact: 'version', type: 'version.registered' })
        add.fact({
          provider_id: owner,
          subject: deployment_id,
          fact: `authorization ${id}`,
          type: 'deployment.authorized',
        })
        return id
      })
      return { key, domain, fingerprint, pair, models }
    }),
  )()
  database.prepare('delete from jobs').run()
  database.close()
  return tenants
}

/** About 575 bytes of JSON. */
export const mintBody = ({ domain, models }: Tenant, number: number): string =>
  JSON.stringify({
    model_id: models[number % models.length],
    user_fingerprint: randomBytes(16).toString('hex'),
    challenge: `blue heron ${number}`,
    origin: `https://chat.${domain}`,
    prompt: 'Which of the two lakes on this map lies higher, and how much? '.repeat(4),
    metadata: { session: randomBytes(12).toString('hex'), region: 'eu-north', plan: 'team' },
  })

/** A whole request, with these header lines as well. */
export const mintRequest = ({ key }: Tenant, body: string, ...lines: string[]): string =>
  [
    'POST /api/v1/create-verification HTTP/1.1',
    'Host: registry.example',
    'User-Agent: bench',
    'Accept: application/json',
    `X-API-Key: ${key}`,
    ...lines,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')

export const indexRuns = "select 1 from jobs where name = 'search-index' and last_run_at is not null"

/** Lets the registry index the copied rows, so that no server does it during a measurement. */
export const settle = async (server: Server, isIndexed: () => boolean | Promise<boolean>) => {
  for (const deadline = Date.now() + 300_000; !(await isIndexed()); await wait(200))
    if (Date.now() > deadline) throw new Error('The search index was not built in time.')
  await server.kill()
}

const settleFile = async (server: Server, file: string) => {
  const database = new Sqlite(file)
  const runs = database.prepare(indexRuns)
  await settle(server, () => runs.get() !== undefined)
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.close()
}

export const createWorld = async (): Promise<World> => {
  const folder = join(root, '.data', `bench-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const encryptionKey = randomBytes(32).toString('hex')
  const databaseOf = (copy: string) => join(folder, copy, 'countersign.db')
  const log = (name: string) => join(folder, `${name}.log`)
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const env = (copy: string) => ({
    DATA_DIR: join(folder, copy),
    PUBLIC_URL: issuer,
    KEY_ENCRYPTION_KEY: encryptionKey,
    TRUSTED_PROXIES: '127.0.0.1',
    CLIENT_CERT_PROXIES: '127.0.0.1',
    // No DNS lookups during a measurement.
    DNS_RESOLVERS: '127.0.0.1:53,127.0.0.2:53',
  })
  const startRegistry = (copy: string, more: Record<string, string> = {}, core?: 'any') =>
    startServer('Countersign', registryProgram, { ...env(copy), ...more }, log(copy), core)

  const first = await startRegistry('seed')
  const provider_id = await registerOne(first)
  await first.kill()
  const tenants = multiply(databaseOf('seed'), provider_id)
  await settleFile(await startRegistry('seed'), databaseOf('seed'))
  const mixed = tenants.map((_, number) => tenants[(number * 7) % tenants.length] as Tenant)
  // As a deployment behind the provider's proxy sends them.
  const requests = Array.from({ length: requestCount }, (_, number) => {
    const tenant = mixed[number % mixed.length] as Tenant
    return mintRequest(tenant, mintBody(tenant, number), `X-Client-Cert-Fingerprint: ${tenant.fingerprint}`)
  })

  return {
    folder,
    issuer,
    env,
    databaseOf,
    log,
    write,
    mintRequests: write('mint.json', JSON.stringify(requests)),
    tenants: mixed,
    owner: { apiKey: tenants[0]?.key ?? '', models: [tenants[0]?.models[0] ?? '', tenants[0]?.models[1] ?? ''] },
    startRegistry,
    copy: (name) => {
      mkdirSync(join(folder, name), { recursive: true })
      copyFileSync(databaseOf('seed'), databaseOf(name))
      return name
    },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}
