import { once } from 'node:events'
import { connect } from 'node:net'
import { ApiError, TimeoutError } from '@countersign/sdk'
import { type Endpoint, type ErrorCode, errors, refusalsOf } from '@countersign/sdk/contract'
import { createRandom } from '../../random.ts'
import { type Drill, must } from './fault.ts'
import { createRequest, type FuzzRequest, type Known, rawRequests } from './fuzz-requests.ts'
import { mustLive } from './load.ts'
import type { Registry, Timed } from './registry.ts'

const describeRequest = ({ method, path, headers, body }: FuzzRequest) =>
  `${method} ${path.slice(0, 200)} ${JSON.stringify(headers).slice(0, 300)} ${
    body instanceof Uint8Array
      ? Buffer.from(body).toString('latin1').slice(0, 300)
      : JSON.stringify(body)?.slice(0, 500)
  }`

/** Errors before the endpoint is known, and those of another service. */
const allowedAnywhere: readonly ErrorCode[] = ['bad_request', 'body_too_large', 'not_found', 'method_not_allowed']

/** The registry answers what the contract declares: a problem document, or a response of the declared shape. */
const problemWith = (endpoint: Endpoint | undefined, { status, headers, body }: Timed): string | undefined => {
  if (status === 503) return headers['retry-after'] === undefined ? '503 without Retry-After' : undefined
  const code = body.code as ErrorCode | undefined
  const isDeclared = code !== undefined && (!endpoint || [...refusalsOf(endpoint), ...allowedAnywhere].includes(code))
  if (status >= 500) return status === 502 && code === 'upstream_unavailable' && isDeclared ? undefined : `${status}`
  // Node rejects an address of 16 kB before the registry sees it.
  if (!endpoint || status === 431) return undefined
  if (status >= 300 && status !== 304) {
    if (headers['content-type'] !== 'application/problem+json') return `${status} without a problem document`
    if (!isDeclared) return `${status} ${code}, which the endpoint does not declare`
    return errors[code]?.status === status ? undefined : `${status} for ${code}`
  }
  return status === 304 || endpoint.response.safeParse(body).success ? undefined : 'a response of another shape'
}

/** A provider with one of everything that requests name. */
const createKnown = async (registry: Registry, name: string): Promise<Known> => {
  const owner = await registry.createProvider(name)
  const model_id = await owner.registerModel()
  const { deployment_id, spki_fingerprint } = await owner.registerDeployment([model_id])
  const link = await owner.client.verifications.create({ model_id })
  const key = await owner.client.keys.create({ name: 'Fuzz' })
  const texts = [owner.id, model_id, deployment_id, spki_fingerprint, link.token, link.verification_id]
  return { apiKey: owner.apiKey, texts: [...texts, link.verification_url, key.id, key.api_key, owner.domain] }
}

/** Resolves when the server has answered or closed the connection. */
const sendRaw = async (port: number, text: string) => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.setTimeout(2_000, () => socket.destroy())
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
    socket.destroy()
  })
  socket.end(text, 'latin1')
  await once(socket, 'close')
  return answer
}

const isRetryable = (error: unknown) =>
  error instanceof TimeoutError || (error instanceof ApiError && error.status === 503)

const renewEvery = 2_000
const rawEvery = 100

/** Sends malformed and nearly valid requests to every endpoint. */
export const fuzz = async (drill: Drill, registry: Registry) => {
  const requests = drill.times(100_000)
  const seed = Math.floor(Math.random() * 2 ** 31)
  drill.say(`seed ${seed}`)
  const random = createRandom(seed)
  const counts = new Map<string, number>()
  const note = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
  const wrong: string[] = []
  const { port } = new URL(registry.url)
  let known = await createKnown(registry, 'fuzz')
  let sent = 0

  const sendOne = async (request: FuzzRequest) => {
    const { endpoint, path, mayBreak, ...question } = request
    try {
      const reply = await registry.send(path, question)
      note(`${Math.floor(reply.status / 100)}xx`)
      if (reply.status === 503) note('503')
      const problem = problemWith(question.method === endpoint?.method ? endpoint : undefined, reply)
      if (problem) wrong.push(`${problem}: ${describeRequest(request)}: ${reply.text.slice(0, 300)}`)
    } catch (error) {
      note('closed')
      if (!mayBreak) wrong.push(`${String(error)}: ${describeRequest(request)}`)
    }
  }
  /** On a busy machine a request may get a 503; then the others name what there is. */
  const renew = (turn: number) =>
    createKnown(registry, `fuzz-${turn}`).catch((error: unknown) => {
      must(isRetryable(error), `a provider cannot be created: ${String(error)}`)
      return known
    })
  const worker = async () => {
    while (sent < requests && wrong.length < 10) {
      const turn = sent++
      // Some requests delete what the others name.
      if (turn % renewEvery === renewEvery - 1) known = await renew(turn)
      if (turn % rawEvery === 0) {
        const answer = await sendRaw(Number(port), random.pick(rawRequests))
        note('raw')
        if (/^HTTP\/1\.1 5(?!03|05)/.test(answer)) wrong.push(answer.slice(0, 300))
      } else await sendOne(createRequest(random, known))
    }
  }
  await Promise.all(Array.from({ length: 24 }, worker))
  mustLive(registry)
  must(wrong.length === 0, `${wrong.length} wrong answers (seed ${seed}):\n${wrong.slice(0, 10).join('\n')}`)
  const closed = counts.get('closed') ?? 0
  must(closed < requests / 100, `${closed} of ${requests} connections were closed without an answer`)
  must((await registry.mint()).status === 201, 'links cannot be minted afterwards')
  const figures = [...counts].sort().map(([what, count]) => `${what} ${count}`)
  return `${requests} requests (${figures.join(', ')}), no process ended`
}
