import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { Agent } from 'node:https'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from '@countersign/sdk'
import { spkiFingerprint } from '@countersign/sdk/node'
import pg from 'pg'
import { createActors, type ProviderActor } from '../../tests/support/actors.ts'
import { ask, type Question, type Reply } from '../../tests/support/ask.ts'
import { createSelfSigned } from '../../tests/support/certificates.ts'
import { startDnsServers } from '../../tests/support/dns-server.ts'
import { readOutbox } from '../../tests/support/mails.ts'
import { findPgbouncer, startPgbouncer } from '../../tests/support/pgbouncer.ts'
import { findFreePort, startPostgres } from '../../tests/support/postgres.ts'
import { type Drill, type Fault, must } from './support/fault.ts'
import { startNginx } from './support/nginx.ts'
import { type Replica, startReplica } from './support/replica.ts'
import { startSwitch } from './support/switch.ts'

const query = async (url: string, text: string) => {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(text)).rows as Record<string, unknown>[]
  } finally {
    await client.end()
  }
}

/** A primary whose commits wait for its standby, behind an address that can be moved, behind PgBouncer. */
const startDatabase = async (drill: Drill) => {
  const program = await findPgbouncer()
  must(program !== undefined, 'PgBouncer is neither installed nor in Debian’s packages')
  const postgres = await startPostgres({ durable: true })
  drill.onEnd(postgres.stop)
  const standby = await postgres.startStandby()
  drill.onEnd(standby.stop)
  await query(postgres.urlOf('postgres'), "alter system set synchronous_standby_names = '*'")
  await query(postgres.urlOf('postgres'), 'select pg_reload_conf()')
  const isSynchronous = async () =>
    (await query(postgres.urlOf('postgres'), "select 1 from pg_stat_replication where sync_state = 'sync'")).length > 0
  while (!(await isSynchronous())) await wait(100)
  const network = await startSwitch(postgres.port)
  drill.onEnd(network.stop)
  const throughSwitch = new URL(postgres.urlOf('postgres'))
  throughSwitch.port = String(network.port)
  const pooler = await startPgbouncer(program, throughSwitch.href)
  drill.onEnd(pooler.stop)
  return {
    url: pooler.urlOf(postgres.urlOf('postgres')),
    standbyUrl: standby.urlOf('postgres'),
    failOver: async () => {
      await postgres.end('SIGQUIT')
      network.to(standby.port)
      await query(standby.urlOf('postgres'), 'select pg_promote()')
    },
  }
}

interface Ledger {
  links: string[]
  /** Identifiers of acknowledged models. */
  models: string[]
  reads: number
  /** Reads that were answered 503 with `Retry-After`, and then repeated. */
  failedReads: number
  retried: number
  /** How often each answer made a client repeat a request. */
  answers: Record<string, number>
}

/** Statuses after which a client repeats a request: the proxy lost the replica, or the registry the database. */
const repeatable = [502, 503, 504]

/**
 * Clients that write down what was acknowledged. A write that failed is repeated: a link because another one does no harm, a registration
 * with the same `Idempotency-Key`. Reads are repeated by nginx when it loses a replica, and by the client after a 503.
 */
const startClients = (send: (path: string, question?: Question) => Promise<Reply>, owners: readonly Owner[]) => {
  const ledger: Ledger = { links: [], models: [], reads: 0, failedReads: 0, retried: 0, answers: {} }
  const faults: string[] = []
  let isOver = false
  const count = (kind: string, reply: Reply | undefined) => {
    const answer = `${kind} ${reply === undefined ? 'lost' : (reply.body.code ?? reply.status)}`
    ledger.answers[answer] = (ledger.answers[answer] ?? 0) + 1
  }

  const write = async (path: string, owner: Owner, body: object) => {
    let key = randomBytes(8).toString('hex')
    for (let attempt = 1; ; attempt++) {
      const headers = { 'X-API-Key': owner.apiKey, 'Idempotency-Key': key }
      const reply = await send(path, { method: 'POST', headers, body }).catch(() => undefined)
      if (reply?.status === 201) return reply.body
      // The replica was killed between storing the model and the answer: it is stored.
      if (attempt > 1 && reply?.body.error === 'model_exists') return reply.body
      count('write', reply)
      // The first attempt was lost more than a minute ago: as the answer asks for, try with a new key. `model_exists` says that it was stored.
      if (reply?.body.code === 'idempotency_unfinished') {
        key = randomBytes(8).toString('hex')
        continue
      }
      // 409: the first attempt is still in progress, or was lost less than a minute ago.
      if (reply && !repeatable.includes(reply.status) && reply.body.code !== 'idempotency_in_flight') {
        faults.push(`${path}: ${reply.status} ${reply.text.slice(0, 300)}`)
        return undefined
      }
      ledger.retried++
      await wait(100)
    }
  }

  const read = async (path: string) => {
    for (;;) {
      const reply = await send(path)
      if (reply.status === 200) {
        ledger.reads++
        return
      }
      // nginx repeats reads on another replica, so the only failure is a 503 of the registry itself.
      if (reply.status !== 503 || reply.headers['retry-after'] === undefined) {
        faults.push(`GET ${path}: ${reply.status} ${reply.text.slice(0, 300)}`)
        return
      }
      ledger.failedReads++
      count('read', reply)
      await wait(100)
    }
  }

  const work = async (owner: Owner, index: number) => {
    for (let turn = index; !isOver; turn++) {
      if (turn % 4 === 0) {
        const identifier = `model-${randomBytes(6).toString('hex')}`
        const made = await write('/api/v1/models/register', owner, {
          display_name: 'Atlas Chat',
          api_model_identifier: identifier,
          version: '1.0.0',
          description: 'A model that answers questions about maps.',
          endpoint: 'https://api.acme.example/v1',
        })
        if (made) ledger.models.push(identifier)
      } else if (turn % 4 === 1) {
        const made = await write('/api/v1/create-verification', owner, { model_id: owner.model_id })
        if (made) ledger.links.push(String(made.verification_url))
      } else {
        const link = ledger.links.at(-1)
        await read(link && turn % 4 === 2 ? `/api/v1/verify/${encodeURIComponent(link)}` : '/api/v1/models/public')
      }
    }
  }
  const all = Promise.all(owners.map(work))
  void all.catch(() => {})

  return {
    ledger,
    /** Waits until this many more writes were acknowledged. */
    more: async (count: number) => {
      const enough = ledger.links.length + ledger.models.length + count
      const deadline = performance.now() + 60_000
      while (ledger.links.length + ledger.models.length < enough) {
        must(faults.length === 0, `a request failed: ${faults[0]}`)
        must(performance.now() < deadline, `fewer than ${count} writes in a minute`)
        await wait(20)
      }
    },
    stop: async () => {
      isOver = true
      await all
      must(faults.length === 0, `${faults.length} requests failed: ${faults[0]}`)
    },
  }
}

interface Owner extends ProviderActor {
  model_id: string
}

/** A link is revoked and a key ends on every replica at once, and all of them accept one session. */
const checkSharing = async (replicas: readonly Replica[], owner: ProviderActor) => {
  const [first] = replicas
  must(first !== undefined, 'there is no replica')
  const on = ({ url }: Replica, apiKey?: string) => createClient({ baseURL: url, apiKey, maxRetries: 0 })
  for (const [index, replica] of replicas.entries()) {
    const other = replicas[(index + 1) % replicas.length] ?? replica
    const { api_key, id } = await on(replica, owner.apiKey).keys.create({ name: `key ${index}`, scopes: ['full'] })
    for (const each of replicas) await on(each, api_key).providers.me()
    await on(other, owner.apiKey).keys.revoke(id, {})
    for (const each of replicas) {
      const { status } = await ask(`${each.url}/api/v1/providers/me`, { headers: { 'X-API-Key': api_key } })
      must(status === 401, `a revoked key got ${status} from another replica`)
    }
  }
  const model_id = await owner.registerModel()
  const { verification_url } = await on(first, owner.apiKey).verifications.create({ model_id })
  const path = `/api/v1/verify/${encodeURIComponent(verification_url)}`
  for (const each of replicas) must((await ask(`${each.url}${path}`)).status === 200, 'a link is not known everywhere')
  await on(first, owner.apiKey).models.archive(model_id, { reason: 'Replaced' })
  for (const each of replicas) {
    const { status } = await ask(`${each.url}${path}`)
    must(status === 400, `a link of an archived model got ${status} from another replica`)
  }
}

const readMails = async (replicas: readonly Replica[], to?: string) =>
  (
    await Promise.all(
      replicas.map(({ folder }) => (existsSync(join(folder, 'outbox')) ? readOutbox(folder, to) : Promise.resolve([]))),
    )
  ).flat()

/** Signs in as the owner does: with a password that is set by email. Emails may be written by any replica. */
const signIn = async (replicas: readonly Replica[], owner: ProviderActor) => {
  const [first, second] = replicas
  must(first !== undefined && second !== undefined, 'there are no replicas')
  const { email } = await owner.client.providers.me()
  const next = async (count: number) => {
    const deadline = performance.now() + 30_000
    for (;;) {
      const mails = await readMails(replicas, email ?? '')
      if (mails.length >= count) return mails
      must(performance.now() < deadline, 'an email was not sent within 30 s')
      await wait(100)
    }
  }
  const before = (await readMails(replicas, email ?? '')).length
  await owner.client.auth.sendVerification({})
  const verification = (await next(before + 1)).find(({ code }) => code !== undefined)
  await owner.client.auth.verifyEmail({ verification_code: verification?.code ?? '' })
  await createClient({ baseURL: second.url }).auth.forgotPassword({ email: email ?? '' })
  const isReset = (link: string | undefined) => link !== undefined && new URL(link).searchParams.has('token')
  let token: string | null = null
  while (token === null) {
    const found = (await readMails(replicas, email ?? '')).find(({ link }) => isReset(link))
    token = found?.link ? new URL(found.link).searchParams.get('token') : null
    await wait(100)
  }
  return (await createClient({ baseURL: first.url }).auth.setPassword({ token, password: 'a quiet heron at dawn' }))
    .token
}

/** A network may register five times an hour on all replicas together. */
const checkLimits = async (replicas: readonly Replica[]) => {
  const statuses: number[] = []
  for (let turn = 0; turn < 9; turn++) {
    const name = `limit${turn}`
    const { status } = await ask(`${replicas[turn % replicas.length]?.url}/api/v1/providers/register`, {
      method: 'POST',
      headers: { 'X-Forwarded-For': '198.51.100.7' },
      body: { company_name: `${name} Labs`, email: `a@${name}.example`, website: `https://${name}.example` },
    })
    statuses.push(status)
  }
  const allowed = statuses.filter((status) => status === 201).length
  must(allowed === 5, `${allowed} of 9 registrations were allowed, not 5: ${statuses.join(' ')}`)
}

/** Names of the files of all outboxes: an email that two replicas sent would be there twice. */
const mailFiles = (replicas: readonly Replica[]) =>
  replicas.flatMap(({ folder }) => (existsSync(join(folder, 'outbox')) ? readdirSync(join(folder, 'outbox')) : []))

const checkLedger = async (database: string, send: (path: string) => Promise<Reply>, { links, models }: Ledger) => {
  must(new Set(links).size === links.length, 'two requests got the same link')
  const left = [...links]
  const worker = async () => {
    for (let link = left.pop(); link !== undefined; link = left.pop()) {
      const { status } = await send(`/api/v1/verify/${encodeURIComponent(link)}`)
      must(status === 200, `an acknowledged link got ${status}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  const rows = await query(
    database,
    "select api_model_identifier as name, count(*)::int as count from models where api_model_identifier like 'model-%' group by 1",
  )
  const stored = new Map(rows.map(({ name, count }) => [name, count]))
  const lost = models.filter((name) => !stored.has(name))
  must(lost.length === 0, `${lost.length} acknowledged models are lost`)
  must(
    [...stored.values()].every((count) => count === 1),
    'a model is stored twice',
  )
}

export const fault: Fault = {
  name: 'replicas',
  does: 'three replicas behind nginx: restarted one after the other, one killed, and the database failed over',
  run: async (drill) => {
    const database = await startDatabase(drill)
    const dns = await startDnsServers()
    drill.onEnd(dns.close)
    const proxyPort = await findFreePort()
    const settings = {
      DATABASE_URL: database.url,
      PUBLIC_URL: `https://localhost:${proxyPort}`,
      KEY_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
      TRUSTED_PROXIES: '127.0.0.1',
      CLIENT_CERT_PROXIES: '127.0.0.1',
      DEV_DNS_SERVERS: dns.addresses.join(','),
      RATE_LIMITS: 'off',
    }
    const replicas: Replica[] = []
    for (let index = 0; index < 3; index++) replicas.push(await startReplica(drill, settings))
    const [first] = replicas
    must(first !== undefined, 'there is no replica')
    const nginx = await startNginx(
      drill,
      proxyPort,
      replicas.map(({ port }) => port),
    )
    const agent = new Agent({ keepAlive: true, ca: nginx.ca, maxSockets: 64 })
    drill.onEnd(() => agent.destroy())
    const send = (path: string, question: Question = {}) =>
      ask(`https://localhost:${proxyPort}${path}`, { agent, ...question })

    const { provider } = createActors({
      clientFor: (apiKey) => createClient({ baseURL: first.url, apiKey, maxRetries: 0 }),
      dns,
    })
    const owners: Owner[] = []
    for (let index = 0; index < 8; index++) {
      const owner = await provider(`acme${index}`)
      owners.push({ ...owner, model_id: await owner.registerModel() })
    }
    const [owner] = owners
    must(owner !== undefined, 'there is no provider')

    const own = await createSelfSigned('chat.acme.example')
    await owner.registerDeployment([owner.model_id], spkiFingerprint(own.cert).hex)
    const proven = await ask(`https://localhost:${proxyPort}/api/v1/create-verification`, {
      method: 'POST',
      tls: { ca: nginx.ca, cert: own.cert, key: own.key },
      headers: { 'X-API-Key': owner.apiKey },
      body: { model_id: owner.model_id },
    })
    must(proven.body.deployment_binding === 'proxy', `nginx did not forward the certificate: ${proven.text}`)
    await checkSharing(replicas, owner)
    const session = await signIn(replicas, owner)

    const clients = startClients(send, owners)
    await clients.more(100)
    for (const replica of replicas) {
      must((await replica.end('SIGTERM')) === 0, `a replica did not stop cleanly\n${replica.log().slice(-2_000)}`)
      await clients.more(30)
      await replica.start()
      await clients.more(30)
    }
    const { retried: afterRestart, failedReads: readsAfterRestart } = clients.ledger
    drill.say(
      `restarted, ${clients.ledger.links.length + clients.ledger.models.length} writes, ${afterRestart} repeated: ${JSON.stringify(clients.ledger.answers)}`,
    )
    for (const replica of replicas.slice(0, drill.times(3))) {
      await replica.end('SIGKILL')
      await clients.more(30)
      await replica.start()
    }
    await clients.more(30)
    const afterKills = clients.ledger.retried
    drill.say(
      `killed, ${clients.ledger.links.length + clients.ledger.models.length} writes, ${afterKills} repeated: ${JSON.stringify(clients.ledger.answers)}`,
    )
    const started = performance.now()
    await database.failOver()
    await clients.more(1)
    const outageMs = performance.now() - started
    await clients.more(100)
    await clients.stop()

    await checkLedger(database.standbyUrl, send, clients.ledger)
    await checkSharing(replicas, owner)
    for (const { url } of replicas) {
      const { status } = await ask(`${url}/api/v1/providers/me`, { headers: { Authorization: `Bearer ${session}` } })
      must(status === 200, `a session got ${status} from another replica`)
    }
    const files = mailFiles(replicas)
    must(new Set(files).size === files.length, 'an email was sent twice')
    for (const replica of replicas) {
      await replica.end('SIGTERM')
      await replica.start({ RATE_LIMITS: 'on' })
    }
    await checkLimits(replicas)
    const { links, models, reads, failedReads, retried } = clients.ledger
    return `3 restarts, ${drill.times(3)} kills, 1 failover (writes after ${Math.round(outageMs)} ms): ${links.length} links and ${models.length} models kept once, ${reads} reads, none lost by nginx, ${readsAfterRestart} got 503 in restarts and ${failedReads - readsAfterRestart} later; writes repeated by clients: ${afterRestart} in restarts, ${afterKills - afterRestart} after kills, ${retried - afterKills} in the failover`
  },
}
