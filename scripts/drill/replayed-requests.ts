import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { Agent } from 'node:http'
import { createClient } from '@countersign/sdk'
import { spkiFingerprint } from '@countersign/sdk/node'
import { requestSigner } from '@countersign/sdk/signer'
import pg from 'pg'
import { createActors } from '../../tests/support/actors.ts'
import { ask, type Reply } from '../../tests/support/ask.ts'
import { startDnsServers } from '../../tests/support/dns-server.ts'
import { startPostgres } from '../../tests/support/postgres.ts'
import { type Fault, must } from './support/fault.ts'
import { startReplica } from './support/replica.ts'

const issuer = 'https://localhost'
const path = '/api/v1/create-verification'
/** Half of them together with the original, half after it was answered. */
const replaysOfEach = 100
/** Originals whose replays are sent at the same time. */
const lanes = 4

const countLinks = async (url: string): Promise<number> => {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query('select count(*)::int as count from verifications')).rows[0].count
  } finally {
    await client.end()
  }
}

interface Captured {
  headers: Record<string, string>
  body: string
}

/** Signs requests that are only captured. */
const createCapture = (pem: string, apiKey: string, body: object) => async (): Promise<Captured> => {
  let captured: Captured | undefined
  const send = requestSigner({
    key: pem,
    fetch: async (url, init) => {
      const request = new Request(url, init)
      captured = { headers: Object.fromEntries(request.headers), body: await request.text() }
      return new Response()
    },
  })
  await send(`${issuer}${path}`, {
    method: 'POST',
    headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  must(captured !== undefined, 'no request was captured')
  return captured
}

export const fault: Fault = {
  name: 'replayed-requests',
  does: 'signed mint requests, captured and sent a hundred times more to three replicas, on PostgreSQL',
  limitMinutes: 30,
  run: async (drill) => {
    const postgres = await startPostgres({ durable: true })
    drill.onEnd(postgres.stop)
    const dns = await startDnsServers()
    drill.onEnd(dns.close)
    const settings = {
      DATABASE_URL: postgres.urlOf('postgres'),
      PUBLIC_URL: issuer,
      KEY_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
      DEV_DNS_SERVERS: dns.addresses.join(','),
      RATE_LIMITS: 'off',
    }
    const replicas = [await startReplica(drill, settings)]
    while (replicas.length < 3) replicas.push(await startReplica(drill, settings))
    const { provider } = createActors({
      clientFor: (apiKey) => createClient({ baseURL: replicas[0]?.url ?? '', apiKey, maxRetries: 0 }),
      dns,
    })
    const acme = await provider('acme')
    const model_id = await acme.registerModel({ require_deployment_proof: true })
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { hex } = spkiFingerprint(publicKey.export({ type: 'spki', format: 'der' }))
    await acme.registerDeployment([model_id], hex)
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const capture = createCapture(pem, acme.apiKey, { model_id })

    const agent = new Agent({ keepAlive: true, maxSockets: 64 })
    drill.onEnd(() => agent.destroy())
    let sent = 0
    const sendCopies = ({ headers, body }: Captured, count: number): Promise<Reply[]> =>
      Promise.all(
        Array.from({ length: count }, () =>
          ask(`${replicas[sent++ % replicas.length]?.url}${path}`, { method: 'POST', headers, body, agent }),
        ),
      )
    const originals = drill.times(1_000)
    let left = originals
    let replays = 0
    const work = async () => {
      while (left-- > 0) {
        const captured = await capture()
        const half = replaysOfEach / 2
        const replies = [...(await sendCopies(captured, 1 + half)), ...(await sendCopies(captured, half))]
        const accepted = replies.filter(({ status }) => status === 201)
        must(accepted.length === 1, `of ${replies.length} copies of one request, ${accepted.length} were accepted`)
        const other = replies.find(({ status, body }) => status !== 201 && body.code !== 'signature_invalid')
        must(other === undefined, `a replay got ${other?.status}: ${other?.text.slice(0, 300)}`)
        replays += replies.length - 1
      }
    }
    const started = performance.now()
    await Promise.all(Array.from({ length: lanes }, work))
    const seconds = Math.round((performance.now() - started) / 1_000)
    const links = await countLinks(settings.DATABASE_URL)
    must(links === originals, `${originals} originals left ${links} links`)
    return `${replays} replays of ${originals} requests over 3 replicas in ${seconds} s: 0 accepted, each original once, ${links} links`
  },
}
